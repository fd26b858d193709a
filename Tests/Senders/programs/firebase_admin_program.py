"""firebase-admin 7.7.0: `send` over HTTP/1.1, with the option "each" `send_each`, with the option "async"
`send_each_async` over HTTP/2.

It asks the `token_uri` of the service account for its access token; only its URLs are changed.

A push may be sent in a way of way.py, and "apns" makes it one for Apple's devices only, as firebase_app.py
says. One with a "call" is none: {"call": "subscribe" | "unsubscribe", "tokens": [...], "topic": ...} is done by
the FCM API, or with "legacy" by the Instance ID API. Lists are sent at once, unless one of the pushes is to be
alone.
"""

import asyncio

from firebase_admin import exceptions, messaging
from google.auth.exceptions import GoogleAuthError

from common import Job, refusal, run
from firebase_app import make_apps, message_of, result_of, topic_result
from way import FIELDS, Clients


async def manage(is_async: bool, step: dict) -> dict:
    is_async = is_async and not step.get("legacy")
    direction = "to" if step["call"] == "subscribe" else "from"
    kind = "_legacy" if step.get("legacy") else "_async" if is_async else ""
    try:
        answer = getattr(messaging, f"{step['call']}_{direction}_topic{kind}")(
            step["tokens"], step["topic"])
        return topic_result(await answer if is_async else answer)
    except exceptions.FirebaseError as error:
        return refusal(error, code=error.code)


def send(apps: Clients, push: dict) -> dict:
    try:
        return {"accepted": True, "id": messaging.send(message_of(push), app=apps.of(push))}
    except (exceptions.FirebaseError, GoogleAuthError) as error:
        return refusal(error)


async def send_list(is_async: bool, apps: Clients, pushes: list[dict]) -> list[dict]:
    messages, app = [message_of(push) for push in pushes], apps.of(pushes[0])
    try:
        if is_async:
            batch = await messaging.send_each_async(messages, dry_run=False, app=app)
        else:
            batch = messaging.send_each(messages, app=app)
    except exceptions.FirebaseError as error:
        return [refusal(error)] * len(pushes)
    return [result_of(response) for response in batch.responses]


def lists(job: Job) -> list[list[dict]]:
    """The pushes that are sent together."""
    alone = ("call", "advance", "settings", *FIELDS)
    takes_lists = job.options.get("async") or job.options.get("each")
    if not takes_lists or any(name in push for push in job.pushes for name in alone):
        return [[push] for push in job.pushes]
    return [job.pushes]


async def send_all(job: Job) -> list[dict]:
    """All in one loop: the library's client belongs to the loop that it was first used in."""
    apps = make_apps(job)
    pauses = job.skip_pauses()
    results = []
    is_async = job.options.get("async", False)
    for pushes in lists(job):
        job.prepare(pushes[0])
        pauses.clear()
        if "call" in pushes[0]:
            results.append(await manage(is_async, pushes[0]))
        elif is_async or job.options.get("each"):
            results += await send_list(is_async, apps, pushes)
        else:
            results.append(send(apps, pushes[0]) | {"pauses": pauses[:]})
    return results


run(lambda job: asyncio.run(send_all(job)))
