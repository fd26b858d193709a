"""simple-apns 0.1.2: HTTP/2 by ALPN, one connection, a claim `exp` in the provider token.

It has one exception for each status and shows neither reason nor timestamp; it sends again, up to
three times, what was answered 429 or 5xx. It knows no client certificates.
"""

import os

from simple_apns import APNSClient, APNSException, Payload

from common import Job, refusal, run


def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    APNSClient.ENDPOINT_DEVELOPMENT = job.gateway
    client = APNSClient(
        team_id=job.apns["teamID"], auth_key_id=job.apns["keyID"],
        auth_key_path=job.apns["keyFile"], bundle_id=job.apns["topic"], use_sandbox=True)
    results = []
    for push in job.in_turn():
        payload = Payload(alert_title=push["title"], alert_body=push["body"])
        try:
            results.append({"accepted": client.send_notification(push["token"], payload)})
        except APNSException as error:
            results.append(refusal(error))
    client.close()
    return results


run(send_all)
