"""django-push-notifications 3.3.0 on aioapns 3.3.1 and Django 5.2: the table of devices and all.

Every push goes to the rows of its token that are active, so nothing goes to a row that a refusal
has deactivated. A result says so in `active`, and in `messages` how many were sent. With the option
`certificate` it sends with a client certificate, which says what the topic is.
"""

import os

from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol

from common import Job, refusal, run
from django_rows import configure


def set_up(job: Job) -> None:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    APNsDevelopmentClientProtocol.APNS_SERVER = job.host
    APNsTLSClientProtocol.APNS_PORT = job.port
    if job.certificate:
        credentials = {"APNS_CERTIFICATE": job.certificate}
    else:
        credentials = {
            "APNS_AUTH_KEY_PATH": job.apns["keyFile"], "APNS_AUTH_KEY_ID": job.apns["keyID"],
            "APNS_TEAM_ID": job.apns["teamID"], "APNS_TOPIC": job.apns["topic"]}
    configure(
        "push_notifications",
        PUSH_NOTIFICATIONS_SETTINGS={"APNS_USE_SANDBOX": True, **credentials})


def send_all(job: Job) -> list[dict]:
    set_up(job)
    # Django's models can be imported only now.
    from push_notifications.apns_async import Alert
    from push_notifications.exceptions import APNSError
    from push_notifications.models import APNSDevice

    results = []
    for push in job.in_turn():
        row, _ = APNSDevice.objects.get_or_create(registration_id=push["token"])
        rows = APNSDevice.objects.filter(registration_id=push["token"])
        try:
            sent = rows.send_message(Alert(title=push["title"], body=push["body"]))
            result = {"accepted": sent == [{push["token"]: "Success"}], "messages": len(sent)}
        except APNSError as error:
            result = refusal(error)
        row.refresh_from_db()
        results.append(result | {"active": row.active})
    return results


run(send_all)
