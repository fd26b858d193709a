"""aioapns 4.0: HTTP/2 over TLS without ALPN, one connection, `host` instead of `:authority`.

A push may have "beside": what stands beside `aps` in its payload.
With the option `certificate` it sends with a client certificate, which says what the topic is.
"""

import asyncio
import ssl
from pathlib import Path

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
from aioapns.exceptions import MaxAttemptsExceeded

from common import Job, refusal, run


async def send_all(job: Job) -> list[dict]:
    APNsDevelopmentClientProtocol.APNS_SERVER = job.host
    APNsTLSClientProtocol.APNS_PORT = job.port
    if job.certificate:
        credentials = {"client_cert": job.certificate}
    else:
        credentials = {
            "key": Path(job.apns["keyFile"]).read_text(), "key_id": job.apns["keyID"],
            "team_id": job.apns["teamID"], "topic": job.apns["topic"]}
    client = APNs(
        **credentials, use_sandbox=True,
        # One connection: the order in which it accepts is then the order in which they were sent.
        max_connections=1, ssl_context=ssl.create_default_context(cafile=job.ca))

    async def send(push: dict) -> dict:
        request = NotificationRequest(
            device_token=push["token"], notification_id=push.get("id"), push_type=PushType.ALERT,
            message={
                "aps": {"alert": {"title": push["title"], "body": push["body"]}},
                **push.get("beside", {})})
        try:
            result = await client.send_notification(request)
        except MaxAttemptsExceeded as error:  # each of its connections ended before an answer
            return refusal(error)
        return {
            "accepted": result.is_successful, "id": result.notification_id, "status": result.status,
            "error": result.description, "timestamp": result.timestamp,
        }

    results = await job.answers(send)
    client.pool.close()
    return results


run(lambda job: asyncio.run(send_all(job)))
