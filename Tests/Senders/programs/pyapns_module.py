"""What the programs of pyapns-client 2 and 3 share: how they push and what they see of an answer."""

from pyapns_client import (
    APNSClient, APNSException, IOSNotification, IOSPayload, IOSPayloadAlert)

from common import Job, refusal


def push_all(client: APNSClient, job: Job) -> list[dict]:
    results = []
    for push in job.in_turn():
        alert = IOSPayloadAlert(title=push["title"], body=push["body"])
        notification = IOSNotification(IOSPayload(alert=alert), topic=job.apns["topic"])
        try:
            client.push(notification, push["token"])
            results.append({"accepted": True})
        except APNSException as error:
            results.append(refusal(
                error, status=error.status_code, id=error.apns_id,
                timestamp=getattr(error, "timestamp", None)))
    return results
