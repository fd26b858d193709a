"""django-push-notifications 3.3.0 on firebase-admin 7.7.0 and Django 5.2: its table of Android devices.

Every push goes to the rows of its token that are active, so nothing goes to a row that a refusal has
deactivated. A result says so in `active`, and in `messages` how many were sent.
"""

from common import Job, run
from django_rows import configure
from firebase_app import make_apps, message_of, result_of


def send_all(job: Job) -> list[dict]:
    make_apps(job)
    configure("push_notifications", PUSH_NOTIFICATIONS_SETTINGS={})
    # Django's models can be imported only now.
    from push_notifications.models import GCMDevice

    def send(push: dict) -> dict:
        GCMDevice.objects.get_or_create(registration_id=push["token"])
        rows = GCMDevice.objects.filter(registration_id=push["token"])
        responses = rows.send_message(message_of(push)).responses
        result = result_of(responses[0]) if responses else {"accepted": False, "error": None}
        return result | {"messages": len(responses), "active": rows.get().active}

    return [send(push) for push in job.in_turn()]


run(send_all)
