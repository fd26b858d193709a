"""Libraries that live longer than their provider token: aioapns, apns2-up and kalyke.

A push may have `advance`: the workspace's clock is moved so far before it is sent; and `client`: it
is sent by a client of this number, made when it is first used. The option `library` says whose.
"""

import asyncio
import json
import os
import ssl
import urllib.request
from pathlib import Path

from common import Job, refusal, run


def move_clock(job: Job, push: dict) -> None:
    if "advance" in push:
        urllib.request.urlopen(urllib.request.Request(
            job.environment["console"] + "/api/v1/clock", method="POST",
            data=json.dumps({"advance": push["advance"]}).encode(),
            headers={"content-type": "application/json"}), timeout=10).close()


async def aioapns(job: Job) -> list[dict]:
    from aioapns import APNs, NotificationRequest, PushType
    from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol

    APNsDevelopmentClientProtocol.APNS_SERVER = job.host
    APNsTLSClientProtocol.APNS_PORT = job.port
    clients, results = {}, []
    for push in job.pushes:
        move_clock(job, push)
        number = push.get("client", 1)
        if number not in clients:
            clients[number] = APNs(
                key=Path(job.apns["keyFile"]).read_text(), key_id=job.apns["keyID"],
                team_id=job.apns["teamID"], topic=job.apns["topic"], use_sandbox=True,
                max_connections=1, ssl_context=ssl.create_default_context(cafile=job.ca))
        result = await clients[number].send_notification(NotificationRequest(
            device_token=push["token"], push_type=PushType.ALERT,
            message={"aps": {"alert": {"title": push["title"], "body": push["body"]}}}))
        results.append({
            "accepted": result.is_successful, "status": result.status, "error": result.description})
    for client in clients.values():
        client.pool.close()
    return results


def apns2_up(job: Job) -> list[dict]:
    import hyper.tls
    from apns2.client import APNsClient
    from apns2.credentials import TokenCredentials
    from apns2.errors import APNsException
    from apns2.payload import Payload, PayloadAlert

    hyper.tls.cert_loc = job.ca
    APNsClient.SANDBOX_SERVER = job.host
    APNsClient.DEFAULT_PORT = job.port
    credentials = TokenCredentials(
        job.apns["keyFile"], job.apns["keyID"], job.apns["teamID"],
        token_lifetime=job.options.get("tokenLifetime", 2700))
    client, results = APNsClient(credentials, use_sandbox=True), []
    for push in job.pushes:
        move_clock(job, push)
        payload = Payload(alert=PayloadAlert(title=push["title"], body=push["body"]))
        try:
            client.send_notification(push["token"], payload, topic=job.apns["topic"])
            results.append({"accepted": True})
        except APNsException as error:
            results.append(refusal(error))
    return results


async def kalyke(job: Job) -> list[dict]:
    from kalyke import ApnsClient, ApnsConfig, Payload, PayloadAlert
    from kalyke.exceptions import ApnsProviderException

    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]

    class LocalClient(ApnsClient):
        _base_url = job.gateway

    client = LocalClient(
        use_sandbox=True, team_id=job.apns["teamID"], auth_key_id=job.apns["keyID"],
        auth_key_filepath=job.apns["keyFile"])
    results = []
    for push in job.pushes:
        move_clock(job, push)
        payload = Payload(alert=PayloadAlert(title=push["title"], body=push["body"]))
        try:
            await client.send_message(push["token"], payload, ApnsConfig(topic=job.apns["topic"]))
            results.append({"accepted": True})
        except ApnsProviderException as error:
            results.append(refusal(error))
    return results


def send_all(job: Job) -> list[dict]:
    match job.options["library"]:
        case "aioapns":
            return asyncio.run(aioapns(job))
        case "apns2_up":
            return apns2_up(job)
        case "kalyke":
            return asyncio.run(kalyke(job))


run(send_all)
