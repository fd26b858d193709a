"""apns2-up 0.9.0 (on hyper-up): waits for the server's SETTINGS, `iat` as a float."""

import hyper.tls
from apns2.client import APNsClient
from apns2.credentials import TokenCredentials
from apns2.errors import APNsException
from apns2.payload import Payload, PayloadAlert

from common import Job, refusal, run


def send_all(job: Job) -> list[dict]:
    hyper.tls.cert_loc = job.ca
    APNsClient.SANDBOX_SERVER = job.host
    APNsClient.DEFAULT_PORT = job.port
    credentials = TokenCredentials(job.apns["keyFile"], job.apns["keyID"], job.apns["teamID"])
    client = APNsClient(credentials, use_sandbox=True)
    results = []
    for push in job.pushes:
        payload = Payload(alert=PayloadAlert(title=push["title"], body=push["body"]))
        try:
            client.send_notification(push["token"], payload, topic=job.apns["topic"])
            results.append({"accepted": True})
        except APNsException as error:
            results.append(refusal(error, timestamp=getattr(error, "timestamp", None)))
    return results


run(send_all)
