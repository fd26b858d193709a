"""pyapns-client3 3.0.6: HTTP/2 by ALPN on httpx, a connection per push, `iat` as a float.

With the option `certificate` it sends with a client certificate.
"""

import os

from pyapns_client import APNSClient, CertificateBasedAuth, TokenBasedAuth
from pyapns_client.base import BaseAPNSClient

from common import Job, run
from pyapns_module import push_all


def send_all(job: Job) -> list[dict]:
    BaseAPNSClient.BASE_URLS[BaseAPNSClient.MODE_DEV] = job.gateway
    root = job.ca
    if job.certificate:
        # httpx drops the client certificate when it gets the path of a root certificate.
        os.environ["SSL_CERT_FILE"], root = job.environment["caBundle"], None
        credentials = CertificateBasedAuth(job.certificate)
    else:
        credentials = TokenBasedAuth(job.apns["keyFile"], job.apns["keyID"], job.apns["teamID"])
    with APNSClient(BaseAPNSClient.MODE_DEV, credentials, root_cert_path=root) as client:
        return push_all(client, job)


run(send_all)
