"""FCM senders: each gets its push through, and does what it does when a push has to wait or is refused."""

import pytest

from checks import assert_delivered, push

# program, its options, the HTTP version it speaks
SENDERS = [
    pytest.param("firebase_admin", {}, "http/1.1", id="firebase-admin"),
    pytest.param("firebase_admin", {"each": True}, "http/1.1", id="firebase-admin-each"),
    pytest.param("firebase_admin", {"async": True}, "h2", id="firebase-admin-async"),
    pytest.param("async_firebase", {}, "http/1.1", id="async-firebase"),
    pytest.param("async_firebase", {"http2": True}, "h2", id="async-firebase-http2"),
    pytest.param("pyfcm", {}, "http/1.1", id="pyfcm"),
    pytest.param("pyfcm", {"async": True}, "http/1.1", id="pyfcm-async"),
    pytest.param("fcm_django", {}, "http/1.1", id="fcm-django"),
    pytest.param(
        "django_push_notifications_fcm", {}, "http/1.1", id="django-push-notifications"),
    pytest.param("apprise", {}, "http/1.1", id="apprise"),
]


@pytest.fixture
def answers(gateway):
    """What FCM has answered since the test began: status and reason of each request, in order."""
    newest = gateway.request("GET", "/api/v1/envelopes", limit=1)["items"]
    start = newest[0]["sequence"] if newest else 0

    def since() -> list[tuple[int, str | None]]:
        envelopes = gateway.envelopes(service="fcm")
        return [(e["status"], e["reason"]) for e in envelopes if e["sequence"] > start]

    return since


@pytest.mark.parametrize(("program", "options", "protocol"), SENDERS)
def test_a_push_is_accepted_recorded_and_delivered(
        gateway, environment, android, send, program, options, protocol):
    with android.connect() as stream:
        sent = push(android.token)
        [result] = send(program, sent, **options)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, android, stream, sent, "fcm")
    project = environment["fcm"]["projectID"]
    assert envelope["messageName"].startswith(f"projects/{project}/messages/")
    if program != "apprise":  # it does not say
        assert result["id"] == envelope["messageName"]
    assert envelope["project"] == project
    assert envelope["protocol"] == protocol


@pytest.mark.parametrize("way", ["each", "async"])
def test_firebase_admin_sends_500_at_once(gateway, android, send, way):
    """The most that it takes: `send_each` by 500 threads, `send_each_async` in one HTTP/2 connection."""
    results = send("firebase_admin", *[push(android.token) for _ in range(500)], **{way: True})
    assert all(result["accepted"] for result in results)
    assert len({result["id"] for result in results}) == 500
    envelopes = gateway.envelopes(token=android.token)
    assert len(envelopes) == 500
    if way == "async":
        assert len({envelope["connection"] for envelope in envelopes}) == 1


@pytest.fixture
def clock(gateway):
    """The shared gateway's clock, which is real time again after the test."""
    yield
    gateway.request("POST", "/api/v1/clock", {"reset": True})


@pytest.mark.parametrize(("program", "options"), [
    # google-auth refreshes at any 401, pyfcm at one with the reason ACCESS_TOKEN_EXPIRED, for ever.
    pytest.param("firebase_admin", {}, id="firebase-admin"),
    pytest.param("firebase_admin", {"async": True}, id="firebase-admin-async"),
    pytest.param("google_auth", {"flow": "service_account"}, id="google-auth"),
    pytest.param("pyfcm", {}, id="pyfcm"),
])
def test_a_sender_gets_a_new_access_token_when_its_own_has_expired(
        android, clock, answers, send, program, options):
    results = send(program, push(android.token), push(android.token, advance="61m"), **options)
    assert all(result["accepted"] for result in results), results
    assert answers() == [
        (200, None), (401, "ACCESS_TOKEN_EXPIRED"), (200, None)]


def test_async_firebase_goes_by_its_own_clock(android, clock, answers, send):
    """It takes its access token for good until an hour of real time has passed."""
    first, second = send("async_firebase", push(android.token), push(android.token, advance="61m"))
    assert first["accepted"]
    assert second["error"] == "UnauthenticatedError", second
    assert answers() == [(200, None), (401, "ACCESS_TOKEN_EXPIRED")]


@pytest.fixture
def one_a_minute(gateway):
    """One message a minute to a device; no limit again after the test."""
    quotas = {"fcmQuotas": {"devicePerMinute": 1}}
    gateway.request("PATCH", "/api/v1/workspaces/default", {"settings": quotas})
    yield
    gateway.request("PATCH", "/api/v1/workspaces/default", {"settings": {"fcmQuotas": None}})


@pytest.mark.parametrize("program", ["firebase_admin", "pyfcm"])
def test_a_sender_waits_as_long_as_retry_after_says(
        android, one_a_minute, answers, send, program):
    """urllib3 obeys it for 429 unasked, pyfcm for any status."""
    results = send(
        program, push(android.token), push(android.token), after_pause={"fcmQuotas": None})
    assert all(result["accepted"] for result in results), results
    assert results[0]["pauses"] == []
    [pause] = results[1]["pauses"]
    assert 0 < pause <= 60
    assert answers() == [
        (200, None), (429, "QUOTA_EXCEEDED"), (200, None)]


def test_pyfcm_hands_out_the_body_of_a_refusal(gateway, iphone, android, answers, send):
    """The asynchronous call has no exceptions: an application has to look at what came."""
    gone = gateway.make_device("android")
    gone.act("uninstall")
    accepted, invalid, unregistered = send(
        "pyfcm", push(android.token), push(iphone.token), push(gone.token), **{"async": True})
    assert accepted["accepted"], accepted
    assert invalid["error"] == "INVALID_ARGUMENT"
    assert invalid["text"] == "The registration token is not a valid FCM registration token"
    assert unregistered["error"] == "NOT_FOUND"
    # All at once, so in any order.
    assert sorted(answers()) == [(200, None), (400, "INVALID_ARGUMENT"), (404, "UNREGISTERED")]


def test_apprise_says_which_status_came(gateway, iphone, android, send):
    gone = gateway.make_device("android")
    gone.act("uninstall")
    # It writes a null token beside the topic.
    topic, invalid, unregistered, legacy = send(
        "apprise", push("", topic="news-by-apprise"), push(iphone.token), push(gone.token),
        push(android.token, legacy="AAAAkey:APA91bServerKey"))
    assert topic["accepted"], topic
    [envelope] = gateway.envelopes(topic="news-by-apprise")
    assert envelope["status"] == 200
    assert "A bad request was made to the server., error=400." in invalid["text"]
    assert "The token could not be registered., error=404." in unregistered["text"]
    assert "Failed to send legacy FCM notification" in legacy["text"]
    assert legacy["text"].rstrip().endswith("error=404.")
    assert gateway.envelopes(diagnosis="legacy-endpoint")
