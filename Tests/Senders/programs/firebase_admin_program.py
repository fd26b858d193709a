"""firebase-admin 7.7.0: `send` over HTTP/1.1, or with the option "async" `send_each_async` over HTTP/2.

It asks the `token_uri` of the service account for its access token; only its URLs are changed.

A push may name a "topic" or a "condition" in place of a token, and "apns" makes it one for Apple's devices
only: {"payload": {...}, "live_activity_token": ...}, which has no notification. One with a "call" is none: {"call":
"subscribe" | "unsubscribe", "tokens": [...], "topic": ...} is done by the FCM API, or with "legacy" by the
Instance ID API. All pushes of a job are of one kind.

Options: "service_account" is another account's file, "project" another project than the account's.
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


def target_of(push: dict) -> dict:
    return {key: push[key] for key in ("token", "topic", "condition") if key in push}


def message_of(push: dict) -> messaging.Message:
    if "apns" not in push:
        return messaging.Message(
            **target_of(push), data=push.get("data"),
            notification=messaging.Notification(title=push["title"], body=push["body"]))
    payload = push["apns"]["payload"]
    aps = dict(payload["aps"])
    alert = aps.pop("alert", None)
    if isinstance(alert, dict):
        alert = messaging.ApsAlert(**alert)
    aps = messaging.Aps(alert=alert, custom_data=aps)
    own = {key: value for key, value in payload.items() if key != "aps"}
    return messaging.Message(
        **target_of(push),
        apns=messaging.APNSConfig(
            payload=messaging.APNSPayload(aps, **own),
            live_activity_token=push["apns"].get("live_activity_token")))


async def manage(job: Job, step: dict) -> dict:
    is_async = job.options.get("async") and not step.get("legacy")
    direction = "to" if step["call"] == "subscribe" else "from"
    kind = "_legacy" if step.get("legacy") else "_async" if is_async else ""
    try:
        answer = getattr(messaging, f"{step['call']}_{direction}_topic{kind}")(
            step["tokens"], step["topic"])
        response = await answer if is_async else answer
    except exceptions.FirebaseError as error:
        return refusal(error, code=error.code)
    return {
        "accepted": response.failure_count == 0, "successes": response.success_count,
        "errors": [[error.index, error.reason] for error in response.errors]}


async def manage_all(job: Job) -> list[dict]:
    return [await manage(job, step) for step in job.pushes]


def send_all(job: Job) -> list[dict]:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    messaging._MessagingService.FCM_URL = job.gateway + "/v1/projects/{0}/messages:send"
    messaging._MessagingService.IID_URL = job.gateway
    account = job.options.get("service_account", job.fcm["serviceAccount"])
    project = {"projectId": job.options["project"]} if "project" in job.options else None
    app = firebase_admin.initialize_app(credentials.Certificate(account), project)
    # Written into each service as a literal.
    messaging._get_messaging_service(app)._fcm_topic_url = (
        f"{job.gateway}/v1/projects/{app.project_id}/registrations")
    if any("call" in push for push in job.pushes):
        # One loop for all: the library's client belongs to the loop that it was first used in.
        return asyncio.run(manage_all(job))
    messages = [message_of(push) for push in job.pushes]
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
