"""pyapns-client3 3.0.6: HTTP/2 by ALPN on httpx, a connection per push, `iat` as a float.

With the option `certificate` it sends with a client certificate.
"""

import os

from pyapns_client import (
    APNSClient, APNSException, CertificateBasedAuth, IOSNotification, IOSPayload, IOSPayloadAlert,
    TokenBasedAuth)
from pyapns_client.base import BaseAPNSClient

from common import Job, refusal, run


def send_all(job: Job) -> list[dict]:
    BaseAPNSClient.BASE_URLS[BaseAPNSClient.MODE_DEV] = job.gateway
    root = job.ca
    if job.certificate:
        # httpx drops the client certificate when it gets the path of a root certificate.
        os.environ["SSL_CERT_FILE"], root = job.environment["caBundle"], None
        credentials = CertificateBasedAuth(job.certificate)
    else:
        credentials = TokenBasedAuth(job.apns["keyFile"], job.apns["keyID"], job.apns["teamID"])
    results = []
    with APNSClient(BaseAPNSClient.MODE_DEV, credentials, root_cert_path=root) as client:
        for push in job.in_turn():
            alert = IOSPayloadAlert(title=push["title"], body=push["body"])
            notification = IOSNotification(IOSPayload(alert=alert), topic=job.apns["topic"])
            try:
                client.push(notification, push["token"])
                results.append({"accepted": True})
            except APNSException as error:
                results.append(refusal(
                    error, status=error.status_code, id=error.apns_id,
                    timestamp=getattr(error, "timestamp", None)))
    return results


run(send_all)
