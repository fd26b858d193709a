"""What is asked of `POST /expect`, and what a failed expectation says."""

import pytest
from fake_console import DEVICE, WORKSPACE, answer, problem
from pushpit import ConsoleError, ExpectationFailed, Push, at_least, at_most

ENVELOPE = {
    "id": "e7", "service": "apns", "outcome": "rejected", "status": 400, "reason": "BadDeviceToken",
    "token": "cAfEbAbE0123456789", "payload": {"aps": {"alert": {"title": "Hallo"}}},
    "diagnosis": {"code": "fcm-token-at-apns", "what": "it is an FCM token", "fix": "use the other"},
    "warnings": [{"code": "lint-key-misspelt", "text": "aps knows no sonud"}],
    "deliveries": [{"device": "d1", "state": "stored", "cause": "the device is offline"}]}
DIFFERS = [{"field": "/aps/alert/title", "expected": "Hello", "found": "Hallo"}]


def failure(**more) -> bytes:
    return problem(417, "not-met", "Expected at least 1 envelope, and there was none.", **more)


@pytest.fixture
def phone(console, workspace):
    console.answers.append(answer(DEVICE, 201))
    made = workspace.device()
    console.requests.clear()
    return made


def test_what_is_asked(console, workspace, phone):
    console.answers += [answer({"matches": [ENVELOPE]}), answer({"matches": []})]
    [match] = workspace.expect({"device": phone, "/aps/alert/title": {"contains": "Hel"}})
    assert match.reason == "BadDeviceToken"
    workspace.expect(count=at_most(2), within=0.3, of="deliveries", strict=True, since="e3")
    assert [request["body"] for request in console.requests] == [
        {"match": {"device": "d1", "/aps/alert/title": {"contains": "Hel"}},
         "count": {"atLeast": 1}, "within": "5s", "of": "envelopes", "strict": False},
        {"match": {}, "count": {"atMost": 2}, "within": "300ms", "of": "deliveries",
         "strict": True, "since": "e3"}]
    assert console.requests[0]["target"] == "/api/v1/expect?workspace=ws-1"


def test_a_phone_asks_for_what_reached_its_app_unless_a_state_is_named(console, phone):
    console.answers += [answer({"matches": []})] * 3
    phone.expect({"service": "apns"}, count=at_least(2))
    phone.expect({"state": "stored"})
    phone.expect_none()
    first, second, third = [request["body"] for request in console.requests]
    assert first["match"]["device"] == "d1" and first["match"]["service"] == "apns"
    assert "displayed" in first["match"]["state"]["oneOf"]
    assert "stored" not in first["match"]["state"]["oneOf"]
    assert first["of"] == "deliveries" and first["count"] == {"atLeast": 2}
    assert second["match"] == {"device": "d1", "state": "stored"}
    assert third["count"] == 0 and third["within"] == "500ms"


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_failure_tells_of_near_misses(console, workspace, is_whole):
    misses = [{"envelope": ENVELOPE if is_whole else "e7", "differs": DIFFERS}]
    console.answers += [failure(matches=[], nearMisses=misses), answer(ENVELOPE)]
    with pytest.raises(ExpectationFailed) as caught:
        workspace.expect({"/aps/alert/title": "Hello"})
    assert str(caught.value).split("\n") == [
        "Expected at least 1 envelope, and there was none.",
        '  match: {"/aps/alert/title": "Hello"}',
        "  near miss:",
        '    e7  apns  400  BadDeviceToken  token cAfEbAbE0123...  {"title": "Hallo"}',
        "      fcm-token-at-apns: it is an FCM token",
        "      fix: use the other",
        "      lint-key-misspelt: aps knows no sonud",
        "      stored on d1: the device is offline",
        '      /aps/alert/title: expected "Hello", found "Hallo"']
    assert isinstance(caught.value, AssertionError)
    assert caught.value.near_misses == misses and caught.value.matches == []


def test_a_near_miss_that_is_forgotten_meanwhile_is_named(console, workspace):
    misses = [{"envelope": "e7", "differs": DIFFERS}]
    console.answers += [failure(nearMisses=misses), problem(404, "not-found", "It is forgotten.")]
    with pytest.raises(ExpectationFailed, match='(?m)^    e7$'):
        workspace.expect({"/aps/alert/title": "Hello"})


def test_a_failure_for_too_many_tells_which_they_are(console, workspace):
    console.answers.append(failure(matches=[ENVELOPE] * 7, nearMisses=[]))
    with pytest.raises(ExpectationFailed) as caught:
        workspace.expect(count=1)
    assert str(caught.value).count("this matched:") == 5
    assert "and 2 more" in str(caught.value) and len(caught.value.matches) == 7


def test_a_failure_without_near_misses_tells_what_was_sent(console, workspace):
    console.answers += [
        failure(matches=[], nearMisses=[]), answer({"items": [ENVELOPE], "total": 3})]
    with pytest.raises(ExpectationFailed) as caught:
        workspace.expect({"topic": "other"})
    assert "the newest of the workspace:\n    e7  apns" in str(caught.value)
    assert str(caught.value).endswith("and 2 before")


def test_an_expectation_that_is_not_valid_is_an_error_and_no_failure(console, workspace):
    console.answers.append(problem(400, "bad-request", "Unknown field.", errors=[]))
    with pytest.raises(ConsoleError):
        workspace.expect({"tokem": "x"})


def test_a_push_of_the_inbox_names_its_envelope(console, phone):
    console.answers.append(answer(DEVICE))
    phone.dismiss(Push({"envelope": "e9"}))
    assert console.requests[0]["body"] == {"envelope": "e9"}
