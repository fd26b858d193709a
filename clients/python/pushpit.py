"""Pushpit from Python tests: point a sender at it, then ask whether the right device got the right push.

Pushpit is APNs and FCM on your own machine. This one file talks to its console; it needs Python 3.9 or
later and nothing else, so copy it beside your tests, or install the folder that it comes in.

    from pushpit import Pushpit

    with Pushpit().workspace() as workspace:
        phone = workspace.device("ios")
        my_server.push(                                # your own code, pointed at
            url=workspace.apns.url,                    # https://localhost:2197
            key_file=workspace.apns.key_file, key_id=workspace.apns.key_id,
            team_id=workspace.apns.team_id, ca=workspace.ca_file,
            token=phone.token, title="Hello")
        phone.expect({"/aps/alert/title": "Hello"})

A workspace has credentials of its own, and what is sent with them is seen by nobody else: tests may run
in parallel on one gateway. Everything that goes wrong is a `PushpitError`, but for an expectation that
is not met, which is an `AssertionError` and says what came instead.
"""

from __future__ import annotations

import atexit
import http.client
import io
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse
from collections import deque
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import (
    Any, Callable, Deque, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type,
    Union)

__version__ = "0.1.0"
__all__ = [
    "APNsCredentials", "Clock", "ConsoleError", "ConsoleUnreachable", "Device", "Envelope", "Event",
    "EventStream", "ExpectationFailed", "FCMCredentials", "Gateway", "Push", "Pushpit",
    "PushpitError", "Settings", "Workspace", "at_least", "at_most"]

DEFAULT_CONSOLE = "http://localhost:8197"

Duration = Union[str, float, timedelta]
"""A duration as the console writes it, `"90s"` or `"20m"`, or seconds, or a `timedelta`."""
Match = Mapping[str, Any]
"""Field: condition. A field is a name of an envelope or a JSON Pointer into its payload; a condition is a
value, or `{"contains": ...}`, `{"glob": ...}`, `{"startsWith": ...}`, `{"endsWith": ...}`,
`{"greaterThan": ...}`, `{"lessThan": ...}`, `{"exists": True}`, `{"oneOf": [...]}`, `{"not": ...}`."""

REACHED = ("delivered", "displayed", "suppressed", "duplicate", "tapped", "opened", "dismissed")
"""The states of a push that reached its app."""


# What goes wrong


class PushpitError(Exception):
    """Something that Pushpit, or this client, could not do."""


class ConsoleUnreachable(PushpitError):
    """No console answered."""


class ConsoleError(PushpitError):
    """The console refused a call, and says why.

    `status` and `code` tell refusals apart (`unknown-workspace`, `bad-request` ...); `errors` has a
    `pointer` into the body, or a `parameter`, and a `detail` for each value that is wrong.
    """

    def __init__(self, call: str, status: int, problem: Mapping[str, Any]):
        self.status = status
        self.problem = dict(problem)
        self.code: str = problem.get("code") or str(problem.get("type", "")).rpartition(":")[2]
        self.detail: str = problem.get("detail") or problem.get("title") or ""
        self.errors: List[Dict[str, Any]] = list(problem.get("errors") or [])
        lines = [f"{call}: {status} {self.code}: {self.detail}"]
        for error in self.errors:
            lines.append(f"  {error.get('pointer') or error.get('parameter')}: {error.get('detail')}")
        if self.code == "unauthorized":
            lines.append("  give Pushpit(token=...), or set PUSHPIT_CONSOLE_TOKEN")
        super().__init__("\n".join(lines))


class ExpectationFailed(AssertionError):
    """What was expected did not come, or too much did; the text says what came instead.

    `matches` are the envelopes (or deliveries) that did match, `near_misses` those that almost did, each
    with `envelope` and `differs`: a list of `field`, `expected` and `found`.
    """

    def __init__(
            self, text: str, matches: Sequence[Mapping[str, Any]] = (),
            near_misses: Sequence[Mapping[str, Any]] = ()):
        super().__init__(text)
        self.matches = list(matches)
        self.near_misses = list(near_misses)


# What the console answers


class Envelope(Dict[str, Any]):
    """One request of a sender as it was recorded, with its verdict: the console's JSON, and shortcuts.

        envelope["status"], envelope.reason, envelope.at("/aps/alert/title")
    """

    @property
    def id(self) -> str:
        """Its id, by which others refer to it."""
        return str(self["id"])

    @property
    def service(self) -> str:
        """`apns`, `fcm`, `iid`, `oauth` or `unknown`."""
        return str(self["service"])

    @property
    def accepted(self) -> bool:
        """Whether the vendor's answer was a success."""
        return bool(self["outcome"] == "accepted")

    @property
    def status(self) -> int:
        """The HTTP status that the sender got."""
        return int(self["status"])

    @property
    def reason(self) -> Optional[str]:
        """The vendor's reason of a refusal: `BadDeviceToken`, `UNREGISTERED` ..."""
        return _text(self.get("reason"))

    @property
    def token(self) -> Optional[str]:
        """The device or registration token that it was sent to."""
        return _text(self.get("token"))

    @property
    def payload(self) -> Any:
        """The body as JSON; None where it is none."""
        return self.get("payload")

    @property
    def diagnosis(self) -> Optional[Dict[str, Any]]:
        """Why it was refused, for people: `code`, `what` and `fix`."""
        found: Optional[Dict[str, Any]] = self.get("diagnosis")
        return found

    @property
    def warnings(self) -> List[str]:
        """The codes of what a phone or an app's SDK would stumble over in an accepted push."""
        return [str(warning["code"]) for warning in self.get("warnings", [])]

    @property
    def deliveries(self) -> List[Dict[str, Any]]:
        """What became of it on each device: `device`, `state`, `at`, `cause`, `history`."""
        return list(self.get("deliveries", []))

    def header(self, name: str) -> Optional[str]:
        """The first request header of this name, whatever its case."""
        for key, value in self.get("headers", []):
            if key.lower() == name.lower():
                return str(value)
        return None

    def at(self, pointer: str, default: Any = None) -> Any:
        """The value at a JSON Pointer of the payload.

            envelope.at("/aps/alert/title")
        """
        value = self.payload
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and key in value:
                value = value[key]
            elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            else:
                return default
        return value


class Push(Dict[str, Any]):
    """A push in a device's inbox: the console's JSON, and shortcuts."""

    @property
    def envelope(self) -> str:
        """The id of the envelope that brought it."""
        return str(self["envelope"])

    @property
    def title(self) -> Optional[str]:
        """The title of its notification."""
        return _text(self.get("title"))

    @property
    def body(self) -> Optional[str]:
        """The text of its notification."""
        return _text(self.get("body"))

    @property
    def data(self) -> Dict[str, Any]:
        """APNs: everything beside `aps`; FCM: the data map."""
        return dict(self.get("data") or {})

    @property
    def state(self) -> str:
        """What became of it: `displayed`, `suppressed`, `duplicate`, `tapped` ..."""
        return str(self["state"])


class Event(NamedTuple):
    """An event of a stream."""

    type: str
    """On a device's stream `push`, `push-changed`, `token-rotated` ...; on a workspace's `envelope` ..."""
    data: Dict[str, Any]
    """What happened."""
    id: Optional[str] = None
    """What to resume after; notices have none."""


Since = Union[None, str, datetime, Envelope]
"""A time, an envelope, or the id of one."""


def at_least(count: int) -> Dict[str, int]:
    """A count for `expect`: this many or more, as soon as they are there."""
    return {"atLeast": count}


def at_most(count: int) -> Dict[str, int]:
    """A count for `expect`: never more than this many; it is held until `within` is over."""
    return {"atMost": count}


# Credentials


class APNsCredentials(NamedTuple):
    """What a sender to APNs is configured with."""

    url: str
    """Where APNs is: `https://localhost:2197`."""
    host: str
    port: int
    key: str
    """The signing key, as the text of a .p8 file."""
    key_file: Path
    """The same as a file, until the workspace is deleted."""
    key_id: str
    team_id: str
    topic: str
    """The app's bundle ID."""


class FCMCredentials(NamedTuple):
    """What a sender to FCM is configured with."""

    url: str
    """Where FCM is: `https://localhost:2197`."""
    send_url: str
    """Where a message is POSTed to: `<url>/v1/projects/<project>/messages:send`."""
    project_id: str
    project_number: str
    package: str
    """The Android app's package name."""
    service_account: Dict[str, Any]
    """The service account, as its JSON file has it; its `token_uri` is the gateway's."""
    service_account_file: Path
    """The same as a file, until the workspace is deleted."""
    google_services: Dict[str, Any]
    """What an Android app is built with."""


class _Credentials:
    """A workspace's credentials, and the folder with their files."""

    def __init__(self, made: Mapping[str, Any], gateway: str):
        # Removed when nobody refers to it any more, and at the end of the process.
        self._folder = tempfile.TemporaryDirectory(prefix="pushpit-")
        address = urllib.parse.urlsplit(gateway)
        apns, fcm = made["apns"], made["fcm"]
        self.ca: str = made["ca"]
        self.ca_file = self._write("ca.pem", self.ca)
        self.bundle_file = self._write("ca-bundle.pem", _system_roots() + self.ca)
        self.apns = APNsCredentials(
            url=gateway, host=address.hostname or "localhost", port=address.port or 443,
            key=apns["privateKey"], key_file=self._write(apns["file"], apns["privateKey"]),
            key_id=apns["keyID"], team_id=apns["teamID"], topic=apns["topic"])
        account = fcm["serviceAccount"]
        self.fcm = FCMCredentials(
            url=gateway, send_url=f"{gateway}/v1/projects/{fcm['projectID']}/messages:send",
            project_id=fcm["projectID"], project_number=fcm["projectNumber"],
            package=fcm["package"], service_account=account,
            service_account_file=self._write(fcm["file"], json.dumps(account, indent=2)),
            google_services=fcm["googleServices"])

    def _write(self, name: str, text: str) -> Path:
        path = Path(self._folder.name) / Path(name).name
        path.write_text(text)
        return path

    def close(self) -> None:
        self._folder.cleanup()


# The console's connection


class _Console:
    """The way to the console: connections that are kept, and answers as JSON or errors."""

    def __init__(self, url: Optional[str], token: Optional[str], timeout: float):
        url = url or os.environ.get("PUSHPIT_CONSOLE") or DEFAULT_CONSOLE
        if "://" not in url:
            url = "http://" + url
        self.url = url.rstrip("/")
        self.timeout = timeout
        self._token = token or os.environ.get("PUSHPIT_CONSOLE_TOKEN")
        self._address = urllib.parse.urlsplit(url)
        if self._address.scheme not in ("http", "https") or not self._address.hostname:
            raise PushpitError(f"{url!r} is no URL of a console; one looks like {DEFAULT_CONSOLE}")
        self._lock = threading.Lock()
        self._idle: List[http.client.HTTPConnection] = []
        self._process = os.getpid()

    def call(
            self, method: str, path: str, body: Any = None, *, wait: float = 0,
            **query: Any) -> Any:
        """One call; `wait` is how much longer than usual the answer may take."""
        target = self.target(path, query)
        data = None if body is None else json.dumps(body, default=_plain).encode()
        status, fields, text = self._exchange(method, target, data, self.timeout + wait)
        return self.answer(f"{method} {target}", status, fields, text)

    def target(self, path: str, query: Mapping[str, Any]) -> str:
        """The path and query of a call; what is None is left out."""
        asked = [(name, _query_text(value)) for name, value in query.items() if value is not None]
        end = "?" + urllib.parse.urlencode(asked) if asked else ""
        prefix = self._address.path.rstrip("/")
        return prefix + (path if path.startswith("/") else "/api/v1/" + path) + end

    def headers(self, has_body: bool) -> Dict[str, str]:
        """The header fields of a call."""
        fields = {"accept": "application/json"}
        if has_body:
            fields["content-type"] = "application/json"
        if self._token:
            fields["authorization"] = f"Bearer {self._token}"
        return fields

    def answer(
            self, call: str, status: int, fields: http.client.HTTPMessage, text: bytes) -> Any:
        """What an answer says: JSON, the text of a file, None, or an error."""
        kind = (fields.get("content-type") or "").partition(";")[0].strip()
        is_json = kind == "application/json" or kind.endswith("+json")
        if not is_json and status >= 300 or kind == "text/html":
            raise PushpitError(
                f"{call}: {self.url} answered {status} with {kind or 'nothing'}, as no console does: "
                "is this Pushpit's console, and not its gateway port or another server?")
        value = json.loads(text) if is_json else text.decode() if text else None
        if status >= 300:
            raise ConsoleError(call, status, value if isinstance(value, dict) else {})
        return value

    def connect(self, timeout: Optional[float] = None) -> http.client.HTTPConnection:
        """A new connection."""
        is_secure = self._address.scheme == "https"
        kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        connection = kind(
            self._address.hostname or "", self._address.port, timeout=timeout or self.timeout)
        try:
            connection.connect()
        except OSError as error:
            raise ConsoleUnreachable(
                f"no Pushpit console at {self.url}: {error.strerror or error}. Start one with "
                "`pushpit serve`, or say where it is: Pushpit(console=...) or PUSHPIT_CONSOLE"
            ) from error
        return connection

    def close(self) -> None:
        """Closes what is kept; further calls open new connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _exchange(
            self, method: str, target: str, data: Optional[bytes], timeout: float
    ) -> Tuple[int, http.client.HTTPMessage, bytes]:
        connection = self._kept()
        is_kept = connection is not None
        connection = connection or self.connect()
        if connection.sock:
            connection.sock.settimeout(timeout)
        try:
            connection.request(method, target, data, self.headers(data is not None))
            response = connection.getresponse()
            text = response.read()
        except socket.timeout as error:
            connection.close()
            raise PushpitError(
                f"{method} {target}: no answer of {self.url} within {timeout:g} s") from error
        except (http.client.HTTPException, OSError) as error:
            connection.close()
            # What was kept may have been closed by the console; to ask once more changes nothing.
            if is_kept and method == "GET":
                self.close()
                return self._exchange(method, target, data, timeout)
            raise ConsoleUnreachable(
                f"{method} {target}: the connection to {self.url} broke before the answer "
                f"({type(error).__name__}: {error}). Is the gateway still running, and is this the "
                "port of its console?") from error
        if not response.will_close:
            with self._lock:
                self._idle.append(connection)
        return response.status, response.headers, text

    def _kept(self) -> Optional[http.client.HTTPConnection]:
        """A kept connection that is not known to be closed."""
        while True:
            with self._lock:
                if self._process != os.getpid():
                    # A forked process must not write to its parent's connections.
                    self._process, self._idle = os.getpid(), []
                if not self._idle:
                    return None
                connection = self._idle.pop()
            if not _is_closed_by_peer(connection.sock):
                return connection
            connection.close()


# Streams of events


class _Body:
    """Takes the chunks of HTTP/1.1 apart, whatever the pieces they come in."""

    def __init__(self, is_chunked: bool):
        self._is_chunked = is_chunked
        self._rest = b""
        self.is_complete = False

    def feed(self, data: bytes) -> bytes:
        if not self._is_chunked:
            return data
        self._rest += data
        content = b""
        while not self.is_complete:
            line, separator, rest = self._rest.partition(b"\r\n")
            if not separator:
                break
            size = int(line.partition(b";")[0], 16)
            if size == 0:
                self.is_complete = True
            elif len(rest) < size + 2:
                break
            content += rest[:size]
            self._rest = rest[size + 2:]
        return content


class _EventParser:
    """Reads server-sent events as the HTML standard says, whatever the pieces they come in."""

    _line_end = re.compile(rb"\r\n|\n|\r(?=[^\n])", re.DOTALL)

    def __init__(self) -> None:
        self._rest = b""
        self._type = ""
        self._data: List[str] = []
        self._id: Optional[str] = None

    def feed(self, data: bytes) -> List[Event]:
        lines = self._line_end.split(self._rest + data)
        self._rest = lines.pop()
        events = []
        for line in lines:
            event = self._line(line.decode(errors="replace"))
            if event:
                events.append(event)
        return events

    def _line(self, line: str) -> Optional[Event]:
        if not line:
            return self._end()
        name, _, value = line.partition(":")
        if value.startswith(" "):
            value = value[1:]
        # A line that begins with a colon is a comment, which keeps the connection alive.
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value
        elif name == "id" and "\0" not in value:
            self._id = value
        return None

    def _end(self) -> Optional[Event]:
        type_, data, id_ = self._type or "message", "\n".join(self._data), self._id
        has_data = bool(self._data)
        self._type, self._data, self._id = "", [], None
        if not has_data:
            return None
        try:
            value = json.loads(data)
        except ValueError:
            value = data
        return Event(type_, value if isinstance(value, dict) else {"data": value}, id_)


class EventStream(Iterator[Event]):
    """Events as they happen. A connection that breaks is opened again, and goes on where it was.

        phone = workspace.device("ios", online=None)
        with phone.stream() as stream:
            my_server.push(phone.token, "Hello")
            assert stream.wait("push").data["title"] == "Hello"

    As an iterator it ends when the console ends the stream (`lasting`, or the device is removed).
    """

    SILENCE_LIMIT = 45.0
    """Seconds after which a silent connection counts as broken; the console says something every 15."""
    REOPEN_LIMIT = 5
    """How often a broken connection is opened again without an event in between."""

    def __init__(
            self, console: _Console, path: str, what: str, resume_after: Optional[str] = None,
            **query: Any):
        self.last_id = resume_after
        """The id of the newest event, which another stream could resume after."""
        self._console = console
        self._target = console.target(path, query)
        self._what = what
        self._events: Deque[Event] = deque()
        self._is_closed = False
        self._reopened = 0
        self._open()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> Event:
        event = self._next(None)
        if event is None:
            raise StopIteration
        return event

    def wait(
            self, type: Optional[str] = None, within: Duration = "5s",
            where: Optional[Callable[[Event], bool]] = None) -> Event:
        """The next event of a type, and of which `where` is true; others before it are passed over.

        Raises ExpectationFailed when none comes `within` so long.

            stream.wait("push", where=lambda event: event.data["title"] == "Hello")
        """
        __tracebackhide__ = True
        deadline = time.monotonic() + _seconds(within)
        passed: List[Event] = []
        while True:
            try:
                event = self._next(deadline)
            except socket.timeout:
                end = f"within {_duration(within)}"
                break
            if event is None:
                end = "before the stream ended"
                break
            if (type is None or event.type == type) and (where is None or where(event)):
                return event
            passed.append(event)
        came = "".join(f"\n  {event.type} {_short(event.data, 300)}" for event in passed)
        raise ExpectationFailed(
            f"no {type or 'event'}{' that fits' if where else ''} came from {self._what} {end}; "
            + (f"what came:{came}" if passed else "nothing came"))

    def close(self) -> None:
        """Ends it; a device that was made with `online=None` is offline then."""
        self._is_closed = True
        try:
            # Closing alone would not wake a thread that waits for the next event.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def _next(self, deadline: Optional[float]) -> Optional[Event]:
        """The next event; None at the end. Raises socket.timeout at the deadline."""
        while not self._events:
            # The console's own end; but a stream whose reader was too slow goes on.
            if self._is_closed or self._body.is_complete and not self._was_slow:
                return None
            try:
                if self._body.is_complete:
                    raise _Broken()
                data = self._receive(deadline)
            except _Broken:
                self._reopen(deadline)
                continue
            for event in self._parser.feed(self._body.feed(data)):
                self._take(event)
        return self._events.popleft()

    def _take(self, event: Event) -> None:
        if event.id is not None:
            self.last_id = event.id
        code = (event.data.get("notice") or {}).get("code") if event.type == "notice" else None
        if code == "reader-too-slow":
            self._was_slow = True
        else:
            self._reopened = 0
            self._events.append(event)

    def _receive(self, deadline: Optional[float]) -> bytes:
        left = self.SILENCE_LIMIT + 1 if deadline is None else deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout()
        try:
            self._socket.settimeout(min(left, self.SILENCE_LIMIT))
            data = self._socket.recv(1 << 16)
        except socket.timeout:
            if left <= self.SILENCE_LIMIT:
                raise
            raise _Broken() from None
        except OSError:
            data = b""
        if not data and not self._is_closed:
            raise _Broken()
        return data

    def _reopen(self, deadline: Optional[float]) -> None:
        self._socket.close()
        while not self._is_closed:
            pause = 0.1 * 2 ** self._reopened if self._reopened else 0.0
            self._reopened += 1
            if deadline is not None and time.monotonic() + pause > deadline:
                raise socket.timeout()
            time.sleep(pause)
            try:
                return self._open()
            except ConsoleUnreachable:
                if self._reopened >= self.REOPEN_LIMIT:
                    raise

    def _open(self) -> None:
        connection = self._console.connect()
        assert connection.sock is not None
        self._socket: socket.socket = connection.sock
        self._parser = _EventParser()
        self._was_slow = False
        headers = dict(self._console.headers(has_body=False), accept="text/event-stream")
        if self.last_id is not None:
            headers["last-event-id"] = self.last_id
        try:
            connection.request("GET", self._target, headers=headers)
            status, fields, rest = self._head()
        except (http.client.HTTPException, OSError, ValueError) as error:
            self._socket.close()
            raise ConsoleUnreachable(
                f"GET {self._target}: the connection to {self._console.url} broke before the answer "
                f"({type(error).__name__}: {error})") from error
        self._body = _Body((fields.get("transfer-encoding") or "").lower() == "chunked")
        if status != 200:
            self._refused(status, fields, rest)
        for event in self._parser.feed(self._body.feed(rest)):
            self._take(event)

    def _head(self) -> Tuple[int, http.client.HTTPMessage, bytes]:
        """Reads the head by itself: http.client's reader cannot wait for the body with a deadline."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self._socket.recv(1 << 16)
            if not more or len(data) > 1 << 16:
                raise http.client.BadStatusLine(repr(data[:80]))
            data += more
        head, _, rest = data.partition(b"\r\n\r\n")
        line, _, lines = head.partition(b"\r\n")
        if not re.match(rb"HTTP/1\.1 \d{3} ", line):
            raise http.client.BadStatusLine(repr(line[:80]))
        fields = http.client.parse_headers(io.BytesIO(lines + b"\r\n\r\n"))
        return int(line.split(b" ")[1]), fields, rest

    def _refused(self, status: int, fields: http.client.HTTPMessage, rest: bytes) -> None:
        content, length = self._body.feed(rest), int(fields.get("content-length") or 0)
        while len(content) < length:
            more = self._socket.recv(1 << 16)
            if not more:
                break
            content += more
        self._socket.close()
        self._console.answer(f"GET {self._target}", status, fields, content)
        raise PushpitError(f"GET {self._target}: answered {status}, not 200")


class _Broken(Exception):
    """A stream's connection ended without the end of its answer."""


# Devices


class Device:
    """A simulated phone with one app; `Workspace.device` makes it.

        phone = workspace.device("ios", contract="respondo")
        phone.token                                  # what its app registers at your server
        phone.expect({"/aps/alert/title": "Hello"})  # waits for it
        phone.tap()
    """

    def __init__(self, workspace: Workspace, made: Mapping[str, Any]):
        self.workspace = workspace
        self.id = str(made["id"])
        self.name = str(made["name"])
        self.platform = str(made["platform"])
        self.app = str(made["app"])
        self._json: Dict[str, Any] = dict(made)

    def __repr__(self) -> str:
        return f"<Device {self.id} {self.name!r} {self.platform} {self.app}>"

    @property
    def token(self) -> str:
        """What its app registers: the APNs device token on iOS, else the FCM registration token.

        As of the last answer of the console; `refresh` asks again.
        """
        kind = "apns" if self.platform == "ios" else "fcm"
        token = self.tokens.get(kind)
        if token is None:
            raise PushpitError(
                f"{self.name} ({self.id}) has no {kind} token now: with tokenDelay its app waits for it; "
                "advance the workspace's clock, then refresh() the device")
        return token

    @property
    def tokens(self) -> Dict[str, Optional[str]]:
        """All its tokens by kind: `apns`, `fcm`, and `voip`, `liveactivity` ... where asked for."""
        return dict(self._json["tokens"])

    @property
    def is_online(self) -> bool:
        """Whether it was online when the console was asked last."""
        return bool(self._json["online"])

    @property
    def json(self) -> Dict[str, Any]:
        """All that the console said of it last."""
        return self._json

    def refresh(self) -> Device:
        """Asks the console how it is."""
        return self._now(self._call("GET"))

    def inbox(self) -> List[Push]:
        """What reached its app, in order."""
        return [Push(push) for push in self.refresh().json["inbox"]]

    def stream(
            self, resume_after: Optional[str] = None, lasting: Optional[Duration] = None,
            acknowledges: bool = False) -> EventStream:
        """Its own connection: it is online while that is open, and `push` events are what arrives.

        One that was taken offline stays so. Without `resume_after` nothing of the past is repeated.
        With `acknowledges` a push is delivered only by `acknowledge(event.data["event"])`.
        """
        return EventStream(
            self.workspace._console, f"devices/{self.id}/stream", f"{self.name} ({self.id})",
            resume_after, ack="manual" if acknowledges else None,
            workspace=self.workspace.id, **{"for": _duration(lasting)})

    def acknowledge(self, event: int) -> None:
        """Says that it has got its events up to this number, `event.data["event"]`."""
        self._call("POST", "/ack", {"upTo": event})

    def expect(
            self, match: Optional[Match] = None, count: Union[int, Mapping[str, int]] = at_least(1),
            within: Duration = "5s", strict: bool = False, since: Since = None) -> List[Envelope]:
        """Waits until such a push reached its app, and returns the deliveries; see Workspace.expect.

        What is stored, dropped or expired did not reach it, unless `match` says what `state` it means: one
        of those that the delivery has been in.
        """
        __tracebackhide__ = True
        wanted = {"device": self.id, "state": {"oneOf": list(REACHED)}, **(match or {})}
        return self.workspace.expect(wanted, count, within, "deliveries", strict, since)

    def expect_none(self, match: Optional[Match] = None, within: Duration = "500ms") -> None:
        """Fails when such a push reached its app, or does before `within` is over."""
        __tracebackhide__ = True
        self.expect(match, count=0, within=within)

    def online(self) -> Device:
        """Connects it: what was stored for it arrives."""
        return self.change(online=True)

    def offline(self) -> Device:
        """Cuts it off, also from its streams."""
        return self.change(online=False)

    def open_app(self, conversation: Optional[str] = None) -> Device:
        """Brings its app to the foreground, with a conversation open or none."""
        return self.change(foreground={"conversation": conversation} if conversation else True)

    def close_app(self) -> Device:
        """Sends its app to the background."""
        return self.change(foreground=False)

    def change(self, **settings: Any) -> Device:
        """Changes `permission` ("granted", "denied"), `powerSaving`, `dozing`, `topics`, `channels` ..."""
        return self._now(self._call("PATCH", body=settings))

    def tap(self, push: Union[None, str, Push, Envelope] = None) -> Device:
        """Its owner taps a notification, by default the newest on the screen."""
        return self._act("tap", envelope=_envelope_id(push))

    def dismiss(self, push: Union[None, str, Push, Envelope] = None) -> Device:
        """Its owner dismisses a notification, by default the newest on the screen."""
        return self._act("dismiss", envelope=_envelope_id(push))

    def rotate_token(self, kind: Optional[str] = None) -> str:
        """The app gets a new token, the old one is dead; returns the new one."""
        self._act("rotate-token", token=kind)
        return str(self.tokens[kind]) if kind else self.token

    def expire_token(self, kind: Optional[str] = None) -> Device:
        """Its token expires: 410 ExpiredToken, 404 UNREGISTERED."""
        return self._act("expire-token", token=kind)

    def uninstall(self) -> Device:
        """Its owner removes the app: 410 Unregistered, 404 UNREGISTERED."""
        return self._act("uninstall")

    def reinstall(self) -> Device:
        """Its owner installs the app again, which has a new token."""
        return self._act("reinstall")

    def log_out(self) -> Device:
        """The app logs out and forgets its token, which stays good."""
        return self._act("clear-token")

    def delete(self) -> None:
        """Removes it from the workspace."""
        self._call("DELETE")

    def _act(self, action: str, **body: Any) -> Device:
        given = {name: value for name, value in body.items() if value is not None}
        return self._now(self._call("POST", f"/{action}", given))

    def _call(self, method: str, action: str = "", body: Any = None) -> Any:
        return self.workspace._call(method, f"devices/{self.id}{action}", body)

    def _now(self, answer: Dict[str, Any]) -> Device:
        self._json = answer
        return self


# Workspaces


class Clock:
    """A workspace's clock: tokens and stored pushes age by it, and your server's clock never moves.

        workspace.clock.advance("61m")
    """

    def __init__(self, workspace: Workspace):
        self._workspace = workspace

    def now(self) -> datetime:
        """What it shows."""
        return self._change(None)

    def advance(self, by: Duration) -> datetime:
        """Puts it forward: `"61m"`, seconds or a timedelta."""
        return self._change({"advance": _duration(by)})

    def set(self, to: Union[str, datetime]) -> datetime:
        """Sets it to a time: `"2026-01-15T01:30:15Z"` or a datetime that has a time zone."""
        return self._change({"set": _plain(to) if isinstance(to, datetime) else to})

    def freeze(self) -> datetime:
        """Stops it."""
        return self._change({"freeze": True})

    def unfreeze(self) -> datetime:
        """Lets it go on from where it stopped."""
        return self._change({"freeze": False})

    def reset(self) -> datetime:
        """Makes it real time again."""
        return self._change({"reset": True})

    def _change(self, change: Optional[Dict[str, Any]]) -> datetime:
        answer = self._workspace._call("POST" if change else "GET", "clock", change)
        return _moment(answer["now"])


class Settings(Mapping[str, Any]):
    """A workspace's settings, read and changed at the console.

        workspace.settings["tokens"] = "strict"
        workspace.settings.change({"delivery.backgroundPerHour": 3}, wedge="off")
    """

    def __init__(self, workspace: Workspace):
        self._workspace = workspace

    def __getitem__(self, name: str) -> Any:
        return self._values()[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self.change({name: value})

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def change(self, settings: Optional[Mapping[str, Any]] = None, **more: Any) -> None:
        """Changes all of these or, when one is refused, none."""
        self._workspace._patch({"settings": {**(settings or {}), **more}})

    def describe(self) -> Dict[str, Dict[str, Any]]:
        """Each setting with `value`, `default`, what it `takes`, and the `reason` of the default."""
        answer: Dict[str, Dict[str, Any]] = self._workspace._get("/settings")
        return answer

    def _values(self) -> Dict[str, Any]:
        return dict(self._workspace._get()["settings"])


class Workspace:
    """A part of the gateway for one test: credentials, devices, envelopes, settings and a clock of its own.

    `Pushpit.workspace` makes one; as a context manager it is deleted in the end.
    """

    def __init__(self, console: _Console, id: str, made: Optional[Mapping[str, Any]] = None):
        self.id = id
        self.clock = Clock(self)
        self.settings = Settings(self)
        self._console = console
        self._made = made
        self._credentials: Optional[_Credentials] = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<Workspace {self.id} of {self._console.url}>"

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
            self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
            trace: Optional[TracebackType]) -> None:
        try:
            self.delete()
        except PushpitError:
            # What went wrong inside says more than that the gateway is gone.
            if error is None:
                raise

    # What a sender is configured with.

    @property
    def apns(self) -> APNsCredentials:
        """What a sender to APNs is configured with."""
        return self._all_credentials().apns

    @property
    def fcm(self) -> FCMCredentials:
        """What a sender to FCM is configured with."""
        return self._all_credentials().fcm

    @property
    def ca(self) -> str:
        """The certificate that the gateway's own is checked with, as PEM."""
        return self._all_credentials().ca

    @property
    def ca_file(self) -> Path:
        """The same as a file, until the workspace is deleted."""
        return self._all_credentials().ca_file

    def env(self) -> Dict[str, str]:
        """Environment variables for a sender in another process, as `pushpit env` prints them.

            subprocess.run(["my-server"], env={**os.environ, **workspace.env()})
        """
        held = self._all_credentials()
        return {
            "PUSHPIT_GATEWAY": held.apns.url, "PUSHPIT_CONSOLE": self._console.url,
            "PUSHPIT_WORKSPACE": self.id,
            # These replace the sender's trust store, so they name the system's roots and ours.
            "SSL_CERT_FILE": str(held.bundle_file), "REQUESTS_CA_BUNDLE": str(held.bundle_file),
            "CURL_CA_BUNDLE": str(held.bundle_file),
            # And this one adds to it.
            "NODE_EXTRA_CA_CERTS": str(held.ca_file),
            "APNS_KEY_FILE": str(held.apns.key_file), "APNS_KEY_ID": held.apns.key_id,
            "APNS_TEAM_ID": held.apns.team_id, "APNS_TOPIC": held.apns.topic,
            "GOOGLE_APPLICATION_CREDENTIALS": str(held.fcm.service_account_file),
            "FCM_PROJECT_ID": held.fcm.project_id,
        }

    # Devices.

    def device(
            self, platform: str = "ios", online: Optional[bool] = True, **spec: Any) -> Device:
        """Makes a phone, switched on: platform `ios`, `android` or `web`.

        With `online=None` it is online while a stream of it is open, with False not even then.
        `spec` has the console's members: `name`, `app`, `environment`, `contract`, `tokens`, `firebase`,
        `permission`, `foreground`, `tokenDelay` ...

            workspace.device("android", name="Bob", app="com.example.chat")
            workspace.device("ios", tokens={"apns": "a0" * 32}, online=False)
        """
        return Device(
            self, self._call("POST", "devices", {"platform": platform, "online": online, **spec}))

    def devices(self) -> Iterator[Device]:
        """Its devices, newest first."""
        return (Device(self, item) for item in self._list("devices"))

    # What was sent.

    def envelopes(
            self, *, service: Optional[str] = None, outcome: Optional[str] = None,
            reason: Optional[str] = None, diagnosis: Optional[str] = None,
            warning: Optional[str] = None, token: Optional[str] = None, topic: Optional[str] = None,
            project: Optional[str] = None, app: Optional[str] = None,
            device: Union[None, str, Device] = None, collapse: Optional[str] = None,
            since: Union[None, str, datetime] = None, until: Union[None, str, datetime] = None,
            words: Optional[str] = None) -> Iterator[Envelope]:
        """What was sent, accepted or not, newest first, as far as you iterate.

            for envelope in workspace.envelopes(service="apns", outcome="rejected"):
                print(envelope.status, envelope.reason, envelope.diagnosis)
        """
        found = self._list(
            "envelopes", service=service, outcome=outcome, reason=reason, diagnosis=diagnosis,
            warning=warning, token=token, topic=topic, project=project, app=app, device=device,
            collapse=collapse, since=since, until=until, q=words)
        return (Envelope(item) for item in found)

    def envelope(self, id: str) -> Envelope:
        """One envelope as it is now."""
        return Envelope(self._call("GET", f"envelopes/{_quoted(id)}"))

    def expect(
            self, match: Optional[Match] = None, count: Union[int, Mapping[str, int]] = at_least(1),
            within: Duration = "5s", of: str = "envelopes", strict: bool = False,
            since: Since = None) -> List[Envelope]:
        """Waits until as many match, and returns them; it also sees what came before it was asked.

        `count` is `at_least(1)`; a number means exactly so many, and `at_most(n)` no more: both are held
        until `within` is over (60 s at most), and fail at once when there are more. `of` is "envelopes", or
        "deliveries": then each match has `device`, `state`, `cause` and `history` beside; or "findings",
        "connections" or "providerTokens" of the report, by their own fields. `strict` fails on anything else that was
        accepted, too. `since`, a time or an envelope, leaves out what came before it.

            workspace.expect({"token": phone.token, "/aps/alert/title": {"contains": "Hello"}})
            workspace.expect({"service": "fcm", "outcome": "accepted"}, count=3, within="300ms")
        """
        __tracebackhide__ = True  # pytest: what failed is the caller's line
        body: Dict[str, Any] = {
            "match": dict(match or {}), "count": count, "within": _duration(within), "of": of,
            "strict": strict}
        if since is not None:
            body["since"] = since.id if isinstance(since, Envelope) else since
        try:
            answer = self._call("POST", "expect", body, wait=60)
        except ConsoleError as error:
            if error.status != 417:
                raise
            raise self._failure(error, body) from None
        return [_matched(item) for item in answer["matches"]]

    def expect_none(
            self, match: Optional[Match] = None, within: Duration = "500ms",
            of: str = "envelopes") -> None:
        """Fails when one matches, or does before `within` is over.

            workspace.expect_none({"token": ann.token})
            workspace.expect_none(of="findings")  # nothing that the real services would punish
        """
        __tracebackhide__ = True
        self.expect(match, count=0, within=within, of=of)

    def events(
            self, kinds: Sequence[str] = (), resume_after: Optional[str] = None,
            lasting: Optional[Duration] = None) -> EventStream:
        """What happens, as it happens: `envelope`, `delivery`, `device`, `connection`, `notice`.

            with workspace.events(["envelope"]) as events:
                events.wait("envelope").data["envelope"]["status"]
        """
        return EventStream(
            self._console, "events", f"the workspace {self.id}", resume_after, workspace=self.id,
            kind=",".join(kinds) or None, **{"for": _duration(lasting)})

    def report(self) -> Dict[str, Any]:
        """What its sender did that the real services would punish."""
        answer: Dict[str, Any] = self._call("GET", "report")
        return answer

    def connections(self) -> List[Dict[str, Any]]:
        """Who connected to the gateway and how far they came, newest first.

        They belong to no workspace: a sender that does not trust the certificate has shown no credential.
        """
        return list(self._list("connections"))

    def summary(self, limit: int = 20) -> str:
        """The newest envelopes for people: verdict, diagnosis, fix, and what became of each."""
        page = self._call("GET", "envelopes", limit=limit)
        lines = [line for item in page["items"] for line in _describe(Envelope(item))]
        more = page["total"] - len(page["items"])
        if more > 0:
            lines.append(f"and {more} before")
        return "\n".join(lines) or "nothing was sent with the credentials of this workspace"

    # Its end.

    def reset(self) -> None:
        """Makes it as it was when it was made; its credentials stay."""
        self._call("POST", "reset")

    def delete(self) -> None:
        """Removes it with all that is its own; what is gone already is fine."""
        try:
            self._console.call("DELETE", self._path())
        except ConsoleError as error:
            if error.status != 404:
                raise
        with self._lock:
            if self._credentials:
                self._credentials.close()

    # How it asks.

    def _call(self, method: str, path: str, body: Any = None, *, wait: float = 0, **query: Any) -> Any:
        return self._console.call(method, path, body, wait=wait, workspace=self.id, **query)

    def _path(self, rest: str = "") -> str:
        return f"workspaces/{_quoted(self.id)}{rest}"

    def _get(self, rest: str = "") -> Any:
        return self._console.call("GET", self._path(rest))

    def _patch(self, body: Any) -> None:
        self._console.call("PATCH", self._path(), body)

    def _list(self, path: str, **query: Any) -> Iterator[Dict[str, Any]]:
        cursor: Optional[str] = None
        while True:
            page = self._call("GET", path, cursor=cursor, limit=1000, **query)
            yield from page["items"]
            cursor = page.get("next")
            if not cursor:
                return

    def _all_credentials(self) -> _Credentials:
        with self._lock:
            if self._credentials is None:
                made = self._made or self._get()
                held = made.get("credentials") or self._downloaded(made)
                self._credentials = _Credentials(held, made["gateway"])
            return self._credentials

    def _downloaded(self, made: Mapping[str, Any]) -> Dict[str, Any]:
        """The credentials of a workspace that another made, in the form that making one answers."""
        listed = [item for item in self._get("/credentials")["items"] if item["file"]]

        def first(kind: str) -> Tuple[Dict[str, Any], Any]:
            for item in listed:
                if item["kind"] == kind:
                    return item, self._get(f"/credentials/{_quoted(item['name'])}")
            raise PushpitError(
                f"the workspace {self.id} has no credential of the kind {kind} whose file can be read; "
                "what was imported has only its public half here")

        services = first("googleServices")[1]
        app = services["client"][0]["client_info"]["android_client_info"]["package_name"]
        key, key_text = first("apnsKey")
        account, account_json = first("serviceAccount")
        return {
            "apns": {**key, "privateKey": key_text, "topic": (key["topics"] or [app])[0],
                     "file": key["name"]},
            "fcm": {"projectID": made.get("project") or account["projectID"],
                    "projectNumber": services["project_info"]["project_number"], "package": app,
                    "file": account["name"], "serviceAccount": account_json,
                    "googleServices": services},
            "ca": first("authority")[1]}

    def _failure(self, error: ConsoleError, body: Mapping[str, Any]) -> ExpectationFailed:
        matches = [_matched(match) for match in error.problem.get("matches") or []]
        near = list(error.problem.get("nearMisses") or [])
        lines = [error.detail, f"  match: {_short(body['match'], 500)}"]
        # Those that matched are of interest where there were to be fewer.
        shown = matches[:NEAR_MISS_LIMIT] if "atLeast" not in str(body["count"]) else []
        for match in shown:
            lines += ["  this matched:", *_indented(_describe(match))]
        if shown and len(matches) > len(shown):
            lines.append(f"  and {len(matches) - len(shown)} more")
        for miss in near[:NEAR_MISS_LIMIT]:
            on = f" on {miss['device']}" if miss.get("device") else ""
            lines += [f"  near miss{on}:", *_indented(self._described(miss["envelope"]))]
            for differs in miss.get("differs", []):
                lines.append(
                    f"      {differs.get('field')}: expected {_short(differs.get('expected'))}, "
                    f"found {_short(differs.get('found'))}")
        if not near and not shown:
            lines += ["  the newest of the workspace:", *_indented(self.summary(5).split("\n"))]
        return ExpectationFailed("\n".join(lines), matches, near)

    def _described(self, envelope: Any) -> List[str]:
        try:
            known = envelope if isinstance(envelope, dict) else self.envelope(envelope)
            return _describe(Envelope(known))
        except (PushpitError, KeyError):
            return [str(envelope)]


NEAR_MISS_LIMIT = 5
"""How many near misses the text of a failed expectation tells of."""


# The gateway


class Pushpit:
    """A running gateway, by its console.

        pushpit = Pushpit()                               # PUSHPIT_CONSOLE, else localhost:8197
        pushpit = Pushpit("http://pushpit:8197", token="...")

    Its methods may be called from several threads. Where senders are pointed at is `workspace.apns.url`.
    """

    def __init__(
            self, console: Optional[str] = None, token: Optional[str] = None, timeout: float = 30.0):
        self._console = _Console(console, token, timeout)

    def __repr__(self) -> str:
        return f"<Pushpit {self.console}>"

    def __enter__(self) -> Pushpit:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def console(self) -> str:
        """The console's URL."""
        return self._console.url

    @property
    def default(self) -> Workspace:
        """The workspace that always exists; its credentials are those of `pushpit env`."""
        return self.attach("default")

    def workspace(
            self, name: Optional[str] = None, settings: Optional[Mapping[str, Any]] = None,
            listener: bool = False) -> Workspace:
        """Makes a workspace; with `listener` it has a gateway port of its own.

            with pushpit.workspace(settings={"tokens": "strict"}) as workspace:
                ...
        """
        body: Dict[str, Any] = {"listener": True} if listener else {}
        if name is not None:
            body["name"] = name
        if settings:
            body["settings"] = dict(settings)
        # A key for each vendor is made, and many tests may ask at once.
        made = self._console.call("POST", "workspaces", body, wait=60)
        return Workspace(self._console, str(made["id"]), made)

    def attach(self, name: str) -> Workspace:
        """A workspace that is there already; ConsoleError where it is not."""
        made = self._console.call("GET", f"workspaces/{_quoted(name)}")
        return Workspace(self._console, str(made["id"]))

    def workspaces(self) -> List[Workspace]:
        """All that there are."""
        listed = self._console.call("GET", "workspaces")["items"]
        return [Workspace(self._console, str(item["id"])) for item in listed]

    def wait_ready(self, within: Duration = "10s") -> Pushpit:
        """Waits until every port of the gateway accepts; returns itself."""
        deadline = time.monotonic() + _seconds(within)
        while True:
            try:
                self._console.call("GET", "/readyz")
                return self
            except PushpitError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def close(self) -> None:
        """Closes the connections to the console that are kept."""
        self._console.close()


class Gateway:
    """A `pushpit serve` of your own, on free ports, with credentials that end with it.

        with Gateway() as gateway, gateway.client().workspace() as workspace:
            ...

    The binary is `binary`, else PUSHPIT_BINARY, else `pushpit` of the PATH; `options` are further flags.
    """

    START_LIMIT = 30.0
    """Seconds; a first start makes an RSA key, which a loaded machine takes its time over."""
    STOP_LIMIT = 10.0
    """Seconds; the gateway itself gives open streams 5."""

    def __init__(self, binary: Union[None, str, Path] = None, options: Sequence[str] = ()):
        found = str(binary or os.environ.get("PUSHPIT_BINARY") or shutil.which("pushpit") or "")
        if not found:
            raise PushpitError(
                "there is no `pushpit` on the PATH: install it, set PUSHPIT_BINARY to the binary, or set "
                "PUSHPIT_CONSOLE to the console of a gateway that runs already")
        self._folder = tempfile.TemporaryDirectory(prefix="pushpit-")
        self._log_file = Path(self._folder.name) / "log"
        ready_file = Path(self._folder.name) / "ready.json"
        command = [
            found, "serve", "--state", str(Path(self._folder.name) / "state"), "--port", "0",
            "--console-port", "0", "--mtalk-port", "0", "--ready-file", str(ready_file), *options]
        try:
            with open(self._log_file, "wb") as log:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        except OSError as error:
            raise PushpitError(f"cannot start {found}: {error.strerror}") from error
        atexit.register(self.stop)
        self.addresses = self._wait(ready_file)
        """What the gateway says of itself: `gateway`, `console`, `pid`, `listeners` ..."""

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def console(self) -> str:
        """The console's URL."""
        return str(self.addresses["console"])

    @property
    def log(self) -> str:
        """What it logged so far."""
        return self._log_file.read_text(errors="replace") if self._log_file.exists() else ""

    def client(self) -> Pushpit:
        """A client of it."""
        return Pushpit(self.console)

    def stop(self) -> Optional[int]:
        """Ends it in order; returns its exit code."""
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(self.STOP_LIMIT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()
        return self._process.returncode

    def _wait(self, ready_file: Path) -> Dict[str, Any]:
        deadline = time.monotonic() + self.START_LIMIT
        while not ready_file.exists():
            ended = self._process.poll() is not None
            if ended or time.monotonic() > deadline:
                log = self.log
                self.stop()
                what = f"ended with {self._process.returncode}" if ended else "did not get ready"
                raise PushpitError(f"the gateway {what}; its log:\n{log}")
            time.sleep(0.01)
        addresses: Dict[str, Any] = json.loads(ready_file.read_text())
        return addresses


# Small things


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def _query_text(value: Any) -> str:
    return str(value if isinstance(value, (str, int)) else _plain(value))


def _envelope_id(push: Union[None, str, Push, Envelope]) -> Optional[str]:
    if isinstance(push, Push):
        return push.envelope
    return push.id if isinstance(push, Envelope) else push


def _duration(value: Optional[Duration]) -> Optional[str]:
    """A duration as the console reads it; a number is seconds."""
    if value is None or isinstance(value, str):
        return value
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    return f"{round(seconds * 1000)}ms"


def _seconds(value: Duration) -> float:
    """A duration as Python reads it."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if not isinstance(value, str):
        return value
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)", value)
    if not found:
        raise PushpitError(f"{value!r} is no duration; one looks like '500ms', '5s' or 2.5 (seconds)")
    return float(found[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[found[2]]


def _plain(value: Any) -> Any:
    """What JSON does not know, as the console reads it."""
    if isinstance(value, Device):
        return value.id
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise PushpitError(f"{value!r} has no time zone; use datetime.now(timezone.utc)")
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, timedelta):
        return _duration(value)
    raise TypeError(f"{type(value).__name__} {value!r} cannot be sent to the console")


def _moment(text: str) -> datetime:
    # Python before 3.11 does not read the Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _system_roots() -> str:
    """The certificates that this machine trusts, as PEM; none where there is no such file."""
    file = ssl.get_default_verify_paths().cafile
    try:
        return Path(file).read_text() + "\n" if file else ""
    except OSError:
        return ""


def _is_closed_by_peer(connected: Optional[socket.socket]) -> bool:
    """Whether a connection on which nothing is expected has something to read: its end."""
    if connected is None:
        return True
    if isinstance(connected, ssl.SSLSocket):
        return False
    try:
        connected.setblocking(False)
        connected.recv(1, socket.MSG_PEEK)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def _short(value: Any, limit: int = 100) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= limit else text[:limit - 3] + "..."


def _indented(lines: Sequence[str]) -> List[str]:
    return ["    " + line for line in lines]


def _matched(item: Mapping[str, Any]) -> Envelope:
    """An envelope that matched; of a delivery its envelope, and its own `device`, `state` ... beside."""
    if "delivery" in item:
        return Envelope({**item["envelope"], **item["delivery"]})
    return Envelope(item)


def _describe(envelope: Envelope) -> List[str]:
    """An envelope, or what else was matched, for people: a line and some indented ones."""
    if "what" in envelope:
        return [f"{envelope['code']}: {envelope['what']}", f"  fix: {envelope.get('fix')}"]
    if "service" not in envelope:
        return [_short(envelope, 300)]
    parts = [envelope.id, envelope.service, str(envelope.status), envelope.reason or envelope["outcome"]]
    if envelope.token:
        parts.append(f"token {envelope.token[:12]}...")
    alert = envelope.at("/aps/alert") or envelope.at("/message/notification")
    if alert:
        parts.append(_short(alert))
    lines = ["  ".join(parts)]
    diagnosis = envelope.diagnosis
    if diagnosis:
        lines += [f"  {diagnosis['code']}: {diagnosis['what']}", f"  fix: {diagnosis['fix']}"]
    for warning in envelope.get("warnings", []):
        lines.append(f"  {warning['code']}: {warning['text']}")
    for delivery in envelope.deliveries:
        lines.append(f"  {delivery['state']} on {delivery['device']}: {delivery['cause']}")
    return lines

