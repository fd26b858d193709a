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
    pytest.param("fcm_django", {}, False, id="fcm-django"),
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


def step(call, tokens, topic, legacy):
    return {"call": call, "tokens": tokens, "topic": topic, "legacy": legacy}


def topics_of(gateway, phone):
    return gateway.request("GET", phone.path)["topics"]


def message(**target):
    """A message to a topic or a condition."""
    sent = push("", **target)
    del sent["token"]
    return sent


def envelope_of(gateway, result, target):
    """The record of a message, which is found by its topic or its condition."""
    assert result["accepted"], result
    [found] = [e for e in gateway.envelopes(topic=target) if e["messageName"] == result["id"]]
    return gateway.request("GET", f"/api/v1/envelopes/{found['id']}")


def reached(gateway, result, target, phones):
    """The phones that have a delivery of a message, and how many have."""
    deliveries = envelope_of(gateway, result, target)["deliveries"]
    ids = [delivery["device"] for delivery in deliveries]
    wanted = set(ids)
    return [phone for phone in phones if phone.id in wanted], len(ids)


@pytest.mark.parametrize(("program", "options", "legacy"), WAYS)
def test_a_topic_reaches_exactly_those_that_are_subscribed(
        gateway, send, phones, topic, program, options, legacy):
    tokens = [phone.tokens["fcm"] for phone in phones]
    with phones[0].connect() as stream:
        made, result = send(
            program, step("subscribe", tokens[:3], topic, legacy), message(topic=topic), **options)
        assert made == {"accepted": True, "successes": 3, "errors": []}
        assert [topics_of(gateway, phone) for phone in phones] == [[topic]] * 3 + [[]]
        assert reached(gateway, result, topic, phones) == (phones[:3], 3)
        event = arrived(stream, envelope_of(gateway, result, topic))
        assert event["data"]["title"].startswith("Title ")

    again, ended, result = send(
        program, step("subscribe", tokens[:1], topic, legacy),
        step("unsubscribe", tokens[1:], topic, legacy), message(topic=topic), **options)
    # A second subscription is no failure: 409 counts as a success where there is one. Nor is the end of
    # one that is not there.
    assert again == {"accepted": True, "successes": 1, "errors": []}
    assert ended == {"accepted": True, "successes": 3, "errors": []}
    assert reached(gateway, result, topic, phones) == (phones[:1], 1)


@pytest.mark.parametrize(("program", "options", "legacy"), WAYS)
def test_a_token_that_is_no_good_is_a_failure_of_its_own(
        gateway, send, phones, topic, program, options, legacy):
    phones[1].act("uninstall")
    tokens = [phones[0].tokens["fcm"], phones[1].tokens["fcm"], "x"]
    [made] = send(program, step("subscribe", tokens, topic, legacy), **options)
    dead = "NOT_FOUND" if legacy else "UNREGISTERED"
    assert made["successes"] == 1
    assert made["errors"] == [[1, dead], [2, "INVALID_ARGUMENT"]]
    assert topics_of(gateway, phones[0]) == [topic]


def test_what_one_api_subscribes_the_other_ends(gateway, send, phones, topic):
    token = phones[0].tokens["fcm"]
    for first, second in [(True, False), (False, True)]:
        send("firebase_admin", step("subscribe", [token], topic, first))
        assert topics_of(gateway, phones[0]) == [topic]
        send("firebase_admin", step("unsubscribe", [token], topic, second))
        assert topics_of(gateway, phones[0]) == []


def test_firebase_admin_reaches_1000_phones_by_topic_and_by_condition(gateway, send, topic):
    """The most tokens that one call takes; by the FCM API in 1,000 requests, by Instance ID in one."""
    phones = [gateway.make_device("android") for _ in range(1000)]
    tokens = [phone.tokens["fcm"] for phone in phones]
    a, b, c = (f"{topic}-{letter}" for letter in "abc")
    both = f"'{a}' in topics && ('{b}' in topics || '{c}' in topics)"
    subscribed_a, subscribed_b, subscribed_c, to_a, to_both, left_a, again_to_a = send(
        "firebase_admin", step("subscribe", tokens, a, False),
        step("subscribe", tokens[:500], b, True), step("subscribe", tokens[::3], c, True),
        message(topic=a), message(condition=both),
        step("unsubscribe", tokens[:400], a, True), message(topic=a))
    assert [s["successes"] for s in (subscribed_a, subscribed_b, subscribed_c, left_a)] == [
        1000, 500, 334, 400]

    assert reached(gateway, to_a, a, phones) == (phones, 1000)
    assert reached(gateway, to_both, both, phones) == (phones[:500] + phones[501::3], 667)
    assert reached(gateway, again_to_a, a, phones) == (phones[400:], 600)
