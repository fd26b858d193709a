"""async-firebase 6.4.0: httpx over HTTP/1.1, or with the option "http2" over HTTP/2.

It ignores the `token_uri` of the service account, so its token URL is changed beside its base URLs.

A push may name a "topic" or a "condition" in place of a token. One with a "call" is none: {"call":
"subscribe" | "unsubscribe", "tokens": [...], "topic": ...} is done by the FCM API, or with "legacy" by the
Instance ID API.
"""

import asyncio
import os

from async_firebase import AsyncFirebaseClient, _credentials
from async_firebase.messages import Message, Notification

from common import Job, refusal, run


def target_of(push: dict) -> dict:
    return {key: push[key] for key in ("token", "topic", "condition") if key in push}


async def manage(client: AsyncFirebaseClient, step: dict) -> dict:
    direction = "to" if step["call"] == "subscribe" else "from"
    devices = "_devices" if step.get("legacy") else ""
    call = getattr(client, f"{step['call']}{devices}_{direction}_topic")
    response = await call(step["tokens"], step["topic"])
    if response.exception is not None:
        return refusal(response.exception)
    return {
        "accepted": response.failure_count == 0, "successes": response.success_count,
        "errors": [[error.index, error.reason] for error in response.errors]}


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    _credentials.TOKEN_URL = job.gateway + "/token"
    AsyncFirebaseClient.BASE_URL = job.gateway
    AsyncFirebaseClient.IID_URL = job.gateway
    results = []
    async with AsyncFirebaseClient(use_http2=job.options.get("http2", False)) as client:
        client.creds_from_service_account_file(job.fcm["serviceAccount"])
        for push in job.pushes:
            if "call" in push:
                results.append(await manage(client, push))
                continue
            notification = Notification(title=push["title"], body=push["body"])
            response = await client.send(Message(**target_of(push), notification=notification))
            if response.success:
                results.append({"accepted": True, "id": response.message_id})
            else:
                results.append(refusal(response.exception, code=response.exception.code))
    return results


run(lambda job: asyncio.run(send_all(job)))
