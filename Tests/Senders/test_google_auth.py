"""google-auth: each way to an access token ends in a message that arrives."""

import json
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from checks import assert_delivered, push
from senders import run_sender


def made(gateway, kind: str) -> str:
    """The path of a credential file that the gateway makes."""
    answer = gateway.request(
        "POST", "/api/v1/workspaces/default/credentials", {"kind": kind})
    assert json.loads(Path(answer["path"]).read_text()) == answer["file"]
    return answer["path"]


def test_the_command_creates_what_the_console_makes(gateway):
    path = Path(gateway.command("credentials", "create", "authorized-user").stdout.strip())
    document = json.loads(path.read_text())
    assert (document["type"], document["token_uri"]) == ("authorized_user", gateway.url + "/token")


def metadata_variables(gateway) -> dict[str, str]:
    """What `pushpit env --metadata` says, as a shell would read it."""
    lines = gateway.command("env", "--metadata").stdout.splitlines()
    pairs = dict(line.removeprefix("export ").split("=", 1) for line in lines)
    assert "GOOGLE_APPLICATION_CREDENTIALS" not in pairs
    return {name: value for name, value in pairs.items() if name.startswith("GCE_")}


FLOWS = {
    # flow: what the gateway makes for it, and the kind of credential that the message is sent with
    "service_account": (None, "accessToken"),
    "self_signed": (None, "selfSignedToken"),
    "authorized_user": ("authorizedUser", "accessToken"),
    "metadata": (None, "accessToken"),
    "external_account": ("externalAccount", "accessToken"),
}


@pytest.mark.parametrize("flow", FLOWS)
def test_a_flow_gets_a_token_and_sends(gateway, environment, android, monkeypatch, flow):
    kind, credential = FLOWS[flow]
    options = {"flow": flow}
    if kind:
        options["file"] = made(gateway, kind)
    if flow == "metadata":
        for name, value in metadata_variables(gateway).items():
            monkeypatch.setenv(name, value)
    with android.connect() as stream:
        sent = push(android.token)
        [result] = run_sender(environment, "google_auth", [sent], options)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, android, stream, sent, "fcm")
    assert envelope["credential"]["kind"] == credential


def test_a_revoked_user_has_to_consent_again(gateway, environment, android):
    path = made(gateway, "authorizedUser")
    token = json.loads(Path(path).read_text())["refresh_token"]
    # The gateway's port answers in clear text too.
    with urllib.request.urlopen(
            gateway.clear_url + "/revoke", urllib.parse.urlencode({"token": token}).encode()) as answer:
        assert answer.read() == b"{}"
    [result] = run_sender(
        environment, "google_auth", [push(android.token)],
        {"flow": "authorized_user", "file": path})
    assert result["error"] == "RefreshError"
    assert "Token has been expired or revoked." in result["text"]


def test_only_the_subject_token_that_was_made_is_good(gateway, environment, android):
    path = Path(made(gateway, "externalAccount"))
    document = json.loads(path.read_text())
    Path(document["credential_source"]["file"]).write_text("another")
    [result] = run_sender(
        environment, "google_auth", [push(android.token)],
        {"flow": "external_account", "file": str(path)})
    assert result["error"] == "OAuthError", result
    assert "invalid_grant" in result["text"]
