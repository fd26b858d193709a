"""Every APNs sender past its hour and past a rate: 403 and 429 as its library reports them."""

import pytest

from checks import assert_refused, push
from senders import senders_that

WORKSPACE = "/api/v1/workspaces/default"


@pytest.fixture
def clock(gateway):
    """The shared gateway's clock, which is real time again after the test."""
    yield
    gateway.request("POST", "/api/v1/clock", {"reset": True})


@pytest.fixture
def one_a_second(gateway):
    """Each device token gets one push a second."""
    gateway.request("PATCH", WORKSPACE, {"settings": {"apnsTooManyRequests": {"perSecond": 1}}})
    yield
    gateway.request("PATCH", WORKSPACE, {"settings": {"apnsTooManyRequests": None}})


@senders_that(lambda sender: not sender.signs_each_push)
def test_a_sender_that_keeps_its_token_is_refused_after_the_hour_and_recovers_with_a_new_one(
        gateway, iphone, clock, send, sender):
    """Its token lives by real time. Another process is another token on another connection."""
    results = send(
        sender.program, push(iphone.token), push(iphone.token, advance="61m"), one_by_one=True)
    assert results[0]["accepted"]
    assert_refused(results[1], sender.refusal("ExpiredProviderToken"))
    refused = gateway.envelopes(token=iphone.token, outcome="rejected")
    assert {(e["status"], e["reason"]) for e in refused} == {(403, "ExpiredProviderToken")}
    [recovered] = send(sender.program, push(iphone.token))
    assert recovered["accepted"], recovered


@senders_that(lambda sender: sender.signs_each_push)
def test_a_sender_that_signs_each_push_recovers_by_itself_after_the_hour(
        gateway, iphone, clock, send, sender):
    results = send(
        sender.program, push(iphone.token), push(iphone.token, advance="61m"),
        push(iphone.token, advance="61m"))
    assert all(result["accepted"] for result in results), results
    connections = [e["connection"] for e in gateway.envelopes(token=iphone.token)]
    assert len(set(connections)) == len(results)


@senders_that(lambda sender: not sender.waits_after_429)
def test_a_sender_past_the_rate_of_a_token_gets_429(gateway, iphone, send, one_a_second, sender):
    """The rate counts real seconds, so a machine that stalls may let one of the later ones pass."""
    results = send(sender.program, *[push(iphone.token) for _ in range(4)], one_by_one=True)
    assert results[0]["accepted"], results
    refused = [result for result in results if not result["accepted"]]
    assert refused
    for result in refused:
        assert_refused(result, sender.refusal("TooManyRequests"))
        assert result.get("active") is not False  # only a dead token costs a row
    envelopes = gateway.envelopes(token=iphone.token, outcome="rejected")
    assert {(e["status"], e["reason"]) for e in envelopes} == {(429, "TooManyRequests")}


@senders_that(lambda sender: sender.waits_after_429)
def test_a_sender_that_waits_after_a_429_gets_through(gateway, iphone, send, one_a_second, sender):
    results = send(sender.program, *[push(iphone.token) for _ in range(2)])
    assert all(result["accepted"] for result in results), results
    outcomes = [(e["status"], e["reason"]) for e in gateway.envelopes(token=iphone.token)]
    assert outcomes[0] == outcomes[-1] == (200, None)
    assert set(outcomes[1:-1]) == {(429, "TooManyRequests")}
