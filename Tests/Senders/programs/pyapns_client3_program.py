"""pyapns-client3 3.0.6: HTTP/2 by ALPN on httpx, a connection per push, `iat` as a float."""

from pyapns_client import (
    APNSClient, APNSException, IOSNotification, IOSPayload, IOSPayloadAlert, TokenBasedAuth)
from pyapns_client.base import BaseAPNSClient

from common import Job, refusal, run


def send_all(job: Job) -> list[dict]:
    BaseAPNSClient.BASE_URLS[BaseAPNSClient.MODE_DEV] = job.gateway
    credentials = TokenBasedAuth(job.apns["keyFile"], job.apns["keyID"], job.apns["teamID"])
    results = []
    with APNSClient(BaseAPNSClient.MODE_DEV, credentials, root_cert_path=job.ca) as client:
        for push in job.pushes:
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


run(send_all)
