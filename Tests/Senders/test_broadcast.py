"""Broadcast channels with curl over HTTP/2 and TLS, by Apple's own host names and ports."""

import json
import re
import uuid

import pytest

from checks import arrived
from gateway import provider_token
from test_curl import UUID, curl

MANAGER = "https://api-manage-broadcast.sandbox.push.apple.com:2195"
SENDER = "https://api-broadcast.sandbox.push.apple.com"
APP = "/1/apps/com.example.app"


@pytest.fixture
def apple(gateway, environment):
    """curl at Apple's hosts: connected to the gateway, whose certificate has their names."""
    credential = provider_token(environment["apns"])

    def call(method: str, url: str, *headers: str, body: dict | None = None):
        options = [option for header in headers for option in ("-H", header)]
        if body is not None:
            options += ["-H", "content-type: application/json", "-d", json.dumps(body)]
        return curl(
            "--http2", "--cacert", environment["ca"], "--connect-to", f"::localhost:{gateway.port}",
            "-X", method, url, "-H", f"authorization: bearer {credential}", *options)

    return call


def create(apple, policy: int) -> str:
    answer = apple(
        "POST", f"{MANAGER}{APP}/channels",
        body={"message-storage-policy": policy, "push-type": "LiveActivity"})
    assert (answer.version, answer.status, answer.body) == ("HTTP/2", 201, b"")
    assert [name for name, _ in answer.headers] == ["apns-request-id", "apns-channel-id"]
    assert re.fullmatch(UUID, answer.headers[0][1])
    # Observed in 2026: 24 characters of standard base64.
    assert re.fullmatch(r"[A-Za-z0-9+/]{22}==", answer.headers[1][1])
    return answer.headers[1][1]


def broadcast(apple, channel: str, score: int, *more: str):
    return apple(
        "POST", f"{SENDER}/4/broadcasts/apps/com.example.app", f"apns-channel-id: {channel}",
        "apns-push-type: liveactivity", "apns-priority: 10",
        *(more or ["apns-expiration: 0"]),
        body={"aps": {"event": "update", "timestamp": 1, "content-state": {"score": score}}})


def listed(apple) -> list[str]:
    answer = apple("GET", f"{MANAGER}{APP}/all-channels")
    assert (answer.version, answer.status) == ("HTTP/2", 200)
    assert [name for name, _ in answer.headers] == ["apns-request-id"]
    return json.loads(answer.body)["channels"]


def test_the_life_of_a_channel(gateway, apple):
    channel = create(apple, policy=1)
    assert channel in listed(apple)
    read = apple("GET", f"{MANAGER}{APP}/channels", f"apns-channel-id: {channel}")
    assert read.body == b'{"message-storage-policy":1,"push-type":"LiveActivity"}'

    phones = [gateway.make_device("ios", channels=[channel]) for _ in range(3)]
    with phones[0].connect() as stream:
        request_id = str(uuid.uuid4())
        sent = broadcast(apple, channel, 7, "apns-expiration: 0", f"apns-request-id: {request_id}")
        assert (sent.status, sent.body) == (200, b"")
        assert [name for name, _ in sent.headers] == ["apns-request-id", "apns-unique-id"]
        assert sent.headers[0][1] == request_id
        [envelope] = [e for e in gateway.envelopes(service="apns") if e["apnsID"] == request_id]
        event = arrived(stream, envelope)
    assert event["data"]["channel"] == envelope["channel"] == channel
    assert event["data"]["payload"]["aps"]["content-state"] == {"score": 7}
    states = {delivery["device"]: delivery["state"] for delivery in envelope["deliveries"]}
    assert states == {
        phones[0].id: "delivered", phones[1].id: "dropped", phones[2].id: "dropped"}

    deleted = apple("DELETE", f"{MANAGER}{APP}/channels", f"apns-channel-id: {channel}")
    assert (deleted.status, deleted.body) == (204, b"")
    assert [name for name, _ in deleted.headers] == ["apns-request-id"]
    assert channel not in listed(apple)
    again = broadcast(apple, channel, 8)
    assert (again.status, again.body) == (400, b'{"reason":"ChannelNotRegistered"}')
    assert [name for name, _ in again.headers] == ["apns-request-id"]
    second = apple("DELETE", f"{MANAGER}{APP}/channels", f"apns-channel-id: {channel}")
    assert (second.status, second.body) == (404, b'{"reason":"BadPath"}')
    codes = [e["diagnosis"]["code"] for e in gateway.envelopes(service="apns", outcome="rejected")
             if e["channel"] == channel]
    assert codes == ["channel-deleted", "channel-deleted"]


def test_a_stored_message_reaches_a_phone_that_comes_online(gateway, apple):
    channel = create(apple, policy=1)
    phone = gateway.make_device("ios", channels=[channel])
    for score in (1, 2):
        assert broadcast(apple, channel, score, "apns-expiration: 4000000000").status == 200
    with phone.connect() as stream:
        events = stream.wait(lambda events: [e for e in events if "payload" in e["data"]])
    assert [e["data"]["payload"]["aps"]["content-state"]["score"] for e in events] == [2]


def test_an_unauthenticated_request_at_the_host_for_channels(gateway, environment):
    """Observed 2026: GET without a credential is 403 there, not 405."""
    answer = curl(
        "--http2", "--cacert", environment["ca"], "--connect-to", f"::localhost:{gateway.port}",
        f"{MANAGER}{APP}/channels")
    assert (answer.status, answer.body) == (403, b'{"reason":"MissingProviderToken"}')
