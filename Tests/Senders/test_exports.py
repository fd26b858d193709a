"""Recorded envelopes in the form of other tools; the curl form is run, and must send the same again."""

import json
import socket
import subprocess
import urllib.request
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from frames import Connection
from gateway import Gateway, clean_environment, provider_token, token_assertion
from hyperframe.frame import DataFrame, HeadersFrame

APNS = "api.sandbox.push.apple.com"
# What must be the same of an envelope and of the one that its export sends.
SAME = (
    "service", "method", "path", "host", "environment", "headers", "body", "payload", "token",
    "topic", "pushType", "credential", "status", "reason", "protocol", "tls")


@pytest.fixture(scope="module")
def token(environment):
    return provider_token(environment["apns"])


def newest(gateway) -> dict:
    return gateway.request("GET", "/api/v1/envelopes", workspace="*", limit=1)["items"][0]


def export(gateway, envelope: dict, form: str) -> bytes:
    url = f"http://localhost:{gateway.console_port}/api/v1/envelopes/{envelope['id']}/as/{form}"
    with urllib.request.urlopen(url) as answer:
        return answer.read()


def run_again(gateway, envelope: dict, shell: str = "sh", **variables: str) -> dict:
    """Runs the curl form in a shell; returns the envelope that came of it."""
    script = export(gateway, envelope, "curl")
    done = subprocess.run(
        [shell], input=script, capture_output=True, timeout=20, env=clean_environment() | variables)
    assert b"HTTP/" in done.stdout, (script, done.stderr)
    again = newest(gateway)
    assert again["sequence"] == envelope["sequence"] + 1, (script, done.stdout)
    return again


def assert_same(first: dict, again: dict, *but: str) -> None:
    for name in SAME:
        if name not in but:
            assert again[name] == first[name], name


def send_http2(gateway, environment, fields: list, body: bytes, clear: bool = False) -> dict:
    """One request of exactly these fields over HTTP/2; returns its envelope."""
    with Connection(gateway.port, None if clear else environment["ca"], alpn=["h2"]) as peer:
        peer.start()
        end = DataFrame(1, b"", flags=["END_STREAM"])
        pieces = [body[at:at + 16384] for at in range(0, len(body), 16384)]
        peer.send(peer.headers(1, fields), *(peer.data(1, piece, end=False) for piece in pieces), end)
        peer.next(HeadersFrame)
    return newest(gateway)


def apns_fields(device: str, token: str, topic: str, *more) -> list:
    return [
        (":method", "POST"), (":scheme", "https"), (":path", f"/3/device/{device}"),
        (":authority", APNS), ("apns-push-type", "alert"),
        ("authorization", f"bearer {token}"), ("apns-topic", topic), *more]


BODIES = {
    "an alert": b'{"aps":{"alert":"Hi"}}',
    "quotes": rb"""{"aps":{"alert":"it's \"so\" 'quoted' `id` $HOME $(id) \\ !! %s"}}""",
    "newlines": b'\n{"aps":\r\n\t{"alert":"a"}}\n\n',
    "line feeds": b'\n\n{"aps":\n\t{"alert":"a"}}\n\n',
    "no text": bytes(range(256)),
    "invalid UTF-8": b'{"aps":{"alert":"\xff\xc3"}}',
    "a file's name": b"@/etc/passwd",
    "a quote alone": b"'",
    "an option": b"--help",
    "unicode": '{"aps":{"alert":"漢字 é 👍🏽 \u202e\u2028 \u0085"}}'.encode(),
    "what stands for a secret": b'{"aps":{"alert":"(cut)"},"assertion":"(cut)"}',
    "a long text": b'{"aps":{"alert":"' + b"'x" * 40_000 + b'"}}',
    "empty": b"",
}


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_curl_sends_any_body_again(gateway, environment, iphone, token, body, shell):
    fields = apns_fields(iphone.token, token, environment["apns"]["topic"])
    first = send_http2(gateway, environment, fields, body)
    assert_same(first, run_again(gateway, first, shell, PROVIDER_TOKEN=token))
    assert b64decode(first["body"]) == body


HEADERS = {
    "those that curl adds": [
        ("accept", "*/*"), ("user-agent", "it's me"), ("content-type", "text/x; a=\"b\""),
        ("content-length", "22")],
    "another order": [("content-length", "22"), ("x-b", "1"), ("accept", "a"), ("x-a", "2")],
    "repeated and empty": [("x-a", "1"), ("x-b", ""), ("x-a", "2"), ("x-c", ";")],
    "what a shell reads": [("x-a", "`id` $(id) $PATH \\ ' '' \" ; & | > ~ * ? #")],
    "bytes beyond ASCII": [("x-a", b"caf\xe9 \xff"), ("x-b", "漢".encode()), ("x-c", b"a\tb")],
    "an identifier": [
        ("apns-id", "123E4567-E89B-12D3-A456-426655440000"), ("apns-priority", "5")],
}


@pytest.mark.parametrize("more", HEADERS.values(), ids=HEADERS.keys())
def test_curl_sends_headers_again_in_their_order(gateway, environment, iphone, token, more):
    fields = apns_fields(iphone.token, token, environment["apns"]["topic"], *more)
    first = send_http2(gateway, environment, fields, BODIES["an alert"])
    assert_same(first, run_again(gateway, first, PROVIDER_TOKEN=token))


@pytest.mark.parametrize("path", [
    "/3/device/a%2fb", "/3/device/../x/./y", "/3/device/[1-3]{a,b}", "/3/device/a?", "//x//y",
    "/3/device/'$(id)'", "/3/device/a#b", "/3/device/" + "%3A" * 9, "/3/device/abc?q=1&key=secret"])
def test_curl_sends_any_path_again(gateway, environment, token, path):
    fields = apns_fields("x", token, environment["apns"]["topic"])
    fields[2] = (":path", path)
    first = send_http2(gateway, environment, fields, b"{}")
    assert_same(first, run_again(gateway, first, PROVIDER_TOKEN=token, KEY="secret"))


@pytest.mark.parametrize("method", ["GET", "DELETE", "HEAD", "PATCH"])
def test_curl_sends_any_method_again(gateway, environment, iphone, token, method):
    fields = apns_fields(iphone.token, token, environment["apns"]["topic"])
    fields[0] = (":method", method)
    first = send_http2(gateway, environment, fields, b"")
    assert_same(first, run_again(gateway, first, PROVIDER_TOKEN=token))


def test_curl_sends_clear_text_again(gateway, environment, iphone, token):
    fields = apns_fields(iphone.token, token, environment["apns"]["topic"])
    first = send_http2(gateway, environment, fields, b"{}", clear=True)
    assert first["tls"] is None
    assert_same(first, run_again(gateway, first, PROVIDER_TOKEN=token))


REQUESTS = {
    "a length": b"Content-Length: 2\r\nX-A: 1\r\n\r\n{}",
    "chunks": b"Transfer-Encoding: chunked\r\nX-A: 1\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "no body": b"X-a: 1\r\nx-A: \r\n\r\n",
}


@pytest.mark.parametrize("rest", REQUESTS.values(), ids=REQUESTS.keys())
def test_curl_sends_http1_again(gateway, environment, rest):
    project = environment["fcm"]["projectID"]
    head = (
        f"POST /v1/projects/{project}/messages:send HTTP/1.1\r\nHost: localhost:{gateway.port}\r\n"
        "Authorization: Bearer ya29.secret\r\nUser-Agent: me\r\n")
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=10) as peer:
        peer.sendall(head.encode() + rest)
        assert peer.recv(65536).startswith(b"HTTP/1.1 ")
    first = newest(gateway)
    assert first["protocol"] == "http/1.1"
    assert_same(first, run_again(gateway, first, ACCESS_TOKEN="ya29.secret"))


def token_request(gateway, environment, assertion: str) -> dict:
    body = f"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={assertion}"
    fields = [
        (":method", "POST"), (":scheme", "https"), (":path", "/token"),
        (":authority", "oauth2.googleapis.com"), ("content-length", str(len(body))),
        ("content-type", "application/x-www-form-urlencoded")]
    return send_http2(gateway, environment, fields, body.encode())


def test_a_variable_stands_for_an_assertion(gateway, environment):
    assertion = token_assertion(
        environment["fcm"]["serviceAccount"], "https://oauth2.googleapis.com/token")
    first = token_request(gateway, environment, assertion)
    assert first["status"] == 200
    # The length, which is not that of what was kept, is counted by curl, which writes it last.
    again = run_again(gateway, first, ASSERTION=assertion)
    assert_same(first, again, "headers")
    assert sorted(first["headers"]) == sorted(again["headers"])


@pytest.mark.parametrize("form", ["curl", "simctl", "adb", "apns", "http"])
def test_no_export_has_a_secret(gateway, environment, iphone, android, token, form):
    def exported(envelope):
        try:
            return export(gateway, envelope, form).decode()
        except urllib.error.HTTPError as refused:
            assert refused.code == 409
            return refused.read().decode()

    apns = apns_fields(iphone.token, token, environment["apns"]["topic"])
    text = exported(send_http2(gateway, environment, apns, BODIES["an alert"]))
    assert token not in text and token.split(".")[2] not in text
    assert ("$PROVIDER_TOKEN" in text) == (form in ("curl", "http"))

    message = {"message": {"token": android.token, "data": {"a": "b"}}}
    path = f"/v1/projects/{environment['fcm']['projectID']}/messages:send"
    fcm = [
        (":method", "POST"), (":scheme", "https"), (":authority", "fcm.googleapis.com"),
        (":path", path + "?access_token=SECRET1&key=SECRET2"), ("x-goog-api-key", "SECRET3"),
        ("authorization", "Bearer ya29.SECRET4"), ("proxy-authorization", "Basic SECRET5")]
    text = exported(send_http2(gateway, environment, fcm, json.dumps(message).encode()))
    assert "SECRET" not in text
    assert ("$ACCESS_TOKEN" in text and "$API_KEY" in text) == (form in ("curl", "http"))

    text = exported(token_request(gateway, environment, "abc.def.SECRET6"))
    assert "SECRET" not in text
    assert ("$ASSERTION" in text) == (form in ("curl", "http"))


def test_what_is_kept_whole_is_exported_whole():
    with Gateway("--record-credentials") as gateway:
        environment = gateway.environment
        token = provider_token(environment["apns"])
        fields = apns_fields("ab" * 32, token, environment["apns"]["topic"])
        first = send_http2(gateway, environment, fields, b"{}")
        assert token in export(gateway, first, "curl").decode()
        assert_same(first, run_again(gateway, first))


def test_simctl_gets_the_payload_and_the_app(gateway, environment, iphone, token, tmp_path):
    body = BODIES["quotes"]
    fields = apns_fields(iphone.token, token, environment["apns"]["topic"])
    envelope = send_http2(gateway, environment, fields, body)
    # What the command would run, when xcrun is a program that shows what it got.
    words, stdin = run_with_fake(tmp_path, "xcrun", export(gateway, envelope, "simctl"))
    assert words == ["simctl", "push", "booted", environment["apns"]["topic"], "-"]
    assert stdin == body
    file = json.loads(export(gateway, envelope, "apns"))
    assert file == {"Simulator Target Bundle": environment["apns"]["topic"], **json.loads(body)}


def test_adb_gets_the_data_through_two_shells(gateway, environment, android, send, tmp_path):
    project = environment["fcm"]["projectID"]
    data = {"a": "it's \"so\" $HOME `id`\n!", "é": "漢", "empty": "", "-n": "--es"}
    fields = [
        (":method", "POST"), (":scheme", "https"), (":authority", "fcm.googleapis.com"),
        (":path", f"/v1/projects/{project}/messages:send"),
        ("authorization", f"Bearer {access_token(gateway, environment)}")]
    message = {"message": {
        "token": android.token, "data": data,
        "notification": {"title": "T'"}, "android": {"notification": {"channelId": "c"}}}}
    envelope = send_http2(gateway, environment, fields, json.dumps(message).encode())
    assert envelope["status"] == 200
    words, _ = run_with_fake(tmp_path, "adb", export(gateway, envelope, "adb"))
    assert words[0] == "shell" and len(words) == 2
    words, _ = run_with_fake(tmp_path, "am", words[1].encode())
    receiver = environment["fcm"]["package"] + "/com.google.firebase.iid.FirebaseInstanceIdReceiver"
    assert words[:5] == [
        "broadcast", "-a", "com.google.android.c2dm.intent.RECEIVE", "-n", receiver]
    extras = dict(zip(words[6::3], words[7::3]))
    assert extras == data | {
        "gcm.n.e": "1", "gcm.n.title": "T'", "gcm.n.android_channel_id": "c"}


def access_token(gateway, environment) -> str:
    assertion = token_assertion(
        environment["fcm"]["serviceAccount"], "https://oauth2.googleapis.com/token")
    form = f"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={assertion}"
    with urllib.request.urlopen(f"{gateway.clear_url}/token", form.encode()) as answer:
        return json.load(answer)["access_token"]


def run_with_fake(folder: Path, name: str, script: bytes) -> tuple[list[str], bytes]:
    """Runs a script with a program of this name that notes its last call; returns its words and input."""
    fake = folder / name
    fake.write_text(
        f'#!/bin/sh\nprintf "%s\\0" "$@" > "{folder}/words"\n'
        f'case "$*" in *-) cat > "{folder}/stdin";; esac\n')
    fake.chmod(0o755)
    (folder / "stdin").write_bytes(b"")
    path = f"{folder}:/usr/bin:/bin"
    subprocess.run(["sh"], input=script, env={"PATH": path}, check=True, timeout=20)
    words = (folder / "words").read_bytes().split(b"\0")[:-1]
    return [word.decode() for word in words], (folder / "stdin").read_bytes()
