"""The interface that apns2, apns2-up and mopyapns have in common: all three are a module `apns2`.

One connection for all pushes, an exception class for each reason. With the option `certificate`
they send with a client certificate.
"""

from apns2.client import APNsClient
from apns2.credentials import CertificateCredentials, TokenCredentials
from apns2.errors import APNsException
from apns2.payload import Payload, PayloadAlert

from common import Job, refusal


def send_all(job: Job) -> list[dict]:
    APNsClient.SANDBOX_SERVER = job.host
    APNsClient.DEFAULT_PORT = job.port
    if job.certificate:
        credentials = CertificateCredentials(job.certificate)
    else:
        credentials = TokenCredentials(job.apns["keyFile"], job.apns["keyID"], job.apns["teamID"])
    client = APNsClient(credentials, use_sandbox=True)
    results = []
    for push in job.in_turn():
        payload = Payload(alert=PayloadAlert(title=push["title"], body=push["body"]))
        try:
            client.send_notification(push["token"], payload, topic=job.apns["topic"])
            results.append({"accepted": True})
        except APNsException as error:
            results.append(refusal(error, timestamp=getattr(error, "timestamp", None)))
    return results
