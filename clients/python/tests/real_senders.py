"""Senders as a provider has them: httpx, aioapns and firebase-admin, pointed at a workspace."""

import asyncio
import time

import firebase_admin
import httpx
import jwt
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
from firebase_admin import credentials, messaging
from pushpit import Workspace


def alert(title: str, **beside) -> dict:
    return {"aps": {"alert": {"title": title, "body": "Body"}}, **beside}


def by_httpx(workspace: Workspace, token: str, payload: dict, **headers: str) -> httpx.Response:
    """A push to APNs by hand."""
    apns = workspace.apns
    claims = {"iss": apns.team_id, "iat": int(time.time())}
    signed = jwt.encode(claims, apns.key, algorithm="ES256", headers={"kid": apns.key_id})
    fields = {
        "authorization": f"bearer {signed}", "apns-topic": apns.topic, "apns-push-type": "alert",
        **{name.replace("_", "-"): value for name, value in headers.items()}}
    with httpx.Client(http2=True, verify=str(workspace.ca_file), trust_env=False) as client:
        return client.post(f"{apns.url}/3/device/{token}", json=payload, headers=fields)


def by_aioapns(workspace: Workspace, monkeypatch, token: str, payload: dict):
    """A push to APNs by aioapns, which has Apple's hosts compiled in."""
    apns = workspace.apns
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", apns.host)
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", apns.port)
    monkeypatch.setenv("SSL_CERT_FILE", workspace.env()["SSL_CERT_FILE"])

    async def send():
        client = APNs(
            key=apns.key, key_id=apns.key_id, team_id=apns.team_id, topic=apns.topic,
            use_sandbox=True, max_connections=1)
        request = NotificationRequest(
            device_token=token, message=payload, push_type=PushType.ALERT)
        try:
            return await client.send_notification(request)
        finally:
            client.pool.close()

    return asyncio.run(send())


def by_firebase(workspace: Workspace, monkeypatch, token: str, title: str) -> str:
    """A push to FCM by firebase-admin, which has Google's host compiled in."""
    url = workspace.fcm.url + "/v1/projects/{0}/messages:send"
    monkeypatch.setattr(messaging._MessagingService, "FCM_URL", url)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", workspace.env()["REQUESTS_CA_BUNDLE"])
    account = credentials.Certificate(workspace.fcm.service_account)
    app = firebase_admin.initialize_app(account, name=workspace.id)
    try:
        note = messaging.Notification(title=title, body="Body")
        return messaging.send(messaging.Message(token=token, notification=note), app=app)
    finally:
        firebase_admin.delete_app(app)
