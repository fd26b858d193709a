"""apprise 2.3.0: a notification is a URL, and its result is true or false; why, its log says.

A push goes to a token or a topic with a service account, or with "legacy", a server key, by the API that
Google retired. Apprise leaves 5.5 seconds between the messages of one service, so each push has its own.
"""

import os
from urllib.parse import quote

import apprise
from apprise.plugins.fcm import NotifyFCM

from common import Job, run


def url_of(job: Job, push: dict) -> str:
    target = "#" + push["topic"] if "topic" in push else push["token"]
    if push.get("legacy"):
        return f"fcm://{push['legacy']}/{quote(target, safe='')}"
    return (
        f"fcm://{job.fcm['projectID']}/{quote(target, safe='')}?mode=oauth2"
        f"&keyfile={quote(job.fcm['serviceAccount'], safe='')}")


def send(job: Job, push: dict) -> dict:
    service = apprise.Apprise()
    assert service.add(url_of(job, push))
    with apprise.LogCapture(level=apprise.logging.WARNING) as log:
        is_sent = bool(service.notify(title=push["title"], body=push["body"]))
        return {"accepted": is_sent, "error": None if is_sent else False, "text": log.getvalue()}


def send_all(job: Job) -> list[dict]:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    NotifyFCM.notify_oauth2_url = job.gateway + "/v1/projects/{project}/messages:send"
    NotifyFCM.notify_legacy_url = job.gateway + "/fcm/send"
    return [send(job, push) for push in job.in_turn()]


run(send_all)
