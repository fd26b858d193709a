"""APNs senders: each sees its success and its refusal as its own library reports them."""

import pytest

from checks import assert_delivered, only_envelope, push

SENDERS = ["aioapns", "kalyke", "apns2_up", "pyapns_client3"]


@pytest.mark.parametrize("sender", SENDERS)
def test_a_push_is_accepted_recorded_and_delivered(gateway, iphone, send, sender):
    with iphone.connect() as stream:
        sent = push(iphone.token)
        [result] = send(sender, sent)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, iphone, stream, sent, "apns")
    assert envelope["protocol"] == "h2" and envelope["tls"].startswith("TLSv1.")
    assert envelope["topic"] == "com.example.app"
    if result.get("id"):
        assert envelope["apnsID"] == result["id"]


def test_aioapns_sees_a_misrouted_token_as_bad_device_token(gateway, android, send):
    [result] = send("aioapns", push(android.token))
    assert not result["accepted"]
    assert (result["status"], result["error"]) == ("400", "BadDeviceToken")


def test_kalyke_raises_bad_device_token_for_a_misrouted_token(gateway, android, send):
    [result] = send("kalyke", push(android.token))
    assert not result["accepted"] and result["error"] == "BadDeviceToken", result


@pytest.mark.parametrize(
    ("sender", "error"),
    [("aioapns", "Unregistered"), ("kalyke", "Unregistered"), ("apns2_up", "Unregistered"),
     ("pyapns_client3", "UnregisteredException")])
def test_a_push_to_an_uninstalled_app_is_unregistered(gateway, iphone, send, sender, error):
    iphone.act("uninstall")
    [result] = send(sender, push(iphone.token))
    assert not result["accepted"] and result["error"] == error, result
    envelope = only_envelope(gateway, token=iphone.token)
    assert (envelope["status"], envelope["reason"]) == (410, "Unregistered")
    if "timestamp" in result:  # milliseconds, an integer: Apple, "Handling notification responses"
        assert isinstance(result["timestamp"], int) and result["timestamp"] > 1_600_000_000_000


def test_one_connection_of_apns2_up_takes_a_refusal_and_goes_on(gateway, iphone, android, send):
    results = send("apns2_up", push(iphone.token), push(android.token), push(iphone.token))
    assert [result["accepted"] for result in results] == [True, False, True]
    assert results[1]["error"] == "BadDeviceToken"
    assert len({e["connection"] for e in gateway.envelopes(token=iphone.token)}) == 1


def test_aioapns_has_1000_pushes_in_flight(gateway, iphone, send):
    """Nothing is lost, doubled or reordered between the sender's socket and the device."""
    count = 1000
    with iphone.connect() as stream:
        pushes = [push(iphone.token) for _ in range(count)]
        results = send("aioapns", *pushes)
        assert [result["status"] for result in results] == ["200"] * count
        stream.wait(
            lambda events: len([e for e in events if "envelope" in e["data"]]) >= count,
            within=30, what=f"{count} events on the device")

    envelopes = gateway.envelopes(token=iphone.token)
    sent = [result["id"] for result in results]
    recorded = [envelope["apnsID"] for envelope in envelopes]
    assert len(recorded) == count and set(recorded) == set(sent), "each apns-id exactly once"
    assert len({envelope["connection"] for envelope in envelopes}) == 1

    # On one connection a request is complete before the next one's id is used, so the order of
    # acceptance is the order of stream ids.
    by_sequence = sorted(envelopes, key=lambda envelope: envelope["sequence"])
    streams = [envelope["stream"] for envelope in by_sequence]
    assert streams == sorted(streams)
    assert len({envelope["sequence"] for envelope in envelopes}) == count

    events = [e for e in stream.events if "envelope" in e["data"]]
    assert [envelope_number(e) for e in events] == [envelope["id"] for envelope in by_sequence]
    identifiers = [int(e["id"]) for e in events]
    assert identifiers == sorted(set(identifiers))


def envelope_number(event):
    value = event["data"]["envelope"]
    return value["id"] if isinstance(value, dict) else value
