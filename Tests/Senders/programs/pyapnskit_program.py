"""pyAPNsKit 0.2.1: HTTP/2 by ALPN, a connection per call, nulls in the alert.

With the option `together` one call sends the first push's text to the tokens of all, on one
connection and all at once. It knows no client certificates.
"""

import asyncio
import os
from pathlib import Path

from pyAPNsKit import helper
from pyAPNsKit.apns import Client
from pyAPNsKit.APNsResponse import APNsResponse

from common import Job, run


def result(response: APNsResponse) -> dict:
    answer = {} if response.isSuccess else response.rawResponse.json()
    return {
        "accepted": response.isSuccess, "id": response.apns_id, "status": response.status_code,
        "error": response.reason, "timestamp": answer.get("timestamp"),
    }


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    helper.sandboxEnvironment = job.gateway
    client = Client(
        job.apns["teamID"], job.apns["topic"], job.apns["keyID"],
        Path(job.apns["keyFile"]).read_text(), isSandbox=True)

    async def send(tokens: list[str], push: dict) -> list[dict]:
        responses = await client.sendAlert(tokens, push["title"], None, push["body"])
        return [result(response) for response in responses]

    if job.options.get("together"):
        return await send([push["token"] for push in job.pushes], job.pushes[0])
    return [(await send([push["token"]], push))[0] for push in job.in_turn()]


run(lambda job: asyncio.run(send_all(job)))
