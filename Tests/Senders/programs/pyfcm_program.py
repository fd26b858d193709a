"""pyfcm 2.1.1: HTTP/1.1 on requests, access token from the service account's `token_uri`; with the option
"async" all pushes at once, on aiohttp. A push may be sent in a way of way.py.

The asynchronous call returns bodies, whatever the status; it cannot be told what is no JSON.
"""

import os

from google.oauth2 import service_account
from pyfcm import FCMNotification
from pyfcm.errors import FCMError

from common import Job, refusal, run
from way import Clients, Way, target_of

SCOPES = ["https://www.googleapis.com/auth/firebase.messaging"]
PARAMETERS = {"token": "fcm_token", "topic": "topic_name", "condition": "topic_condition"}


def make_client(way: Way) -> FCMNotification:
    client = FCMNotification(
        project_id=way.project,
        credentials=way.bearer or service_account.Credentials.from_service_account_info(
            way.account, scopes=SCOPES))
    client.FCM_END_POINT_BASE = way.base + "/v1/projects"
    return client


def parameters_of(push: dict) -> dict:
    target = {PARAMETERS[kind]: value for kind, value in target_of(push).items()}
    return {
        **target, "notification_title": push["title"], "notification_body": push["body"],
        "data_payload": push.get("data")}


def send(client: FCMNotification, push: dict, pauses: list[float]) -> dict:
    pauses.clear()
    try:
        answer = client.notify(**parameters_of(push))
        return {"accepted": True, "id": answer["name"], "pauses": pauses[:]}
    except FCMError as error:
        return refusal(error, pauses=pauses[:])


def result_of(answer: dict) -> dict:
    if "name" in answer:
        return {"accepted": True, "id": answer["name"]}
    error = answer["error"]
    return {"accepted": False, "error": error["status"], "text": error["message"]}


def send_all(job: Job) -> list[dict]:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    clients = Clients(job, make_client)
    if job.options.get("async"):
        answers = clients.of({}).async_notify_multiple_devices(
            [parameters_of(push) for push in job.pushes])
        return [result_of(answer) for answer in answers]
    pauses = job.skip_pauses()
    return [send(clients.of(push), push, pauses) for push in job.in_turn()]


run(send_all)
