"""kalyke-apns 1.5.0: HTTP/2 by ALPN, a new connection per push, `iat` as a string."""

import asyncio
import os

from common import Job, refusal, run
from kalyke import ApnsClient, ApnsConfig, Payload, PayloadAlert
from kalyke.exceptions import ApnsProviderException


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]

    class LocalClient(ApnsClient):
        _base_url = job.gateway

    client = LocalClient(
        use_sandbox=True, team_id=job.apns["teamID"], auth_key_id=job.apns["keyID"],
        auth_key_filepath=job.apns["keyFile"])
    results = []
    for push in job.pushes:
        payload = Payload(alert=PayloadAlert(title=push["title"], body=push["body"]))
        try:
            identifier = await client.send_message(
                push["token"], payload, ApnsConfig(topic=job.apns["topic"]))
            results.append({"accepted": True, "id": identifier})
        except ApnsProviderException as error:
            results.append(refusal(error))
    return results


run(lambda job: asyncio.run(send_all(job)))
