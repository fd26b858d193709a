"""Debian's python3-aioapns (2.2 in Debian 12): as aioapns 4.0, without ALPN and with `host`.

Its key is the path of a file, and it shows no timestamp. With the option `certificate` it sends
with a client certificate, which says what the topic is.
"""

import asyncio
import os

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol

from common import Job, run


async def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    APNsDevelopmentClientProtocol.APNS_SERVER = job.host
    APNsTLSClientProtocol.APNS_PORT = job.port
    if job.certificate:
        credentials = {"client_cert": job.certificate}
    else:
        credentials = {
            "key": job.apns["keyFile"], "key_id": job.apns["keyID"],
            "team_id": job.apns["teamID"], "topic": job.apns["topic"]}
    client = APNs(**credentials, use_sandbox=True, max_connections=1)

    async def send(push: dict) -> dict:
        request = NotificationRequest(
            device_token=push["token"], push_type=PushType.ALERT,
            message={"aps": {"alert": {"title": push["title"], "body": push["body"]}}})
        result = await client.send_notification(request)
        return {
            "accepted": result.is_successful, "id": result.notification_id, "status": result.status,
            "error": result.description,
        }

    results = await job.answers(send)
    client.pool.close()
    return results


run(lambda job: asyncio.run(send_all(job)))
