"""Looks for secrets in all that the gateway shows and keeps. Registered by safety.py."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import urllib.parse
from pathlib import Path

from gateway import Gateway, clean_environment, provider_token, token_assertion
from tally import check

FORMS = ("curl", "simctl", "adb", "apns", "http")


class Sender:
    """Sends with every kind of credential, and remembers what of it could be used again."""

    def __init__(self, gateway: Gateway):
        self.gateway, self.environment = gateway, gateway.environment
        self.secrets: dict[str, str] = {}

    def call(self, path: str, *options: str) -> dict | None:
        done = subprocess.run(
            ["curl", "-q", "-sS", "--http2", "--max-time", "10", "--cacert", self.environment["ca"],
             self.gateway.url + path, *options], capture_output=True, env=clean_environment())
        assert done.returncode == 0, done.stderr
        try:
            return json.loads(done.stdout or b"null")
        except ValueError:
            return None

    def push_to_apple(self, device: str) -> None:
        token = provider_token(self.environment["apns"])
        self.secrets["signature of a provider token"] = token.rsplit(".", 1)[1]
        self.secrets["provider token that is none"] = "not-a-token-but-still-secret"
        for value in (token, self.secrets["provider token that is none"]):
            self.call(
                f"/3/device/{device}", "-H", f"authorization: bearer {value}", "-H",
                "apns-topic: com.example.app", "-d", '{"aps":{"alert":"Hello"}}')

    def push_to_google(self) -> None:
        fcm = self.environment["fcm"]
        assertion = token_assertion(fcm["serviceAccount"], self.gateway.url + "/token")
        self.secrets["signature of an assertion"] = assertion.rsplit(".", 1)[1]
        access = self.call(
            "/token", "-d", "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer",
            "-d", f"assertion={assertion}")["access_token"]
        self.secrets["access token"] = access
        path = f"/v1/projects/{fcm['projectID']}/messages:send"
        message = ["-H", "content-type: application/json", "-d", '{"message":{"token":"a"}}']
        self.call(path, *message, "-H", f"authorization: Bearer {access}")
        self.call(f"{path}?access_token={access}", *message)

    def send_what_others_send(self) -> None:
        made = self.gateway.request(
            "POST", "/api/v1/workspaces/default/credentials", {"kind": "authorizedUser"})["file"]
        self.secrets |= {
            "refresh token": made["refresh_token"], "client secret": made["client_secret"],
            "API key": "AIzaSyOnlyTheOwnerMayKnow", "legacy key": "AAAAlegacyServerKey:APA91bSecret",
            "password": "aHVudGVyMjpodW50ZXIy",
        }
        access = self.call(
            "/token", "-d", "grant_type=refresh_token", "-d", f"client_id={made['client_id']}",
            "-d", f"client_secret={made['client_secret']}", "--data-urlencode",
            f"refresh_token={made['refresh_token']}")["access_token"]
        self.secrets["access token of a user"] = access
        for field in (
                f"x-goog-api-key: {self.secrets['API key']}",
                f"authorization: key={self.secrets['legacy key']}",
                f"proxy-authorization: Basic {self.secrets['password']}"):
            self.call("/fcm/send", "-H", field, "-H", "content-type: application/json", "-d", "{}")
        self.call(f"/anything?key={self.secrets['API key']}")
        self.call(f"/tokeninfo?access_token={access}")
        self.call("/revoke", "--data-urlencode", f"token={made['refresh_token']}")

    def send_everything(self) -> None:
        device = self.gateway.make_device("ios")
        self.push_to_apple(device.token)
        self.push_to_google()
        self.send_what_others_send()


def get(gateway: Gateway, path: str, fields: dict | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("localhost", gateway.console_port, timeout=30)
    try:
        connection.request("GET", path, headers=fields or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def read_targets(gateway: Gateway) -> list[str]:
    """Every GET of the OpenAPI document, for each thing that there is."""
    paths = gateway.request("GET", "/api/v1/openapi.json")["paths"]
    ids = {
        "envelopeID": [e["id"] for e in gateway.envelopes(workspace="*")],
        "form": FORMS,
        "deviceID": [d["id"] for d in gateway.request("GET", "/api/v1/devices")["items"]],
        "workspaceID": ["default"],
    }
    targets = [path for path, item in paths.items() if "get" in item and "{name}" not in path]
    for name, values in ids.items():
        targets = [t.replace(f"{{{name}}}", v) for t in targets for v in (values if name in t else [""])]
    queries = {"/api/v1/devices/stream": f"device={ids['deviceID'][0]}&for=50ms"}
    return [
        t + "?" + queries.get(t, "for=50ms" if t.endswith(("/stream", "/events")) else "")
        for t in targets]


def all_that_is_read(gateway: Gateway) -> dict[str, bytes]:
    """What every read of the console answers, all events so far included."""
    read = {}
    for target in read_targets(gateway):
        status, read[target] = get(gateway, target.rstrip("?"), {"last-event-id": "0"})
        assert status in (200, 409), f"{target}: {status} {read[target]!r}"
    events = next(body for target, body in read.items() if "/api/v1/events" in target)
    assert events.count(b"event: envelope") == len(gateway.envelopes(workspace="*")) > 0, events
    return read


def all_that_is_kept(gateway: Gateway) -> dict[str, bytes]:
    """The log and, once it has stopped, what the gateway wrote beside its state folder."""
    assert gateway.stop() == 0, gateway.log_text
    return {path.name: path.read_bytes() for path in gateway.folder.iterdir() if path.is_file()}


def places_of(secrets: dict[str, str], places: dict[str, bytes]) -> list[str]:
    """Which secret is where, as it is or percent-encoded."""
    return [
        f"{name} in {place}" for name, secret in secrets.items() for place, body in places.items()
        if secret.encode() in body or urllib.parse.quote(secret, safe="").encode() in body]


@check("no read, export, event, log line or data file holds a credential that could be used")
def _():
    gateway = Gateway("--log-level", "debug")
    gateway.options += ("--data", str(gateway.folder / "data.sqlite"))
    with gateway:
        sender = Sender(gateway)
        sender.send_everything()
        places = all_that_is_read(gateway)
        assert any(b"$PROVIDER_TOKEN" in body for body in places.values())
        places |= all_that_is_kept(gateway)
        # What was sent is there, and readable.
        assert b"/3/device/" in places["data.sqlite"], "nothing in the data file"
        assert b"apns accepted" in places["log"], places["log"]
    found = places_of(sender.secrets, places)
    assert not found, found


@check("--record-credentials keeps what senders sent")
def _():
    with Gateway("--record-credentials") as gateway:
        sender = Sender(gateway)
        sender.send_everything()
        places = all_that_is_read(gateway)
    found = " ".join(places_of(sender.secrets, places))
    missing = [name for name in sender.secrets if f"{name} in /api/v1/envelopes" not in found]
    assert not missing, missing


@check("no private key of the gateway's own is ever served")
def _():
    with Gateway() as gateway:
        gateway.make_device("ios")
        Sender(gateway).push_to_apple("ab" * 32)
        keys = {path.name: path.read_bytes() for path in gateway.state.glob("*.key")}
        assert len(keys) >= 3, list(keys)
        places = all_that_is_read(gateway)
        for name in (*keys, "../ca.key", "..%2Fca.key", "%2e%2e%2fca.key", "/etc/passwd", "."):
            for quoted in (name, urllib.parse.quote(name, safe="")):
                path = f"/api/v1/workspaces/default/credentials/{quoted}"
                status, places[path] = get(gateway, path)
                assert status == 404, f"{path}: {status}"
        for listed in gateway.request("GET", "/api/v1/workspaces/default/credentials")["items"]:
            if listed["file"]:
                path = f"/api/v1/workspaces/default/credentials/{listed['name']}"
                places[path] = get(gateway, path)[1]
    for name, key in keys.items():
        lines = [line for line in key.splitlines() if re.fullmatch(rb"[A-Za-z0-9+/=]{40,}", line)]
        assert lines, name
        found = [place for place, body in places.items() if any(line in body for line in lines)]
        assert not found, f"{name} in {found}"


@check("a seed makes the same devices, and never a key")
def _():
    with Gateway("--seed", "7") as one, Gateway("--seed", "7") as other:
        assert one.make_device("ios").token == other.make_device("ios").token
        made = [g.request("POST", "/api/v1/workspaces", {"name": "w"})["credentials"] for g in (one, other)]
        for part, members in (("apns", ("keyID", "privateKey")), ("fcm", ("serviceAccount",))):
            for member in members:
                assert made[0][part][member] != made[1][part][member], member
        for path in one.state.glob("*.*"):
            if path.suffix in (".key", ".pem", ".p8"):
                same = other.state / path.name
                assert not same.exists() or same.read_bytes() != path.read_bytes(), path.name


@check("without being told to, the gateway listens on this machine alone")
def _():
    with Gateway() as gateway:
        hosts = {listener["host"] for listener in gateway.ready["listeners"]}
        assert hosts <= {"127.0.0.1", "::1"}, hosts
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing; tells this machine's own address
            except OSError:
                return  # a machine without a network
            address = probe.getsockname()[0]
        for port in (gateway.port, gateway.console_port):
            with socket.socket() as client:
                client.settimeout(5)
                assert client.connect_ex((address, port)) != 0, f"{address}:{port} answers"


@check("with a console token every call needs it, and nothing tells it")
def _():
    token = "open-sesame-0123456789"
    with Gateway("--console-token", token, "--log-level", "debug") as gateway:
        fields = {"authorization": f"Bearer {token}"}
        paths = json.loads(get(gateway, "/api/v1/openapi.json", fields)[1])["paths"]
        for path in paths:
            wanted = 200 if path in ("/livez", "/readyz") else 401
            assert get(gateway, path)[0] == wanted, path
            assert get(gateway, path + "?access_token=" + token)[0] in (400, 401), path
        for path in ("/", "/metrics", "/api/v1/gateway", "/api/v1/connections"):
            status, body = get(gateway, path, fields)
            assert status == 200 and token.encode() not in body, path
        kept = [path for path in Path(gateway.folder).rglob("*") if path.is_file()]
        assert len(kept) > 5
        found = [path.name for path in kept if token.encode() in path.read_bytes()]
        assert not found, found
