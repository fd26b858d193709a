"""firebase-admin 7.7.0: `send` over HTTP/1.1, or with the option "async" `send_each_async` over HTTP/2.

It asks the `token_uri` of the service account for its access token; only its send URL is changed.
"""

import asyncio
import os

import firebase_admin
from firebase_admin import credentials, exceptions, messaging

from common import Job, refusal, run


def result_of(response: messaging.SendResponse) -> dict:
    if response.success:
        return {"accepted": True, "id": response.message_id}
    return refusal(response.exception, code=response.exception.code)


def send_all(job: Job) -> list[dict]:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    messaging._MessagingService.FCM_URL = job.gateway + "/v1/projects/{0}/messages:send"
    firebase_admin.initialize_app(credentials.Certificate(job.fcm["serviceAccount"]))
    messages = [
        messaging.Message(
            token=push["token"],
            notification=messaging.Notification(title=push["title"], body=push["body"]))
        for push in job.pushes
    ]
    if job.options.get("async"):
        batch = asyncio.run(messaging.send_each_async(messages, dry_run=False))
        return [result_of(response) for response in batch.responses]
    results = []
    for message in messages:
        try:
            results.append({"accepted": True, "id": messaging.send(message)})
        except exceptions.FirebaseError as error:
            results.append(refusal(error, code=error.code))
    return results


run(send_all)
