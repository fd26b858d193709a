"""curl over HTTP/2, HTTP/1.1 and HTTP/2 in clear text: what is on the wire, byte for byte."""

import json
import re
import subprocess

import pytest

from checks import assert_delivered, push
from gateway import provider_token, token_assertion

UUID = r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"


class Answer:
    """What curl printed: the version and status, the headers in order (names in lower case, as
    HTTP/2 has them), the body."""

    def __init__(self, output: bytes):
        head, _, self.body = output.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        self.version, self.status = lines[0].split()[0], int(lines[0].split()[1])
        fields = [line.split(": ", 1) for line in lines[1:]]
        self.headers = [(name.lower(), value) for name, value in fields]


def curl(*arguments: str) -> Answer:
    done = subprocess.run(
        ["curl", "-q", "-sS", "-i", "--max-time", "10", *arguments], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return Answer(done.stdout)


def aps(sent: dict) -> str:
    return json.dumps({"aps": {"alert": {"title": sent["title"], "body": sent["body"]}}})


def apns_arguments(environment: dict, sent: dict, token: str | None = None) -> list[str]:
    credential = token or provider_token(environment["apns"])
    return [
        "-H", f"authorization: bearer {credential}", "-H", "apns-push-type: alert",
        "-H", f"apns-topic: {environment['apns']['topic']}", "-d", aps(sent)]


@pytest.fixture
def transports(gateway, environment):
    return {
        "h2": ["--http2", "--cacert", environment["ca"], gateway.url],
        "h2c": ["--http2-prior-knowledge", gateway.clear_url],
    }


@pytest.mark.parametrize("transport", ["h2", "h2c"])
def test_apns_accepts_with_exactly_apples_headers(
        gateway, environment, iphone, transports, transport):
    """Observed: `:status`, `apns-id`, in the sandbox `apns-unique-id`; no body."""
    *options, address = transports[transport]
    with iphone.connect() as stream:
        sent = push(iphone.token)
        answer = curl(
            *options, f"{address}/3/device/{iphone.token}", *apns_arguments(environment, sent))
        assert (answer.version, answer.status, answer.body) == ("HTTP/2", 200, b"")
        assert [name for name, _ in answer.headers] == ["apns-id", "apns-unique-id"]
        assert re.fullmatch(UUID, answer.headers[0][1])
        envelope = assert_delivered(gateway, iphone, stream, sent, "apns")
    assert envelope["apnsID"] == answer.headers[0][1]
    assert (envelope["tls"] is None) == (transport == "h2c")


@pytest.mark.parametrize("transport", ["h2", "h2c"])
def test_apns_refuses_a_bad_provider_token_with_exactly_apples_bytes(
        environment, iphone, transports, transport):
    """Observed 2026: a refusal carries `apns-id` and nothing else."""
    *options, address = transports[transport]
    answer = curl(
        *options, f"{address}/3/device/{iphone.token}",
        *apns_arguments(environment, push(iphone.token), token="not.a.token"))
    assert (answer.version, answer.status) == ("HTTP/2", 403)
    assert [name for name, _ in answer.headers] == ["apns-id"]
    assert answer.body == b'{"reason":"InvalidProviderToken"}'


def test_apns_echoes_the_apns_id_byte_for_byte(environment, iphone, transports):
    """aioapns finds the request of an answer by it, and waits for ever when its case changed."""
    *options, address = transports["h2"]
    identifier = "0f3a6d9c-9ABC-4def-8123-0123456789aB"
    answer = curl(
        *options, f"{address}/3/device/{iphone.token}", "-H", f"apns-id: {identifier}",
        *apns_arguments(environment, push(iphone.token)))
    assert dict(answer.headers)["apns-id"] == identifier


@pytest.fixture
def access_token(gateway, environment):
    account = json.loads(open(environment["fcm"]["serviceAccount"]).read())
    # This signs an access token's request as google-auth does, with Google's own audience.
    assertion = token_assertion(
        environment["fcm"]["serviceAccount"], "https://oauth2.googleapis.com/token")
    answer = curl(
        "--http1.1", "--cacert", environment["ca"], account["token_uri"],
        "-d", f"grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion={assertion}")
    assert (answer.version, answer.status) == ("HTTP/1.1", 200), answer.body
    granted = json.loads(answer.body)
    assert list(granted) == ["access_token", "expires_in", "token_type"]
    assert (granted["expires_in"], granted["token_type"]) == (3599, "Bearer")
    return granted["access_token"]


@pytest.mark.parametrize(
    ("options", "version"),
    [(["--http1.1"], "HTTP/1.1"), (["--http2"], "HTTP/2"), (["--http1.1", "--no-alpn"], "HTTP/1.1")],
    ids=["http1", "http2", "http1-without-alpn"])
def test_fcm_accepts_and_delivers(gateway, environment, android, access_token, options, version):
    project = environment["fcm"]["projectID"]
    with android.connect() as stream:
        sent = push(android.token)
        message = {
            "token": sent["token"],
            "notification": {"title": sent["title"], "body": sent["body"]}}
        answer = curl(
            *options, "--cacert", environment["ca"],
            f"{gateway.url}/v1/projects/{project}/messages:send",
            "-H", f"authorization: Bearer {access_token}", "-H", "content-type: application/json",
            "-d", json.dumps({"message": message}))
        assert (answer.version, answer.status) == (version, 200), answer.body
        envelope = assert_delivered(gateway, android, stream, sent, "fcm")
    assert answer.body == b'{\n  "name": "%s"\n}\n' % envelope["messageName"].encode()
    assert dict(answer.headers)["content-type"] == "application/json; charset=UTF-8"


def test_fcm_refuses_a_request_without_credential(gateway, environment, android):
    project = environment["fcm"]["projectID"]
    answer = curl(
        "--http1.1", "--cacert", environment["ca"],
        f"{gateway.url}/v1/projects/{project}/messages:send", "-d", "{")
    assert answer.status == 401
    assert json.loads(answer.body)["error"]["status"] == "UNAUTHENTICATED"


def test_a_recorded_provider_token_is_not_a_credential(gateway, environment, iphone, transports):
    *options, address = transports["h2"]
    token = provider_token(environment["apns"])
    curl(*options, f"{address}/3/device/{iphone.token}",
         *apns_arguments(environment, push(iphone.token), token=token))
    [envelope] = gateway.envelopes(token=iphone.token)
    whole = json.dumps(gateway.request("GET", f"/api/v1/envelopes/{envelope['id']}"))
    assert token.split(".")[2] not in whole
