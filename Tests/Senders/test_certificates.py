"""Senders with client certificates: what is accepted, and how a bad certificate looks to them."""

import subprocess

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import pkcs12

from checks import only_envelope, push

APP = "com.example.app"


@pytest.fixture(scope="session")
def universal(certificate):
    return certificate()


def test_aioapns_has_1000_streams_at_once(gateway, iphone, send, universal):
    """The limit is known from the first SETTINGS on, so nothing waits for a first answer."""
    results = send(
        "aioapns", *[push(iphone.token) for _ in range(200)], certificate=f"{universal}.pem")
    assert all(result["accepted"] for result in results)
    envelopes = gateway.envelopes(token=iphone.token)
    assert len({envelope["connection"] for envelope in envelopes}) == 1
    connection = next(
        c for c in gateway.request("GET", "/api/v1/connections")["items"]
        if c["id"] == envelopes[0]["connection"])
    assert connection["certificate"]["subject"].startswith(f"UID={APP}")


@pytest.mark.parametrize(
    ("sender", "error"),
    [("aioapns", "TopicDisallowed"), ("pyapns_client3", "TopicDisallowedException")])
def test_a_topic_of_another_app_is_disallowed(gateway, iphone, send, certificate, sender, error):
    other = certificate(app="com.example.other")
    token = iphone.token
    if sender == "aioapns":
        # It takes the certificate's own topic: the token is of another one.
        error = "DeviceTokenNotForTopic"
    [result] = send(sender, push(token), certificate=f"{other}.pem")
    assert not result["accepted"] and result["error"] == error, result
    assert only_envelope(gateway, token=token)["status"] == 400


@pytest.mark.parametrize(
    ("sender", "error"),
    [("aioapns", "MaxAttemptsExceeded"), ("pyapns_client3", "APNSConnectionException")])
def test_a_certificate_of_the_other_environment_ends_the_connection(
        gateway, iphone, send, certificate, sender, error):
    production = certificate("--environment", "production")
    [result] = send(sender, push(iphone.token), certificate=f"{production}.pem")
    assert not result["accepted"] and result["error"] == error, result
    envelopes = gateway.envelopes(token=iphone.token)
    assert envelopes, "the request is recorded although it gets no answer"
    for envelope in envelopes:
        assert envelope["reason"] == "BadCertificateEnvironment"
        assert envelope["diagnosis"]["code"] == "certificate-of-other-environment"
    ended = {envelope["connection"] for envelope in envelopes}
    ledger = [
        c for c in gateway.request("GET", "/api/v1/connections")["items"] if c["id"] in ended]
    assert {c["diagnosis"]["code"] for c in ledger} == {"certificate-of-other-environment"}
    assert {c["goAways"] for c in ledger} == {1}


def test_pythons_cryptography_reads_the_p12_and_apples_extensions(universal):
    with open(f"{universal}.p12", "rb") as file:
        key, certificate, others = pkcs12.load_key_and_certificates(file.read(), b"pushpit")
    assert key.key_size == 2048 and others == []
    assert key.public_key() == certificate.public_key()
    extensions = {
        extension.oid.dotted_string: extension for extension in certificate.extensions}
    for number in (1, 2):
        extension = extensions[f"1.2.840.113635.100.6.3.{number}"]
        assert extension.value.value == b"\x05\x00" and not extension.critical
    assert not extensions["1.2.840.113635.100.6.3.6"].critical
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [x509.oid.ExtendedKeyUsageOID.CLIENT_AUTH]


def test_curl_reads_the_p12_and_omits_the_topic(gateway, environment, certificate, iphone):
    """An answer, and the one that is seen with certificates of several topics."""
    made = certificate("--password", "geheim")
    done = subprocess.run(
        ["curl", "-q", "-sS", "--max-time", "10", "--http2", "--cacert", environment["ca"],
         "--cert-type", "P12", "--cert", f"{made}.p12:geheim", "-d", "{}",
         f"{gateway.url}/3/device/{iphone.token}"], capture_output=True)
    assert (done.returncode, done.stdout) == (0, b'{"reason":"MissingTopic"}'), done.stderr


def test_the_credentials_are_listed(gateway, universal):
    listed = gateway.command("credentials", "list", "--state", str(gateway.state)).stdout
    assert f"apns  certificate {APP}  sandbox and production, topics {APP}, {APP}.voip" in listed
