"""A token of one vendor at the other: the vendor's answer on the wire, the reason in the record."""

import pytest

from checks import only_envelope, push
from senders import every_sender


@every_sender
def test_an_fcm_token_at_apns_is_explained(gateway, android, send, sender):
    [result] = send(sender.program, push(android.token))
    assert not result["accepted"]
    envelope = only_envelope(gateway, diagnosis="fcm-token-at-apns", token=android.token)
    assert (envelope["status"], envelope["reason"]) == (400, "BadDeviceToken")
    assert_explained(envelope)
    assert envelope["tokenKind"] == "fcm"


@pytest.mark.parametrize("sender", ["firebase_admin", "async_firebase", "pyfcm"])
def test_an_apns_token_at_fcm_is_explained(gateway, iphone, send, sender):
    [result] = send(sender, push(iphone.token))
    assert not result["accepted"]
    envelope = only_envelope(gateway, diagnosis="apns-token-at-fcm", token=iphone.token)
    assert (envelope["status"], envelope["googleStatus"]) == (400, "INVALID_ARGUMENT")
    assert_explained(envelope)
    assert envelope["tokenKind"] == "apns"


def test_a_rotated_apns_token_is_explained(gateway, iphone, send):
    rotated = iphone.act("rotate-token")
    [result] = send("aioapns", push(iphone.token))
    assert (result["accepted"], result["error"]) == (False, "Unregistered"), result
    envelope = only_envelope(gateway, diagnosis="sent-to-rotated-token", token=iphone.token)
    assert envelope["status"] == 410
    assert_explained(envelope)
    [result] = send("aioapns", push(rotated["tokens"]["apns"]))
    assert result["accepted"], result


def assert_explained(envelope):
    assert len(envelope["diagnosis"]["what"].split()) > 3
    assert len(envelope["diagnosis"]["fix"].split()) > 3
    # The explanation is for people: it never goes out on the vendor's wire.
    assert envelope["deliveries"] == []


def test_the_list_returns_them_by_diagnosis(gateway, android, send):
    send("kalyke", push(android.token))
    listed = gateway.envelopes(diagnosis="fcm-token-at-apns")
    assert android.token in [envelope["token"] for envelope in listed]
    assert all(envelope["diagnosis"]["fix"] for envelope in listed)
