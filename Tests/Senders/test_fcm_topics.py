"""Topics by real libraries: subscribe, send, unsubscribe, by the FCM API and by the Instance ID API."""

import itertools

import pytest

from checks import arrived, push

# program, its options, whether by the older API
WAYS = [
    pytest.param("firebase_admin", {}, False, id="firebase-admin"),
    pytest.param("firebase_admin", {"async": True}, False, id="firebase-admin-async"),
    pytest.param("firebase_admin", {}, True, id="firebase-admin-legacy"),
    pytest.param("async_firebase", {}, False, id="async-firebase"),
    pytest.param("async_firebase", {"http2": True}, False, id="async-firebase-http2"),
    pytest.param("async_firebase", {}, True, id="async-firebase-legacy"),
]

_numbers = itertools.count(1)


@pytest.fixture
def topic():
    """A topic that no other test has."""
    return f"topic-{next(_numbers)}"


@pytest.fixture
def phones(gateway):
    """Four phones of several platforms; three will be subscribed."""
    return [
        gateway.make_device("android"), gateway.make_device("web"),
        gateway.make_device("ios", firebase=True), gateway.make_device("android")]


def manage(send, program, options, *steps):
    return send(program, *steps, **options)


def step(call, tokens, topic, legacy):
    return {"call": call, "tokens": tokens, "topic": topic, "legacy": legacy}


def topics_of(gateway, phone):
    return gateway.request("GET", phone.path)["topics"]


def send_to(gateway, send, program, options, topic, phones):
    """Sends to a topic; the envelope, the phones that have a delivery of it, and how many have."""
    sent = push("", topic=topic)
    del sent["token"]
    [result] = send(program, sent, **options)
    assert result["accepted"], result
    [found] = [e for e in gateway.envelopes(topic=topic) if e["messageName"] == result["id"]]
    envelope = gateway.request("GET", f"/api/v1/envelopes/{found['id']}")
    reached = [delivery["device"] for delivery in envelope["deliveries"]]
    return envelope, [phone for phone in phones if phone.id in reached], len(reached)


@pytest.mark.parametrize(("program", "options", "legacy"), WAYS)
def test_a_topic_reaches_exactly_those_that_are_subscribed(
        gateway, send, phones, topic, program, options, legacy):
    tokens = [phone.tokens["fcm"] for phone in phones]
    [made] = manage(send, program, options, step("subscribe", tokens[:3], topic, legacy))
    assert made == {"accepted": True, "successes": 3, "errors": []}
    assert [topics_of(gateway, phone) for phone in phones] == [[topic]] * 3 + [[]]
    with phones[0].connect() as stream:
        envelope, reached, count = send_to(gateway, send, program, options, topic, phones)
        assert arrived(stream, envelope)["data"]["title"].startswith("Title ")
    assert (reached, count) == (phones[:3], 3)

    again, ended = manage(
        send, program, options, step("subscribe", tokens[:1], topic, legacy),
        step("unsubscribe", tokens[1:], topic, legacy))
    # A second subscription is no failure: 409 counts as a success where there is one. Nor is the end of
    # one that is not there.
    assert again == {"accepted": True, "successes": 1, "errors": []}
    assert ended == {"accepted": True, "successes": 3, "errors": []}
    _, reached, count = send_to(gateway, send, program, options, topic, phones)
    assert (reached, count) == (phones[:1], 1)


@pytest.mark.parametrize(("program", "options", "legacy"), WAYS)
def test_a_token_that_is_no_good_is_a_failure_of_its_own(
        gateway, send, phones, topic, program, options, legacy):
    phones[1].act("uninstall")
    tokens = [phones[0].tokens["fcm"], phones[1].tokens["fcm"], "x"]
    [made] = manage(send, program, options, step("subscribe", tokens, topic, legacy))
    dead = "NOT_FOUND" if legacy else "UNREGISTERED"
    assert made["successes"] == 1
    assert made["errors"] == [[1, dead], [2, "INVALID_ARGUMENT"]]
    assert topics_of(gateway, phones[0]) == [topic]


def test_what_one_api_subscribes_the_other_ends(gateway, send, phones, topic):
    token = phones[0].tokens["fcm"]
    for first, second in [(True, False), (False, True)]:
        manage(send, "firebase_admin", {}, step("subscribe", [token], topic, first))
        assert topics_of(gateway, phones[0]) == [topic]
        manage(send, "firebase_admin", {}, step("unsubscribe", [token], topic, second))
        assert topics_of(gateway, phones[0]) == []
