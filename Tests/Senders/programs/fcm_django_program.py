"""fcm-django 3.2.0 on firebase-admin 7.7.0 and Django 5.2: the table of devices and all.

Every push goes to the rows of its token that are active, so nothing goes to a row that a refusal has
deactivated. A result says so in `active`, and in `messages` how many were sent. One with a "call" is none, as
in the program of firebase-admin.
"""

from common import Job, run
from django_rows import configure
from firebase_app import make_apps, message_of, result_of, topic_result


def send_all(job: Job) -> list[dict]:
    make_apps(job)
    configure("fcm_django")
    # Django's models can be imported only now.
    from fcm_django.models import FCMDevice

    def rows_of(tokens: list[str]):
        for token in tokens:
            FCMDevice.objects.get_or_create(registration_id=token, defaults={"type": "android"})
        return FCMDevice.objects.filter(registration_id__in=tokens)

    def manage(step: dict) -> dict:
        answer = rows_of(step["tokens"]).handle_topic_subscription(
            step["call"] == "subscribe", step["topic"])
        result = topic_result(answer.response)
        # It counts by the order in which the table gave the rows, which is any.
        result["errors"] = sorted(
            [step["tokens"].index(answer.registration_ids_sent[index]), reason]
            for index, reason in result["errors"])
        return result

    def send(push: dict) -> dict:
        if "token" not in push:
            return result_of(FCMDevice.send_topic_message(message_of(push), push["topic"]))
        rows = rows_of([push["token"]])
        responses = rows.send_message(message_of(push)).response.responses
        result = result_of(responses[0]) if responses else {"accepted": False, "error": None}
        return result | {"messages": len(responses), "active": rows.get().active}

    return [(manage if "call" in push else send)(push) for push in job.in_turn()]


run(send_all)
