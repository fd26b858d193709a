"""Mistakes with FCM's tokens and accounts, made with firebase-admin: what it reports, and the explanation."""

import json
from pathlib import Path

import pytest

from checks import only_envelope, push
from gateway import ConsoleError

every_way = pytest.mark.parametrize("options", [{}, {"async": True}], ids=["http1", "h2"])


@pytest.fixture
def account(gateway, tmp_path):
    """Makes a service account with the command that users have; returns the path of its file."""

    def make(*options: str) -> str:
        path = tmp_path / "account.json"
        answer = gateway.command(
            "credentials", "create-service-account", "--out", str(path), "--json", *options)
        assert json.loads(answer.stdout)["path"] == str(path)
        assert json.loads(path.read_text())["token_uri"] == gateway.url + "/token"
        return str(path)

    return make


def explained(gateway, code: str, **filters) -> dict:
    """The newest envelope with this diagnosis, which is explained and reached nobody."""
    found = gateway.envelopes(diagnosis=code, **filters)
    assert found, f"no envelope is diagnosed {code}"
    envelope = gateway.request("GET", f"/api/v1/envelopes/{found[-1]['id']}")
    assert len(envelope["diagnosis"]["what"].split()) > 3
    assert len(envelope["diagnosis"]["fix"].split()) > 3
    assert envelope["deliveries"] == []
    return envelope


def fails(send, sent: dict, **options) -> str:
    """The error that the library reports of a push that is refused."""
    [result] = send("firebase_admin", sent, **options)
    assert not result["accepted"], result
    return result["error"]


@every_way
def test_the_project_of_the_path_is_not_the_account_s(gateway, android, send, options):
    error = fails(send, push(android.token), project="another-project", **options)
    envelope = explained(gateway, "project-not-of-service-account")
    # Neither has an FcmError: the library takes it from the status.
    assert error == "PermissionDeniedError"
    assert (envelope["status"], envelope["reason"]) == (403, "IAM_PERMISSION_DENIED")
    assert envelope["project"] == "another-project"


@every_way
def test_the_account_has_no_role(gateway, account, android, send, options):
    path = account("--without-role")
    error = fails(send, push(android.token), service_account=path, **options)
    envelope = explained(gateway, "service-account-without-role")
    assert error == "PermissionDeniedError"
    assert envelope["credential"]["serviceAccount"] == json.loads(
        Path(path).read_text())["client_email"]


def test_an_account_with_a_role_sends(account, android, send):
    [result] = send("firebase_admin", push(android.token), service_account=account())
    assert result["accepted"], result


@every_way
def test_the_token_is_of_another_project(gateway, account, android, send, options):
    path = account("--project", "other-project")
    error = fails(send, push(android.token), service_account=path, **options)
    envelope = explained(gateway, "token-of-other-project", token=android.token)
    assert error == "SenderIdMismatchError"
    assert (envelope["status"], envelope["reason"]) == (403, "SENDER_ID_MISMATCH")
    theirs = gateway.make_device("android", project="other-project")
    [result] = send("firebase_admin", push(theirs.token), service_account=path, **options)
    assert result["accepted"], result


@every_way
def test_the_token_is_an_apns_token(gateway, iphone, send, options):
    assert fails(send, push(iphone.token), **options) == "InvalidArgumentError"
    assert explained(gateway, "apns-token-at-fcm", token=iphone.token)["status"] == 400


@every_way
def test_the_token_was_rotated(gateway, android, send, options):
    rotated = android.act("rotate-token")
    assert fails(send, push(android.token), **options) == "UnregisteredError"
    envelope = explained(gateway, "sent-to-rotated-token", token=android.token)
    assert (envelope["status"], envelope["reason"]) == (404, "UNREGISTERED")
    [result] = send("firebase_admin", push(rotated["tokens"]["fcm"]), **options)
    assert result["accepted"], result


def test_the_app_was_installed_again(gateway, android, send):
    again = android.act("reinstall")
    assert fails(send, push(android.token)) == "UnregisteredError"
    explained(gateway, "token-unregistered-since", token=android.token)
    [result] = send("firebase_admin", push(again["tokens"]["fcm"]))
    assert result["accepted"], result


def test_the_app_logged_out(gateway, android, send):
    android.act("clear-token")
    [result] = send("firebase_admin", push(android.token))
    assert result["accepted"], result
    envelope = only_envelope(gateway, token=android.token, warning="sent-after-clear")
    assert envelope["warnings"][0]["text"]


def test_nobody_registered_the_token(gateway, android, send, settings):
    gateway.request("DELETE", android.path)
    settings(tokens="strict")
    assert fails(send, push(android.token)) == "UnregisteredError"
    explained(gateway, "token-unknown", token=android.token)


def test_an_android_token_is_registered_as_an_ios_one(gateway, android, send):
    """The gateway does not take it for a device, and warns of a push that shows the mistake."""
    with pytest.raises(ConsoleError) as raised:
        gateway.make_device("ios", tokens={"apns": android.token})
    assert raised.value.status == 400
    [problem] = json.loads(raised.value.body)["errors"]
    assert problem["code"] == "android-token-registered-as-ios"
    sent = push(android.token, apns={"payload": {"aps": {"alert": "Hello"}}})
    [result] = send("firebase_admin", sent)
    assert result["accepted"], result
    envelope = only_envelope(gateway, token=android.token)
    assert [warning["code"] for warning in envelope["warnings"]] == [
        "android-token-registered-as-ios"]


@pytest.fixture
def advance(gateway):
    """Moves the workspace's clock, and puts it right in the end."""
    yield lambda duration: gateway.request("POST", "/api/v1/clock", {"advance": duration})
    gateway.request("POST", "/api/v1/clock", {"reset": True})


def test_the_app_was_uninstalled_a_while_ago(gateway, android, send, settings, advance):
    """FCM answers 200 for a while; here the workspace says how long, and its clock moves."""
    settings(uninstallDelay="20m")
    android.act("uninstall")
    [result] = send("firebase_admin", push(android.token))
    assert result["accepted"], result
    [delivery] = only_envelope(gateway, token=android.token)["deliveries"]
    assert delivery["state"] == "dropped"
    advance("20m")
    assert fails(send, push(android.token)) == "UnregisteredError"
    explained(gateway, "token-unregistered-since", token=android.token)


def test_the_device_did_not_connect_for_270_days(gateway, android, send, advance):
    advance(f"{270 * 24}h")
    assert fails(send, push(android.token)) == "UnregisteredError"
    explained(gateway, "token-expired-since", token=android.token)
