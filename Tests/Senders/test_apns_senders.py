"""APNs senders: each sees its success and its refusal as its own library reports them."""

import pytest

from checks import assert_delivered, assert_refused, only_envelope, push
from senders import every_sender


@every_sender
def test_a_push_is_accepted_recorded_and_delivered(gateway, iphone, send, sender):
    with iphone.connect() as stream:
        sent = push(iphone.token)
        [result] = send(sender.program, sent)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, iphone, stream, sent, "apns")
    assert envelope["protocol"] == "h2" and envelope["tls"].startswith("TLSv1.")
    assert envelope["topic"] == "com.example.app"
    if result.get("id"):
        assert envelope["apnsID"] == result["id"]


@every_sender
def test_a_misrouted_token_is_a_bad_device_token(gateway, android, send, sender):
    """The record's explanation is the matter of test_misrouting.py."""
    [result] = send(sender.program, push(android.token))
    assert_refused(result, sender.refusal("BadDeviceToken"))
    envelope = only_envelope(gateway, token=android.token)
    assert (envelope["status"], envelope["reason"]) == (400, "BadDeviceToken")


@every_sender
def test_a_push_to_an_uninstalled_app_is_unregistered(gateway, iphone, send, sender):
    iphone.act("uninstall")
    [result] = send(sender.program, push(iphone.token))
    assert_refused(result, sender.refusal("Unregistered"))
    envelope = only_envelope(gateway, token=iphone.token)
    assert (envelope["status"], envelope["reason"]) == (410, "Unregistered")
    assert ("timestamp" in result) == sender.shows_timestamp
    if sender.shows_timestamp:
        # Milliseconds, an integer: Apple, "Handling notification responses".
        assert isinstance(result["timestamp"], int) and result["timestamp"] > 1_600_000_000_000


@every_sender
def test_a_refusal_does_not_keep_the_next_push_from_arriving(
        gateway, iphone, android, send, sender):
    results = send(sender.program, push(iphone.token), push(android.token), push(iphone.token))
    assert [result["accepted"] for result in results] == [True, False, True]
    assert_refused(results[1], sender.refusal("BadDeviceToken"))
    connections = [e["connection"] for e in gateway.envelopes(token=iphone.token)]
    assert len(set(connections)) == (1 if sender.keeps_connection else 2)


@pytest.mark.parametrize("lost", ["unregistered", "misrouted"])
def test_django_push_notifications_deactivates_the_row_of_a_dead_token(
        gateway, iphone, android, send, lost):
    """From the refusal on, its own table keeps the token from being pushed to."""
    token = iphone.token if lost == "unregistered" else android.token
    iphone.act("uninstall")
    refused, withheld = send("django_push_notifications", push(token), push(token))
    assert not refused["accepted"] and refused["active"] is False
    assert not withheld["accepted"] and withheld["messages"] == 0
    only_envelope(gateway, token=token)


def test_django_push_notifications_keeps_the_row_of_a_live_token(gateway, iphone, send):
    first, second = send("django_push_notifications", push(iphone.token), push(iphone.token))
    assert first["accepted"] and second["accepted"] and second["active"] is True


def test_pyapnskit_sends_to_50_tokens_at_once_on_one_connection(gateway, iphone, android, send):
    """One call, one connection, refusals among the successes, each answer with its own request."""
    pushes = [push(android.token if number % 5 == 4 else iphone.token) for number in range(50)]
    results = send("pyapnskit", *pushes, together=True)
    assert [r["accepted"] for r in results] == [p["token"] == iphone.token for p in pushes]
    accepted = gateway.envelopes(token=iphone.token)
    assert {r["id"] for r in results if r["accepted"]} == {e["apnsID"] for e in accepted}
    assert len({e["connection"] for e in accepted + gateway.envelopes(token=android.token)}) == 1


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
