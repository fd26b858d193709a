"""kalyke-apns 1.5.0: HTTP/2 by ALPN, a new connection per push, `iat` as a string.

With the option `certificate` it sends VoIP pushes, for which alone it knows client certificates.
"""

import asyncio
import os

from common import Job, refusal, run
from kalyke import (
    ApnsClient, ApnsConfig, Payload, PayloadAlert, VoIPApnsConfig, VoIPCertificateClient)
from kalyke.exceptions import ApnsProviderException


def at(address: str, client: type) -> type:
    """The client with another server, which is a property of its class."""
    return type("LocalClient", (client,), {"_base_url": address})


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    topic = job.apns["topic"]
    if job.certificate:
        config = VoIPApnsConfig(topic=f"{topic}.voip")
        client = at(job.gateway, VoIPCertificateClient)(
            use_sandbox=True, auth_key_filepath=job.certificate)
    else:
        config = ApnsConfig(topic=topic)
        client = at(job.gateway, ApnsClient)(
            use_sandbox=True, team_id=job.apns["teamID"], auth_key_id=job.apns["keyID"],
            auth_key_filepath=job.apns["keyFile"])
    results = []
    for push in job.in_turn():
        payload = Payload(alert=PayloadAlert(title=push["title"], body=push["body"]))
        try:
            identifier = await client.send_message(
                push["token"], payload.dict() if job.certificate else payload, config)
            results.append({"accepted": True, "id": identifier})
        except ApnsProviderException as error:
            results.append(refusal(error, timestamp=error.error.get("timestamp")))
    return results


run(lambda job: asyncio.run(send_all(job)))
