"""FCM senders: each sees its success and its refusal as its own library reports them."""

import pytest

from checks import assert_delivered, only_envelope, push

# program, its options, the HTTP version it speaks
SENDERS = [
    pytest.param("firebase_admin", {}, "http/1.1", id="firebase-admin"),
    pytest.param("firebase_admin", {"async": True}, "h2", id="firebase-admin-async"),
    pytest.param("async_firebase", {}, "http/1.1", id="async-firebase"),
    pytest.param("async_firebase", {"http2": True}, "h2", id="async-firebase-http2"),
    pytest.param("pyfcm", {}, "http/1.1", id="pyfcm"),
]


@pytest.mark.parametrize(("program", "options", "protocol"), SENDERS)
def test_a_push_is_accepted_recorded_and_delivered(
        gateway, environment, android, send, program, options, protocol):
    with android.connect() as stream:
        sent = push(android.token)
        [result] = send(program, sent, **options)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, android, stream, sent, "fcm")
    project = environment["fcm"]["projectID"]
    assert result["id"].startswith(f"projects/{project}/messages/")
    assert envelope["messageName"] == result["id"]
    assert envelope["project"] == project
    assert envelope["protocol"] == protocol


@pytest.mark.parametrize(("program", "options", "protocol"), SENDERS)
def test_an_apns_token_is_an_invalid_argument(
        gateway, iphone, send, program, options, protocol):
    [result] = send(program, push(iphone.token), **options)
    assert not result["accepted"]
    # pyfcm has one exception for all of 400.
    expected = "InvalidDataError" if program == "pyfcm" else "InvalidArgumentError"
    assert result["error"] == expected, result
    assert "The registration token is not a valid FCM registration token" in result["text"]
    assert only_envelope(gateway, token=iphone.token)["diagnosis"]["code"] == "apns-token-at-fcm"


@pytest.mark.parametrize(("program", "options", "protocol"), SENDERS)
def test_a_push_to_an_uninstalled_app_is_unregistered(
        gateway, android, send, program, options, protocol):
    android.act("uninstall")
    [result] = send(program, push(android.token), **options)
    assert not result["accepted"]
    expected = "FCMNotRegisteredError" if program == "pyfcm" else "UnregisteredError"
    assert result["error"] == expected, result
    envelope = only_envelope(gateway, token=android.token)
    assert (envelope["status"], envelope["reason"]) == (404, "UNREGISTERED")


def test_firebase_admin_sends_500_at_once(gateway, android, send):
    """The most that `send_each_async` takes; all in one HTTP/2 connection."""
    results = send("firebase_admin", *[push(android.token) for _ in range(500)], **{"async": True})
    assert all(result["accepted"] for result in results)
    assert len({result["id"] for result in results}) == 500
    assert len(gateway.envelopes(token=android.token)) == 500
