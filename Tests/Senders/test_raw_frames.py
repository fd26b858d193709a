"""APNs in bytes: SETTINGS, the stream limit, the shape of answers, and how connections end.

Where Apple's frames were captured a test says when; where they were not, it says "assumed".
"""

from __future__ import annotations

import os
import re
import signal
import threading

import pytest
from hyperframe.frame import GoAwayFrame, PingFrame, PriorityFrame, SettingsFrame

from frames import PREFACE, Connection, goaway, representations
from gateway import Gateway, provider_token

REFUSED_STREAM = 7
TOKEN = "0a1b2c3d" * 8
BODY = b'{"aps":{"alert":"hello"}}'
IDENTIFIER = "0F3A6D9C-9ABC-4DEF-8123-0123456789AB"


def settings(limit: int) -> bytes:
    """The five entries of the captures of 2017 and 2021, in their order."""
    return bytes.fromhex(
        "00001e 04 00 00000000 0001 00001000 0003 %08x 0004 0000ffff 0005 00004000 0006 00001f40"
        .replace(" ", "") % limit)


def new_limit(limit: int) -> bytes:
    return bytes.fromhex("000006 04 00 00000000 0003 %08x".replace(" ", "") % limit)


class Provider:
    """Opens connections to a gateway and writes the fields of pushes."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self.environment = gateway.environment
        self.token = provider_token(self.environment["apns"])

    def connect(self, name="localhost", alpn=("h2",), certificate=None) -> Connection:
        return Connection(
            self.gateway.port, self.environment["ca"], name, list(alpn), certificate)

    def push(self, path=f"/3/device/{TOKEN}", authorization=None, **more) -> list[tuple[str, str]]:
        fields = [
            (":method", "POST"), (":scheme", "https"), (":path", path), (":authority", "localhost"),
            ("authorization", f"bearer {authorization or self.token}"),
            ("apns-topic", self.environment["apns"]["topic"]), ("apns-push-type", "alert")]
        return fields + [(name.replace("_", "-"), value) for name, value in more.items()]

    def send(self, connection: Connection, stream: int, **how):
        connection.send(connection.headers(stream, self.push(**how)), connection.data(stream, BODY))
        return connection.answer(stream)


@pytest.fixture(scope="module")
def provider(gateway):
    return Provider(gateway)


def limits(connection: Connection) -> list[int]:
    """Every limit of concurrent streams that the server has announced."""
    found = []
    for raw in connection.raw:
        if raw[3] == 4 and raw[4] == 0:
            found += [int.from_bytes(raw[at + 2:at + 6], "big") for at in range(9, len(raw), 6)
                      if raw[at:at + 2] == b"\0\3"]
    return found


# SETTINGS.

@pytest.mark.parametrize("alpn", [["h2"], []], ids=["alpn", "no-alpn"])
def test_the_first_settings_are_apples(provider, alpn):
    with provider.connect(alpn=alpn) as connection:
        connection.begin()
        assert connection.raw[0] == settings(1)


def test_they_come_before_the_client_has_said_anything(provider):
    with provider.connect() as connection:
        connection.next(SettingsFrame)
        assert connection.raw == [settings(1)]


def test_the_second_settings_come_just_before_the_first_200(provider):
    """Captured 2022 on the sandbox with a provider token."""
    with provider.connect().start() as connection:
        assert provider.send(connection, 1, authorization="not.a.token").status == 403
        assert limits(connection) == [1]
        assert provider.send(connection, 3).status == 200
        assert connection.raw[-2] == new_limit(1000)
        assert connection.raw[-1][3] == 1  # HEADERS
        provider.send(connection, 5)
        assert limits(connection) == [1, 1000]


def test_a_host_of_googles_has_100_streams_from_the_start(provider):
    with provider.connect(name="fcm.googleapis.com") as connection:
        connection.begin()
        assert connection.raw[0] == settings(100)


def test_a_request_for_fcm_raises_the_limit_at_once(provider):
    with provider.connect().start() as connection:
        connection.send(connection.headers(1, [
            (":method", "POST"), (":scheme", "https"), (":path", "/v1/projects/p/messages:send"),
            (":authority", "localhost")], end=True))
        assert connection.answer(1).status == 401
        assert connection.raw[-3] == new_limit(100)


# The stream limit.

def test_a_stream_too_many_is_refused_alone_and_its_body_unread(provider):
    with provider.connect().start() as connection:
        connection.send(connection.headers(1, provider.push()))
        excess = [connection.headers(stream, provider.push()) for stream in (3, 5)]
        connection.send(*(part for frame in excess for part in (
            frame, connection.data(frame.stream_id, b"no JSON at all"))))
        refused = connection.settled()
        assert [(f.stream_id, f.error_code) for f in refused] == [
            (3, REFUSED_STREAM), (5, REFUSED_STREAM)]
        connection.send(connection.data(1, BODY))
        assert connection.answer(1).status == 200
        entry = provider.gateway.request("GET", "/api/v1/connections")["items"][0]
        assert entry["refusedStreams"] == 2
        assert entry["diagnosis"]["code"] == "streams-refused"


def test_before_the_first_acknowledgement_more_streams_are_served(provider):
    """Most libraries send before they have read SETTINGS."""
    with provider.connect() as connection:
        connection.send(PREFACE, SettingsFrame())
        streams = list(range(1, 41, 2))
        connection.send(*(connection.headers(stream, provider.push()) for stream in streams))
        connection.send(*(connection.data(stream, BODY) for stream in streams))
        assert {connection.answer(stream).status for stream in streams} == {200}


def test_raising_the_limit_counts_when_it_is_sent(provider):
    with provider.connect().start() as connection:
        provider.send(connection, 1)  # the SETTINGS with 1000 are not acknowledged
        connection.send(*(connection.headers(stream, provider.push()) for stream in (3, 5)))
        assert connection.settled() == []
        connection.send(*(connection.data(stream, BODY) for stream in (3, 5)))
        assert [connection.answer(stream).status for stream in (3, 5)] == [200, 200]


@pytest.fixture(scope="module")
def throttling():
    with Gateway("--streams", "throttle") as running:
        yield Provider(running)
        assert running.stop() == 0, running.log_text


def test_with_throttle_a_rejection_brings_the_limit_down_until_a_push_is_accepted(throttling):
    """Seen 2016 and 2017: SETTINGS with 1, after the next accepted push the old limit."""
    with throttling.connect().start() as connection:
        answers = [
            throttling.send(connection, stream, **how).status
            for stream, how in enumerate([{}, {"path": "/3/device/aaaa"}, {}, {}])
            for stream in [2 * stream + 1]]
        assert answers == [200, 400, 200, 200]
        assert limits(connection) == [1, 1000, 1, 1000]


def test_lowering_the_limit_counts_when_it_is_acknowledged(throttling):
    with throttling.connect().start() as connection:
        throttling.send(connection, 1)
        connection.acknowledge()
        throttling.send(connection, 3, path="/3/device/aaaa")
        assert limits(connection) == [1, 1000, 1]
        begun = [connection.headers(stream, throttling.push()) for stream in (5, 7)]
        connection.send(*begun)
        assert connection.settled() == []
        connection.acknowledge()
        connection.send(connection.headers(9, throttling.push(), end=True))
        [refused] = connection.settled()
        assert (refused.stream_id, refused.error_code) == (9, REFUSED_STREAM)


# The shape of answers.

def test_a_success_is_one_headers_frame_that_ends_the_stream(provider):
    with provider.connect().start() as connection:
        answer = provider.send(connection, 1, apns_id=IDENTIFIER)
        assert answer.shape == [("HeadersFrame", ["END_HEADERS", "END_STREAM"])]
        assert [name for name, _ in answer.fields] == [":status", "apns-id", "apns-unique-id"]
        assert dict(answer.fields)["apns-id"] == IDENTIFIER


def test_an_error_is_one_headers_and_one_data_frame(provider):
    """Captured 2018 and 2026: `:status` and `apns-id`, then 27 bytes of JSON."""
    with provider.connect().start() as connection:
        answer = provider.send(connection, 1, path="/3/device/aaaa", apns_id=IDENTIFIER)
        assert answer.shape == [("HeadersFrame", ["END_HEADERS"]), ("DataFrame", ["END_STREAM"])]
        assert answer.fields == [(":status", "400"), ("apns-id", IDENTIFIER)]
        assert answer.body == b'{"reason":"BadDeviceToken"}'


def test_apns_id_is_indexed_the_first_time_and_never_again(provider):
    """Decoded from raw bytes of 2018: `:status` indexed; the first `apns-id` literal with incremental
    indexing and a new name, later ones never indexed with an indexed name."""
    with provider.connect().start() as connection:
        first = provider.send(connection, 1, path="/3/device/aaaa")
        later = provider.send(connection, 3, path="/3/device/aaaa")
        assert representations(first.block) == [("indexed", 12), ("incremental", 0)]
        assert representations(later.block) == [("indexed", 12), ("never indexed", 62)]
        accepted = provider.send(connection, 5)
        assert representations(accepted.block) == [
            ("indexed", 8), ("never indexed", 62), ("incremental", 0)]


# What needs no answer of APNs.

def test_a_ping_is_answered_with_its_own_bytes(provider):
    with provider.connect().start() as connection:
        connection.send(PingFrame(0, b"\x00\x01\x02\x03\xfc\xfd\xfe\xff"))
        frame = connection.next(PingFrame)
        assert (sorted(frame.flags), frame.opaque_data) == (
            ["ACK"], b"\x00\x01\x02\x03\xfc\xfd\xfe\xff")


def test_priority_is_ignored(provider):
    """Apple: PRIORITY frames are ignored. nghttp sends a tree of them on streams it never opens."""
    with provider.connect().start() as connection:
        connection.send(*(PriorityFrame(stream, depends_on=0, stream_weight=15)
                          for stream in (3, 5, 7)))
        assert connection.settled() == []
        assert provider.send(connection, 13).status == 200


def test_an_upgrade_to_h2c_is_ignored(provider):
    with Connection(provider.gateway.port) as connection:
        connection.send(
            b"POST /3/device/aa HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, http2-settings, close\r\n"
            b"upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\ncontent-length: 2\r\n\r\n{}")
        assert connection.rest().startswith(b"HTTP/1.1 403 ")


# HTTP/1.x.

@pytest.mark.parametrize("name", ["api.push.apple.com", "localhost"])
@pytest.mark.parametrize("alpn", [["h2"], ["http/1.1"], []], ids=["h2", "http1", "no-alpn"])
def test_http1_gets_settings_and_goaway(provider, alpn, name):
    """Seen 2019 and July 2026: last stream 0x7FFFFFFF, PROTOCOL_ERROR, the request line up to
    `HTTP/1.`, then the end."""
    with provider.connect(name=name, alpn=alpn) as connection:
        # Under a name of Apple's only h2 is ever selected (seen 2021 and 2026).
        selected = alpn and (alpn[0] == "h2" or name == "localhost")
        assert connection.negotiated == (alpn[0] if selected else None)
        connection.send(b"GET /3/device/ HTTP/1.1\r\nhost: localhost\r\n\r\n")
        debug = b"Unexpected HTTP/1.x request: GET /3/device/ "
        assert connection.rest() == settings(1) + goaway(1, 0x7FFFFFFF, debug)


def test_the_last_frame_survives_a_body_that_nobody_reads(provider):
    """A close with unread input resets the connection, which can swallow what was sent before."""
    with provider.connect() as connection:
        connection.send(
            b"POST /3/device/aa HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4000000\r\n\r\n")

        def write():
            try:
                connection.send(b"x" * 4_000_000)
            except OSError:
                pass  # the gateway has given the connection up after its second

        writer = threading.Thread(target=write)
        writer.start()
        debug = b"Unexpected HTTP/1.x request: POST /3/device/aa "
        try:
            connection.frame()
            assert isinstance(connection.frame(), GoAwayFrame)
        finally:
            writer.join()
        assert connection.raw == [settings(1), goaway(1, 0x7FFFFFFF, debug)]


# Ends with a reason: GOAWAY NO_ERROR with `{"reason":...}` (captured 2016 to 2018 for refused
# certificates, last stream 0).

def end(reason: str, last_stream: int) -> bytes:
    return goaway(0, last_stream, b'{"reason":"%s"}' % reason.encode())


@pytest.fixture
def idle():
    """A gateway whose connections may be silent for a second."""
    with Gateway() as running:
        running.request(
            "PATCH", "/api/v1/workspaces/default", {"settings": {"idleTimeout": "1s"}})
        yield Provider(running)


def test_an_idle_connection_ends_with_idle_timeout(idle):
    """Assumed: Apple lists the reason, and no capture shows its frame."""
    with idle.connect().start() as connection:
        assert idle.send(connection, 1).status == 200
        assert connection.rest() == end("IdleTimeout", 1)


def test_a_request_that_never_ends_is_idle_timeout_too(idle):
    """Assumed: nothing else on an idle connection could be answered with the reason."""
    with idle.connect().start() as connection:
        connection.send(
            connection.headers(1, idle.push(apns_id=IDENTIFIER)),
            connection.data(1, b'{"aps":', end=False))
        answer = connection.answer(1)
        assert answer.fields == [(":status", "400"), ("apns-id", IDENTIFIER)]
        assert answer.body == b'{"reason":"IdleTimeout"}'
        assert connection.rest() == end("IdleTimeout", 1)


def test_sigterm_ends_connections_with_shutdown():
    """Assumed: Apple lists the reason with 503, and no capture shows its frames."""
    with Gateway() as running:
        provider = Provider(running)
        with provider.connect().start() as busy, provider.connect().start() as still:
            assert provider.send(still, 1).status == 200
            busy.send(busy.headers(1, provider.push(apns_id=IDENTIFIER)),
                      busy.data(1, BODY[:5], end=False))
            busy.settled()
            os.kill(running.pid, signal.SIGTERM)
            assert still.rest() == end("Shutdown", 1)
            busy.frame()
            assert busy.raw[-1] == end("Shutdown", 1)
            # A sender that does not heed it is told to send the request elsewhere.
            busy.send(busy.headers(3, provider.push(), end=True))
            [refused] = busy.settled()
            assert (refused.stream_id, refused.error_code) == (3, REFUSED_STREAM)
            busy.send(busy.data(1, BODY[5:]))
            answer = busy.answer(1)
            assert answer.fields == [(":status", "503"), ("apns-id", IDENTIFIER)]
            assert answer.body == b'{"reason":"Shutdown"}'
            assert busy.rest() == b""
        assert running.stop() == 0, running.log_text


@pytest.mark.parametrize("alpn", [("h2",), ()], ids=["h2", "no ALPN"])
def test_a_certificate_of_the_other_environment_ends_with_the_captured_bytes(
        provider, certificate, alpn):
    """Captured 2016 to 2018: SETTINGS, one GOAWAY with last stream 0, and the end."""
    production = certificate("--environment", "production")
    with provider.connect("api.sandbox.push.apple.com", alpn, f"{production}.pem") as connection:
        connection.send(PREFACE, SettingsFrame())
        assert connection.rest() == settings(1) + end("BadCertificateEnvironment", 0)


def test_a_foreign_certificate_ends_at_the_first_push(provider, certificate):
    """At a host that is no vendor's nobody knows before it whether the client wants FCM."""
    stranger = certificate(register=False)
    with provider.connect(certificate=f"{stranger}.pem").start() as connection:
        connection.send(
            connection.headers(1, provider.push()), connection.data(1, BODY))
        assert connection.rest() == end("BadCertificate", 0)


def test_a_good_certificate_has_1000_streams_from_the_start(provider, certificate):
    """Observed 2019 and 2021: no second SETTINGS."""
    with provider.connect(certificate=f"{certificate()}.pem") as connection:
        connection.begin()
        assert connection.raw == [settings(1000)]
        connection.acknowledge()
        assert provider.send(connection, 1, authorization="not.looked.at").status == 200
        assert settings(1000) not in connection.raw[1:]
        assert new_limit(1000) not in connection.raw
