"""Every APNs sender that knows client certificates, with one and without a provider token."""

import pytest

from checks import assert_delivered, assert_refused, only_envelope, push
from senders import senders_that


@pytest.fixture(scope="module")
def certificate(gateway, environment):
    """A client certificate for all pushes of the app, with its key."""
    path = gateway.folder / "sender.p12"
    app = environment["apns"]["topic"]
    gateway.command(
        "credentials", "create-certificate", "--app", app, "--out", str(path))
    return str(path.with_suffix(".pem"))


@pytest.fixture
def phone(gateway):
    return gateway.make_device("ios", tokens={"voip": True})


def token_for(sender, device) -> str:
    """kalyke sends with a certificate VoIP pushes only."""
    return device.tokens["voip" if sender.program == "kalyke" else "apns"]


@senders_that(lambda sender: sender.takes_certificate)
def test_a_push_is_accepted_and_delivered(gateway, phone, send, certificate, sender):
    with phone.connect() as stream:
        sent = push(token_for(sender, phone))
        [result] = send(sender.program, sent, certificate=certificate)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, phone, stream, sent, "apns")
    assert envelope["credential"]["kind"] == "certificate"
    subject = "UID=com.example.app, CN=Apple Push Services: com.example.app"
    assert envelope["credential"]["subject"].startswith(subject)


@senders_that(lambda sender: sender.takes_certificate)
def test_refusals_are_as_with_a_provider_token(gateway, phone, android, send, certificate, sender):
    token = token_for(sender, phone)
    phone.act("uninstall")
    results = send(sender.program, push(android.token), push(token), certificate=certificate)
    assert_refused(results[0], sender.refusal("BadDeviceToken"))
    assert_refused(results[1], sender.refusal("Unregistered"))
    assert only_envelope(gateway, token=token)["status"] == 410
