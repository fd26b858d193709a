"""pyfcm 2.1.1: HTTP/1.1 on requests, access token from the service account's `token_uri`."""

import os

from pyfcm import FCMNotification
from pyfcm.errors import FCMError

from common import Job, refusal, run


def send_all(job: Job) -> list[dict]:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    FCMNotification.FCM_END_POINT_BASE = job.gateway + "/v1/projects"
    client = FCMNotification(
        service_account_file=job.fcm["serviceAccount"], project_id=job.fcm["projectID"])
    results = []
    for push in job.pushes:
        try:
            answer = client.notify(
                fcm_token=push["token"], notification_title=push["title"],
                notification_body=push["body"])
            results.append({"accepted": True, "id": answer["name"]})
        except FCMError as error:
            results.append(refusal(error))
    return results


run(send_all)
