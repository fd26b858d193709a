"""firebase-admin set up for the gateway, for the programs whose library sends with it."""

import os

import firebase_admin
from firebase_admin import credentials, messaging

from common import Job, refusal
from way import Clients, Way, target_of


def make_app(way: Way) -> firebase_admin.App:
    """The first app is the default one, as in most programs."""
    messaging._MessagingService.FCM_URL = way.base + "/v1/projects/{0}/messages:send"
    messaging._MessagingService.IID_URL = way.base
    app = firebase_admin.initialize_app(
        way.bearer or credentials.Certificate(way.account), {"projectId": way.project},
        **({"name": str(len(firebase_admin._apps))} if firebase_admin._apps else {}))
    # Written into each service as a literal.
    messaging._get_messaging_service(app)._fcm_topic_url = (
        f"{way.base}/v1/projects/{app.project_id}/registrations")
    return app


def make_apps(job: Job) -> Clients:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    apps = Clients(job, make_app)
    apps.of({})
    return apps


def message_of(push: dict) -> messaging.Message:
    """The message of a push; one with "apns", {"payload": {...}, "live_activity_token": ...}, is for Apple's
    devices only and has no notification."""
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


def result_of(response: messaging.SendResponse) -> dict:
    if response.success:
        return {"accepted": True, "id": response.message_id}
    return refusal(response.exception, code=response.exception.code)


def topic_result(response: messaging.TopicManagementResponse) -> dict:
    return {
        "accepted": response.failure_count == 0, "successes": response.success_count,
        "errors": [[error.index, error.reason] for error in response.errors]}
