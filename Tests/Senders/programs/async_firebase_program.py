"""async-firebase 6.4.0: httpx over HTTP/1.1, or with the option "http2" over HTTP/2.

It ignores the `token_uri` of the service account, so its token URL is changed beside its base URLs.

A push may be sent in a way of way.py. One with a "call" is none: {"call": "subscribe" | "unsubscribe",
"tokens": [...], "topic": ...} is done by the FCM API, or with "legacy" by the Instance ID API.
"""

import asyncio
import os
from contextlib import AsyncExitStack

from async_firebase import AsyncFirebaseClient, _credentials
from async_firebase.messages import Message, Notification

from common import Job, refusal, run
from way import Clients, Way, target_of


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


async def send(client: AsyncFirebaseClient, push: dict) -> dict:
    notification = Notification(title=push["title"], body=push["body"])
    message = Message(**target_of(push), data=push.get("data", {}), notification=notification)
    try:
        response = await client.send(message)
    except KeyError as error:  # it takes whatever the token endpoint answers for a token
        return refusal(error)
    if response.success:
        return {"accepted": True, "id": response.message_id}
    return refusal(response.exception, code=response.exception.code)


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    _credentials.TOKEN_URL = job.gateway + "/token"
    async with AsyncExitStack() as open_clients:

        def make(way: Way) -> AsyncFirebaseClient:
            client = AsyncFirebaseClient(way.bearer, use_http2=job.options.get("http2", False))
            client.BASE_URL = client.IID_URL = way.base
            if not way.bearer:
                client.creds_from_service_account_info(way.account)
            open_clients.push_async_callback(client.close)
            return client

        clients = Clients(job, make)
        return [
            await (manage if "call" in push else send)(clients.of(push), push)
            for push in job.in_turn()
        ]


run(lambda job: asyncio.run(send_all(job)))
