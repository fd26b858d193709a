"""async-firebase 6.4.0: httpx over HTTP/1.1, or with the option "http2" over HTTP/2.

It ignores the `token_uri` of the service account, so its token URL is changed beside its base URL.
"""

import asyncio
import os

from async_firebase import AsyncFirebaseClient, _credentials
from async_firebase.messages import Message, Notification

from common import Job, refusal, run


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    _credentials.TOKEN_URL = job.gateway + "/token"
    AsyncFirebaseClient.BASE_URL = job.gateway
    results = []
    async with AsyncFirebaseClient(use_http2=job.options.get("http2", False)) as client:
        client.creds_from_service_account_file(job.fcm["serviceAccount"])
        for push in job.pushes:
            notification = Notification(title=push["title"], body=push["body"])
            response = await client.send(Message(token=push["token"], notification=notification))
            if response.success:
                results.append({"accepted": True, "id": response.message_id})
            else:
                results.append(refusal(response.exception, code=response.exception.code))
    return results


run(lambda job: asyncio.run(send_all(job)))
