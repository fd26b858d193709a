"""The client against a real gateway and real senders."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import gateway as gateways
import pytest
from firebase_admin.exceptions import FirebaseError
from firebase_admin.messaging import UnregisteredError
from pushpit import ConsoleError, ExpectationFailed, Gateway, PushpitError, at_most
from real_senders import alert, by_aioapns, by_firebase, by_httpx


def test_a_push_by_httpx_is_recorded_and_arrives(pushpit_workspace):
    phone = pushpit_workspace.device("ios", name="Ann")
    assert by_httpx(pushpit_workspace, phone.token, alert("Hello", extra=1)).status_code == 200
    [envelope] = pushpit_workspace.envelopes(token=phone.token)
    assert (envelope.service, envelope.status, envelope.accepted) == ("apns", 200, True)
    assert envelope.at("/aps/alert/title") == "Hello" and envelope.at("/aps/none", 7) == 7
    assert envelope.header("APNS-Topic") == pushpit_workspace.apns.topic
    assert envelope.token == phone.token and envelope.reason is None and envelope.diagnosis is None
    assert [(found["device"], found["state"]) for found in envelope.deliveries] == [
        (phone.id, "displayed")]
    assert pushpit_workspace.envelope(envelope.id).id == envelope.id
    [push] = phone.inbox()
    assert (push.title, push.body, push.data) == ("Hello", "Body", {"extra": 1})
    assert (push.state, push.envelope) == ("displayed", envelope.id)


def test_a_push_by_aioapns_arrives_on_the_stream_of_a_phone(pushpit_workspace, monkeypatch):
    phone = pushpit_workspace.device("ios", online=None)
    with phone.stream() as stream:
        assert by_aioapns(pushpit_workspace, monkeypatch, phone.token, alert("Hello")).is_successful
        event = stream.wait("push")
        assert event.data["title"] == "Hello" and event.id == "1"
        phone.tap()
        assert stream.wait("push-changed").data["state"] == "tapped"
    with phone.stream(resume_after="1", lasting="50ms") as stream:
        assert [event.type for event in stream] == ["push-changed"]


def test_a_push_by_firebase_admin_arrives(pushpit_workspace, monkeypatch):
    bob = pushpit_workspace.device("android")
    name = by_firebase(pushpit_workspace, monkeypatch, bob.token, "Hello")
    assert name.startswith(f"projects/{pushpit_workspace.fcm.project_id}/messages/")
    assert [push.title for push in bob.inbox()] == ["Hello"]
    assert {envelope.service for envelope in pushpit_workspace.envelopes()} == {"oauth", "fcm"}


def test_a_misrouted_token_is_explained(pushpit_workspace):
    bob = pushpit_workspace.device("android")
    answer = by_httpx(pushpit_workspace, bob.token, alert("Hello"))
    assert answer.json() == {"reason": "BadDeviceToken"}
    [envelope] = pushpit_workspace.envelopes(outcome="rejected", diagnosis="fcm-token-at-apns")
    assert envelope.reason == "BadDeviceToken" and not envelope.accepted
    summary = pushpit_workspace.summary()
    assert "400  BadDeviceToken" in summary and "fcm-token-at-apns: " in summary
    assert "fix: register the APNs token" in summary


def test_what_the_owner_of_a_phone_does(pushpit_workspace, monkeypatch):
    phone, bob = pushpit_workspace.device("ios"), pushpit_workspace.device("android")
    first = phone.token
    assert phone.rotate_token() != first and phone.token != first
    assert by_httpx(pushpit_workspace, first, alert("Old")).status_code == 410
    assert not phone.offline().is_online and phone.online().is_online
    by_httpx(pushpit_workspace, phone.token, alert("One"))
    phone.dismiss(phone.inbox()[0])
    assert [push.state for push in phone.inbox()] == ["dismissed"]
    phone.open_app("c-1")
    assert phone.json["foreground"] == {"conversation": "c-1"}
    assert phone.close_app().json["foreground"] is False
    assert phone.change(permission="denied").refresh().json["permission"] == "denied"
    bob.uninstall()
    with pytest.raises(UnregisteredError):
        by_firebase(pushpit_workspace, monkeypatch, bob.token, "Gone")
    dead = bob.token
    assert bob.reinstall().token != dead
    bob.expire_token()
    with pytest.raises(FirebaseError):
        by_firebase(pushpit_workspace, monkeypatch, bob.token, "Expired")
    assert {device.id for device in pushpit_workspace.devices()} == {phone.id, bob.id}
    bob.delete()
    assert [device.id for device in pushpit_workspace.devices()] == [phone.id]


def test_what_was_not_acknowledged_comes_again(pushpit_workspace):
    phone = pushpit_workspace.device("ios", online=None)
    with phone.stream(acknowledges=True) as stream:
        by_httpx(pushpit_workspace, phone.token, alert("One"))
        first = stream.wait("push")
    with phone.stream(acknowledges=True) as stream:
        assert stream.wait("push") == first
        phone.acknowledge(first.data["event"])
    assert phone.refresh().json["stored"] == 0


def test_the_clock_ends_the_time_of_stored_pushes(pushpit_workspace):
    clock = pushpit_workspace.clock
    frozen = clock.freeze()
    assert clock.now() == frozen and clock.advance("61m") == frozen + timedelta(minutes=61)
    assert clock.set(frozen) == frozen
    clock.unfreeze()
    assert abs(clock.reset() - frozen) < timedelta(minutes=1)
    phone = pushpit_workspace.device("ios", tokenDelay="2s")
    with pytest.raises(PushpitError, match="advance the workspace's clock"):
        phone.token
    clock.advance(timedelta(seconds=2))
    assert len(phone.refresh().token) == 64


def test_settings_are_read_changed_and_described(pushpit_workspace):
    settings = pushpit_workspace.settings
    settings["tokens"] = "strict"
    settings.change({"delivery.backgroundPerHour": 3}, wedge="off")
    assert settings["tokens"] == "strict" and settings["delivery.backgroundPerHour"] == 3
    assert "auth" in settings and len(settings) == len(list(settings))
    assert settings.describe()["wedge"]["default"] == "expired"
    with pytest.raises(ConsoleError, match="/settings/tokens"):
        settings["tokens"] = "any"
    assert by_httpx(pushpit_workspace, "ab" * 32, alert("Hello")).status_code == 400


@pytest.mark.pushpit(settings={"tokens": "strict"}, listener=True)
def test_the_marker_says_what_the_workspace_is_to_be(pushpit, pushpit_workspace):
    assert pushpit_workspace.settings["tokens"] == "strict"
    assert pushpit_workspace.apns.port != pushpit.default.apns.port
    phone = pushpit_workspace.device()
    assert by_httpx(pushpit_workspace, phone.token, alert("Hello")).status_code == 200


def test_workspaces_see_only_what_is_theirs_and_go_with_all_they_have(pushpit):
    with pushpit.workspace("one") as one, pushpit.workspace() as two:
        phones = [workspace.device() for workspace in (one, two)]
        for workspace, phone in zip((one, two), phones):
            by_httpx(workspace, phone.token, alert(workspace.id))
            assert [push.title for push in phone.inbox()] == [workspace.id]
            assert [found.at("/aps/alert/title") for found in workspace.envelopes()] == [workspace.id]
        assert {"default", "one", two.id} <= {found.id for found in pushpit.workspaces()}
        folder = one.ca_file.parent
        assert folder.exists() and folder.stat().st_mode & 0o077 == 0
        one.delete()
        assert not folder.exists()
        with pytest.raises(ConsoleError) as caught:
            one.device()
        assert caught.value.code == "unknown-workspace"


def test_a_reset_leaves_the_credentials(pushpit_workspace):
    phone = pushpit_workspace.device()
    by_httpx(pushpit_workspace, phone.token, alert("Hello"))
    pushpit_workspace.reset()
    assert list(pushpit_workspace.envelopes()) == list(pushpit_workspace.devices()) == []
    phone = pushpit_workspace.device()
    assert by_httpx(pushpit_workspace, phone.token, alert("Hello")).status_code == 200


@pytest.mark.parametrize("kind", ["default", "attached"])
def test_the_credentials_of_a_workspace_that_another_made(pushpit, pushpit_workspace, kind, monkeypatch):
    workspace = pushpit.default if kind == "default" else pushpit.attach(pushpit_workspace.id)
    if kind == "attached":
        assert workspace.fcm.service_account == pushpit_workspace.fcm.service_account
        assert workspace.apns._replace(key_file=None) == pushpit_workspace.apns._replace(key_file=None)
        assert workspace.fcm.google_services == pushpit_workspace.fcm.google_services
        assert workspace.fcm.project_number == pushpit_workspace.fcm.project_number
    phone, bob = workspace.device(), workspace.device("android")
    assert by_httpx(workspace, phone.token, alert("Hello")).status_code == 200
    by_firebase(workspace, monkeypatch, bob.token, "Hello")
    assert [push.title for push in phone.inbox() + bob.inbox()] == ["Hello", "Hello"]


def test_the_environment_is_that_of_a_sender_in_another_process(pushpit_workspace):
    program = (
        "import json, os, ssl; from pathlib import Path; ssl.create_default_context();"
        "print(json.dumps([Path(os.environ['APNS_KEY_FILE']).read_text(),"
        " json.load(open(os.environ['GOOGLE_APPLICATION_CREDENTIALS'])),"
        " Path(os.environ['SSL_CERT_FILE']).read_text().count('BEGIN CERTIFICATE') > 1]))")
    done = subprocess.run(
        [sys.executable, "-c", program], env=pushpit_workspace.env(), capture_output=True, check=True)
    key, account, has_roots = json.loads(done.stdout)
    assert key == pushpit_workspace.apns.key
    assert account == pushpit_workspace.fcm.service_account
    assert has_roots


def test_the_events_of_a_workspace(pushpit_workspace):
    with pushpit_workspace.events(["envelope"]) as events:
        by_httpx(pushpit_workspace, "ab" * 32, alert("Hello"))
        assert events.wait("envelope").data["envelope"]["token"] == "ab" * 32


def test_connections_show_who_came(pushpit_workspace):
    by_httpx(pushpit_workspace, "ab" * 32, alert("Hello"))
    assert pushpit_workspace.connections()[0]["keyID"] == pushpit_workspace.apns.key_id


def test_a_gateway_that_cannot_start_says_why(monkeypatch, tmp_path):
    with pytest.raises(PushpitError, match="cannot start /nowhere/pushpit"):
        Gateway("/nowhere/pushpit")
    with pytest.raises(PushpitError, match="(?s)the gateway ended with 64; its log:.*--nonsense"):
        Gateway(gateways.binary(), ["--nonsense"])
    monkeypatch.delenv("PUSHPIT_BINARY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PushpitError, match="set PUSHPIT_BINARY"):
        Gateway()


def test_an_expectation_sees_what_came_before_and_returns_it(pushpit_workspace):
    phone = pushpit_workspace.device()
    for title in ("One", "Two", "Two"):
        by_httpx(pushpit_workspace, phone.token, alert(title))
    [one] = pushpit_workspace.expect({"/aps/alert/title": "One"}, count=1, within="20ms")
    assert one.status == 200 and one.deliveries[0]["device"] == phone.id
    assert len(pushpit_workspace.expect({"device": phone}, count=2, within="20ms", since=one)) == 2
    pushpit_workspace.expect({"token": phone.token}, count=at_most(3), within="20ms", strict=True)
    pushpit_workspace.expect_none({"outcome": "rejected"}, within="20ms")
    phone.tap()
    [tapped] = phone.expect({"state": "tapped"})
    assert tapped["device"] == phone.id and tapped["state"] == "tapped"
    assert tapped.at("/aps/alert/title") == "Two"


def test_an_expectation_waits_for_what_comes_later(pushpit_workspace):
    phone = pushpit_workspace.device(online=False)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(phone.expect, {"/aps/alert/title": "Hello", "state": "displayed"})
        by_httpx(pushpit_workspace, phone.token, alert("Hello"))
        assert not waiting.done()
        phone.online()
        assert [match["state"] for match in waiting.result(5)] == ["displayed"]


def test_a_failed_expectation_says_what_came_near_and_why_it_was_refused(pushpit_workspace):
    bob = pushpit_workspace.device("android", name="Bob")
    by_httpx(pushpit_workspace, bob.token, alert("Hallo"))
    with pytest.raises(ExpectationFailed) as caught:
        pushpit_workspace.expect(
            {"service": "apns", "status": 200, "/aps/alert/title": "Hello"}, within="20ms")
    text = str(caught.value)
    assert "400  BadDeviceToken" in text and "fcm-token-at-apns: " in text and "fix: " in text
    assert '/aps/alert/title: expected "Hello", found "Hallo"' in text
    assert "status: expected 200, found 400" in text
    assert [miss["reason"] for miss in caught.value.near_misses] == ["BadDeviceToken"]


def test_a_phone_that_is_offline_was_not_reached(pushpit_workspace):
    phone = pushpit_workspace.device(online=False)
    by_httpx(pushpit_workspace, phone.token, alert("Hello"))
    phone.expect_none(within="20ms")
    assert phone.expect({"state": "stored"})[0]["cause"] == "the device is offline"
    with pytest.raises(ExpectationFailed, match=f"near miss on {phone.id}:(?s:.*)state: expected"):
        phone.expect(within="20ms")


def test_one_push_too_many_fails_at_once(pushpit_workspace):
    phone = pushpit_workspace.device()
    for _ in range(2):
        by_httpx(pushpit_workspace, phone.token, alert("Hello"))
    started = time.monotonic()
    with pytest.raises(ExpectationFailed, match="exactly 1 delivery (?s:.*)this matched:"):
        phone.expect(count=1, within="30s")
    assert time.monotonic() - started < 15


def test_what_the_real_services_would_punish_is_told_with_what_to_do(pushpit_workspace):
    phone = pushpit_workspace.device()
    phone.uninstall()
    pushpit_workspace.expect_none(of="findings", within="20ms")
    for title in ("One", "Two"):
        by_httpx(pushpit_workspace, phone.token, alert(title))
    with pytest.raises(ExpectationFailed) as caught:
        pushpit_workspace.expect_none(of="findings", within="20ms")
    assert "sent-to-dead-token: a token was pushed to after the vendor" in str(caught.value)
    assert "fix: delete a token on 410" in str(caught.value)
    [finding] = pushpit_workspace.expect({"code": "sent-to-dead-token"}, of="findings")
    assert finding["tokens"] == [phone.token]
    pushpit_workspace.expect({"pushes": 1}, count=2, of="connections", within="20ms")
    with pytest.raises(ExpectationFailed, match='this matched:\n    {"id": '):
        pushpit_workspace.expect_none(of="connections", within="20ms")
    report = pushpit_workspace.report()
    assert report["rejected"] == 2
    assert [item["token"] for item in report["tokens"]["prune"]["items"]] == [phone.token]
