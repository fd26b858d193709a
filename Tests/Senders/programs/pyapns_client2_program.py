"""pyapns-client 2.0.6 on httpx 0.27: a connection per push, `iat` as a float, no `apns-push-type`.

It knows no client certificates.
"""

from pyapns_client import APNSClient, APNSException, IOSNotification, IOSPayload, IOSPayloadAlert

from common import Job, refusal, run


def send_all(job: Job) -> list[dict]:
    APNSClient.BASE_URLS[APNSClient.MODE_DEV] = job.gateway
    client = APNSClient(
        mode=APNSClient.MODE_DEV, root_cert_path=job.ca, auth_key_path=job.apns["keyFile"],
        auth_key_id=job.apns["keyID"], team_id=job.apns["teamID"])
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
    client.close()
    return results


run(send_all)
