"""A gateway for checks: starts the release binary on free ports, speaks to its console, stops it.

Used by other scripts, Tests/Safety, Tests/Contract and Tests/Senders. Standard library only.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START_LIMIT = 20.0  # seconds; a first start makes an RSA key, which a loaded machine takes its time over
STOP_LIMIT = 10.0  # seconds; the gateway itself gives open streams 5


def binary() -> Path:
    """The binary under test: PUSHPIT_BINARY, else the release build of this checkout."""
    path = Path(os.environ.get("PUSHPIT_BINARY", ROOT / ".build/release/pushpit"))
    if not path.exists():
        raise SystemExit(f"Error: there is no binary at {path}; run scripts/run or set PUSHPIT_BINARY")
    return path.absolute()


def clean_environment() -> dict[str, str]:
    """The environment without what would redirect the gateway or its senders."""
    redirecting = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PUSHPIT_")
        and not name.lower().endswith("_proxy")
        and name not in redirecting
    }


def wait_for(condition, within: float, what: str, interval: float = 0.01):
    """Asks `condition` until it answers something true; fails after `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {within:g} s in vain: {what}")
        time.sleep(interval)


class ConsoleError(Exception):
    """An answer of the console that is not a success."""

    def __init__(self, method: str, path: str, status: int, body: bytes):
        super().__init__(f"{method} {path}: {status} {body[:2000].decode(errors='replace')}")
        self.status = status
        self.body = body


class Gateway:
    """One running gateway with a state folder of its own."""

    def __init__(self, *options: str, state: Path | None = None, prefix: tuple[str, ...] = ()):
        self.folder = Path(tempfile.mkdtemp(prefix="pushpit-"))
        self.state = state or self.folder / "state"
        self.log = self.folder / "log"
        self.ready_file = self.folder / "ready.json"
        self.options = options
        self.prefix = prefix
        self.process: subprocess.Popen | None = None
        self.ready: dict = {}
        self.start_time = 0.0  # seconds from the start of the process to the ready file

    def __enter__(self) -> "Gateway":
        return self.start()

    def __exit__(self, *_) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> "Gateway":
        command = [
            *self.prefix, str(binary()), "serve", "--state", str(self.state), "--port", "0",
            "--console-port", "0", "--mtalk-port", "0", "--ready-file", str(self.ready_file),
            *self.options,
        ]
        self.ready_file.unlink(missing_ok=True)
        started = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=clean_environment())

        def is_ready():
            if self.process.poll() is not None:
                raise AssertionError(
                    f"the gateway ended with {self.process.returncode}:\n{self.log.read_text()}")
            return self.ready_file.exists()

        wait_for(is_ready, START_LIMIT, f"the gateway's ready file; its log:\n{self.log_text}", 0.001)
        self.start_time = time.monotonic() - started
        self.ready = json.loads(self.ready_file.read_text())
        return self

    @property
    def log_text(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def stop(self) -> int | None:
        """Ends the gateway as a service manager does; returns its exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            os.kill(self.pid, signal.SIGTERM)
            try:
                self.process.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    @property
    def pid(self) -> int:
        return self.ready.get("pid") or self.process.pid

    @property
    def url(self) -> str:
        """Where senders connect over TLS."""
        return self.ready["gateway"]

    @property
    def clear_url(self) -> str:
        return self.ready["gatewayClear"]

    @property
    def console(self) -> str:
        return self.ready["console"]

    @property
    def port(self) -> int:
        return urllib.parse.urlsplit(self.url).port

    @property
    def console_port(self) -> int:
        return urllib.parse.urlsplit(self.console).port

    @property
    def environment(self) -> dict:
        """What `pushpit env --json` prints: addresses, certificates, credentials."""
        text = self.command("env", "--json", "--state", str(self.state)).stdout
        return json.loads(text)

    def command(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess:
        """Runs a command of the binary against this gateway."""
        environment = clean_environment() | {"PUSHPIT_CONSOLE": self.console}
        return subprocess.run(
            [str(binary()), *arguments], env=environment, check=check, capture_output=True,
            text=True, timeout=30)

    # The console API.

    def request(self, method: str, path: str, body=None, headers=None, **query):
        """One call of the console; returns the decoded JSON, None when the answer has no body."""
        if query:
            path += "?" + urllib.parse.urlencode(query)
        connection = http.client.HTTPConnection("localhost", self.console_port, timeout=30)
        try:
            fields = dict(headers or {})
            data = None
            if body is not None:
                data = json.dumps(body).encode()
                fields.setdefault("content-type", "application/json")
            connection.request(method, path, data, fields)
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        if response.status >= 400:
            raise ConsoleError(method, path, response.status, text)
        return json.loads(text) if text else None

    def envelopes(self, **filters) -> list[dict]:
        """The envelopes that fit the filters, oldest first, whole lists of them."""
        found, cursor = [], None
        while True:
            query = dict(filters, limit=1000) | ({"cursor": cursor} if cursor else {})
            page = self.request("GET", "/api/v1/envelopes", **query)
            found += page["items"]
            cursor = page.get("next")
            if not cursor:
                return found[::-1]

    def make_device(self, platform: str, **fields) -> "Device":
        made = self.request("POST", "/api/v1/devices", {"platform": platform, **fields})
        return Device(self, made)


class Device:
    """A simulated phone of the gateway."""

    def __init__(self, gateway: Gateway, made: dict):
        self.gateway = gateway
        self.id = made["id"]
        self.platform = made["platform"]
        self.tokens = made["tokens"]

    @property
    def token(self) -> str:
        """The token that the app of this phone hands to its provider."""
        return self.tokens["apns" if self.platform == "ios" else "fcm"]

    @property
    def path(self) -> str:
        return f"/api/v1/devices/{self.id}"

    def act(self, action: str, body=None):
        return self.gateway.request("POST", f"{self.path}/{action}", body or {})

    def connect(self) -> "EventStream":
        """Brings the phone online: opens its stream."""
        return EventStream(self.gateway, f"{self.path}/stream")


class EventStream:
    """A server-sent event stream, read by a thread of its own."""

    def __init__(self, gateway: Gateway, path: str):
        self.events: list[dict] = []
        self.changed = threading.Condition()
        self.connection = http.client.HTTPConnection("localhost", gateway.console_port)
        self.connection.request("GET", path, headers={"accept": "text/event-stream"})
        self.socket = self.connection.sock  # the connection forgets it when the answer ends by closing
        self.response = self.connection.getresponse()
        if self.response.status != 200:
            raise ConsoleError("GET", path, self.response.status, self.response.read())
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def __enter__(self) -> "EventStream":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        try:
            self.socket.shutdown(2)  # wakes the reading thread; closing alone leaves it in recv
        except OSError:
            pass
        self.thread.join(5)
        self.connection.close()

    def read(self) -> None:
        event: dict = {}
        try:
            for raw in self.response:
                line = raw.decode().rstrip("\r\n")
                if line:
                    name, _, value = line.partition(":")
                    value = value.removeprefix(" ")
                    if name == "data" and "data" in event:
                        value = event["data"] + "\n" + value
                    if name:  # a line that begins with a colon is a comment that keeps the way open
                        event[name] = value
                elif "data" in event:
                    event["data"] = json.loads(event["data"])
                    with self.changed:
                        self.events.append(event)
                        self.changed.notify_all()
                    event = {}
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass  # the connection was closed under the reader

    def wait(self, condition, within: float = 10.0, what: str = "an event"):
        """The first true answer of `condition` to the list of events so far."""
        deadline = time.monotonic() + within
        with self.changed:
            while True:
                answer = condition(self.events)
                if answer:
                    return answer
                left = deadline - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"waited {within:g} s in vain for {what}; came: {self.events}")
                self.changed.wait(left)


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def provider_token(apns: dict, key_file: str | None = None, issued_at: float | None = None) -> str:
    """An APNs provider token, signed as Apple's own command-line recipe does, by openssl."""
    header = {"alg": "ES256", "kid": apns["keyID"]}
    claims = {"iss": apns["teamID"], "iat": int(issued_at or time.time())}
    signed = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
    return signed + "." + base64url(_sign(signed, key_file or apns["keyFile"]))


def token_assertion(service_account_file: str, audience: str) -> str:
    """The JSON web token that a service account exchanges for an access token."""
    account = json.loads(Path(service_account_file).read_text())
    now = int(time.time())
    header = {"alg": "RS256", "typ": "JWT", "kid": account["private_key_id"]}
    claims = {
        "iss": account["client_email"],
        "scope": "https://www.googleapis.com/auth/firebase.messaging",
        "aud": audience, "iat": now, "exp": now + 3600,
    }
    signed = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as key:
        key.write(account["private_key"])
        key.flush()
        return signed + "." + base64url(_sign(signed, key.name))


def _sign(text: str, key_file: str) -> bytes:
    return subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", key_file], input=text.encode(),
        capture_output=True, check=True).stdout
