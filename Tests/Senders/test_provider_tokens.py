"""What the life of provider tokens does to senders: one hour, one connection, 20 minutes."""

import pytest

from checks import push

PROGRAM = "provider_tokens"


@pytest.fixture
def clock(gateway):
    """The shared gateway's clock, which is real time again after the test."""
    yield
    gateway.request("POST", "/api/v1/clock", {"reset": True})


@pytest.mark.parametrize("library", ["aioapns", "apns2_up"])
def test_a_sender_that_keeps_its_token_is_refused_after_the_hour(
        gateway, iphone, clock, send, library):
    """Both sign again after 30 and 45 minutes of real time, so they do not notice the clock."""
    results = send(
        PROGRAM, push(iphone.token), push(iphone.token, advance="61m"), push(iphone.token),
        library=library)
    assert [result["accepted"] for result in results] == [True, False, False]
    assert {result["error"] for result in results[1:]} == {"ExpiredProviderToken"}
    refused = gateway.envelopes(token=iphone.token, outcome="rejected")
    assert [envelope["status"] for envelope in refused] == [403, 403]
    assert [envelope["diagnosis"]["code"] for envelope in refused] == [
        "provider-token-expired", "connection-wedged"]


def test_a_new_client_of_aioapns_signs_again_and_recovers(iphone, clock, send):
    results = send(
        PROGRAM, push(iphone.token), push(iphone.token, advance="61m"),
        push(iphone.token, client=2), push(iphone.token), library="aioapns")
    assert [result["status"] for result in results] == ["200", "403", "200", "403"]


def test_kalyke_signs_for_each_connection_and_recovers(gateway, iphone, clock, send):
    results = send(
        PROGRAM, push(iphone.token), push(iphone.token, advance="61m"), push(iphone.token),
        library="kalyke")
    assert all(result["accepted"] for result in results), results
    assert len({e["connection"] for e in gateway.envelopes(token=iphone.token)}) == 3


def test_kalyke_is_told_that_it_signs_too_often(gateway, iphone, clock, send):
    results = send(PROGRAM, *[push(iphone.token) for _ in range(6)], library="kalyke")
    assert all(result["accepted"] for result in results), results
    keys = gateway.request("GET", "/api/v1/connections")["keys"]
    diagnosis = next(key["diagnosis"] for key in keys if key["diagnosis"])
    assert diagnosis["code"] == "provider-tokens-minted-too-often"
    assert " tokens minted in " in diagnosis["what"]


def test_a_sender_that_signs_for_each_push_on_one_connection_gets_429(gateway, iphone, send):
    results = send(
        PROGRAM, *[push(iphone.token) for _ in range(3)], library="apns2_up", tokenLifetime=0)
    assert [result["accepted"] for result in results] == [True, False, False]
    assert {result["error"] for result in results[1:]} == {"TooManyProviderTokenUpdates"}
    envelopes = gateway.envelopes(token=iphone.token)
    assert [envelope["status"] for envelope in envelopes] == [200, 429, 429]
    assert len({envelope["connection"] for envelope in envelopes}) == 1
