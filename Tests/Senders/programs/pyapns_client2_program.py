"""pyapns-client 2.0.6 on httpx 0.27: a connection per push, `iat` as a float, no `apns-push-type`.

It knows no client certificates.
"""

from pyapns_client import APNSClient

from common import Job, run
from pyapns_module import push_all


def send_all(job: Job) -> list[dict]:
    APNSClient.BASE_URLS[APNSClient.MODE_DEV] = job.gateway
    client = APNSClient(
        mode=APNSClient.MODE_DEV, root_cert_path=job.ca, auth_key_path=job.apns["keyFile"],
        auth_key_id=job.apns["keyID"], team_id=job.apns["teamID"])
    results = push_all(client, job)
    client.close()
    return results


run(send_all)
