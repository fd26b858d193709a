"""Questions that several sender tests ask of the gateway."""

import itertools

_numbers = itertools.count(1)


def push(token: str, **more) -> dict:
    """A push whose title and body no other push of this run has."""
    number = next(_numbers)
    return {"token": token, "title": f"Title {number}", "body": f"Body {number}, é 漢", **more}


def envelope_of(event: dict) -> str | None:
    """The number of the envelope that a device's stream event is about."""
    value = event["data"].get("envelope")
    return value.get("id") if isinstance(value, dict) else value


def arrived(stream, envelope: dict) -> dict:
    """Waits for the event by which a device receives this envelope, and returns it."""

    def found(events):
        return next((e for e in events if envelope_of(e) == envelope["id"]), None)

    return stream.wait(found, what=f"envelope {envelope['id']} on the device")


def only_envelope(gateway, **filters) -> dict:
    """The single envelope that fits; the list shows enough for most questions, the whole for all."""
    found = gateway.envelopes(**filters)
    assert len(found) == 1, found
    return gateway.request("GET", f"/api/v1/envelopes/{found[0]['id']}")


def assert_delivered(gateway, device, stream, sent: dict, service: str) -> dict:
    """The push was accepted, recorded whole, and arrived on the device, once."""
    envelope = only_envelope(gateway, token=sent["token"], outcome="accepted")
    assert envelope["service"] == service
    assert envelope["status"] == 200 and envelope["reason"] is None
    assert envelope["diagnosis"] is None
    text = str(envelope["payload"])
    assert sent["title"] in text and sent["body"] in text
    event = arrived(stream, envelope)
    assert sent["title"] in str(event["data"]) and sent["body"] in str(event["data"])
    # A second copy would come before the answer to a question asked after it.
    deliveries = gateway.request("GET", f"/api/v1/envelopes/{envelope['id']}")["deliveries"]
    assert [delivery["device"] for delivery in deliveries] == [device.id]
    assert [envelope_of(e) for e in stream.events].count(envelope["id"]) == 1
    return envelope


def assert_refused(result: dict, expected: tuple[str, str]) -> None:
    """The library reported this error, with this in its text."""
    error, text = expected
    assert not result["accepted"] and result["error"] == error, result
    assert text in result.get("text", ""), result
