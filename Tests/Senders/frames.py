"""HTTP/2 frame by frame: what a test sends and gets, in bytes and not in a library's opinion."""

from __future__ import annotations

import socket
import ssl

from hpack import Decoder, Encoder
from hyperframe.frame import (
    DataFrame, Frame, GoAwayFrame, HeadersFrame, PingFrame, RstStreamFrame, SettingsFrame,
    WindowUpdateFrame)

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
LIMIT = 15.0  # seconds that any one read may take


class Connection:
    """A connection to the gateway, over TLS unless it has no certificate authority to trust."""

    def __init__(self, port: int, ca: str | None = None, name: str = "localhost",
                 alpn: list[str] | None = None, certificate: str | None = None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.negotiated = None
        if ca:
            context = ssl.create_default_context(cafile=ca)
            if alpn:
                context.set_alpn_protocols(alpn)
            if certificate:
                context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_hostname=name)
            self.negotiated = self.socket.selected_alpn_protocol()
        self.buffer = b""
        self.raw: list[bytes] = []  # every frame that came, whole
        self.encoder, self.decoder = Encoder(), Decoder()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_) -> None:
        self.socket.close()

    # Sending.

    def send(self, *frames: Frame | bytes) -> None:
        self.socket.sendall(
            b"".join(f if isinstance(f, bytes) else f.serialize() for f in frames))

    def begin(self) -> Frame:
        """Sends the preface and an empty SETTINGS frame; returns the server's SETTINGS."""
        self.send(PREFACE, SettingsFrame())
        return self.next(SettingsFrame)

    def start(self) -> "Connection":
        """Begins, and acknowledges the server's SETTINGS."""
        self.begin()
        self.acknowledge()
        return self

    def acknowledge(self) -> None:
        """Acknowledges a SETTINGS frame, and waits until the server has read that."""
        self.send(SettingsFrame(flags=["ACK"]))
        self.settled()

    def headers(self, stream: int, fields: list[tuple[str, str]], end: bool = False) -> HeadersFrame:
        flags = ["END_HEADERS", "END_STREAM"] if end else ["END_HEADERS"]
        return HeadersFrame(stream, self.encoder.encode(fields), flags=flags)

    @staticmethod
    def data(stream: int, body: bytes, end: bool = True) -> DataFrame:
        return DataFrame(stream, body, flags=["END_STREAM"] if end else [])

    # Receiving.

    def read(self, count: int) -> bytes:
        while len(self.buffer) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError(f"the gateway closed; {len(self.buffer)} bytes were left")
            self.buffer += piece
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def frame(self) -> Frame:
        """The next frame, whatever it is."""
        head = self.read(9)
        frame, length = Frame.parse_frame_header(memoryview(head))
        body = self.read(length)
        frame.parse_body(memoryview(body))
        self.raw.append(head + body)
        return frame

    def next(self, kind: type[Frame], stream: int | None = None) -> Frame:
        """The next frame of a kind; acknowledgements of SETTINGS and window updates may precede."""
        while True:
            frame = self.frame()
            if isinstance(frame, kind) and stream in (None, frame.stream_id):
                if not (isinstance(frame, SettingsFrame) and "ACK" in frame.flags):
                    return frame
            assert not isinstance(frame, (GoAwayFrame, RstStreamFrame)), frame

    def settled(self) -> list[Frame]:
        """All frames that what was sent so far brings about, without acknowledgements.

        The answer to a PING overtakes other frames, but only those of the same turn of the server.
        """
        frames = []
        for payload in (b"settled?", b"settled!"):
            self.send(PingFrame(0, payload))
            while True:
                frame = self.frame()
                if isinstance(frame, PingFrame) and frame.opaque_data == payload:
                    break
                frames.append(frame)
        return [f for f in frames if "ACK" not in f.flags and not isinstance(f, WindowUpdateFrame)]

    def answer(self, stream: int) -> "Answer":
        """The frames of one answer, in order, up to the one that ends the stream."""
        frames = []
        while True:
            frame = self.frame()
            assert not isinstance(frame, GoAwayFrame), frame
            if frame.stream_id == stream:
                frames.append(frame)
                if isinstance(frame, RstStreamFrame) or "END_STREAM" in frame.flags:
                    return Answer(frames, self.decoder)

    def rest(self) -> bytes:
        """Everything until the gateway closes; a reset of the connection would be an error."""
        while piece := self.socket.recv(65536):
            self.buffer += piece
        taken, self.buffer = self.buffer, b""
        return taken


class Answer:
    """The frames of an answer, and what they say."""

    def __init__(self, frames: list[Frame], decoder: Decoder):
        self.frames = frames
        self.shape = [(type(f).__name__, sorted(f.flags)) for f in frames]
        self.block = b"".join(f.data for f in frames if isinstance(f, HeadersFrame))
        self.fields = decoder.decode(self.block) if self.block else []
        self.body = b"".join(f.data for f in frames if isinstance(f, DataFrame))
        self.reset = next((f.error_code for f in frames if isinstance(f, RstStreamFrame)), None)

    @property
    def status(self) -> int:
        return int(dict(self.fields)[":status"])


def goaway(code: int, last_stream: int, debug: bytes) -> bytes:
    """A whole GOAWAY frame, written by hand."""
    payload = last_stream.to_bytes(4, "big") + code.to_bytes(4, "big") + debug
    return len(payload).to_bytes(3, "big") + bytes([7, 0, 0, 0, 0, 0]) + payload


def representations(block: bytes) -> list[tuple[str, int]]:
    """How each field of a header block is written: its kind and the index of its name, 0 for a new
    one (RFC 7541 section 6)."""
    found, at = [], 0

    def integer(bits: int) -> int:
        nonlocal at
        value, most = block[at] & (1 << bits) - 1, (1 << bits) - 1
        at += 1
        if value < most:
            return value
        shift = 0
        while True:
            byte = block[at]
            at += 1
            value += (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text() -> None:
        nonlocal at
        count = integer(7)
        at += count

    kinds = [(0x80, 7, "indexed"), (0x40, 6, "incremental"), (0x20, 5, "table size"),
             (0x10, 4, "never indexed"), (0, 4, "without indexing")]
    while at < len(block):
        mark, bits, kind = next(k for k in kinds if block[at] & k[0] or k[0] == 0)
        index = integer(bits)
        found.append((kind, index))
        if kind in ("indexed", "table size"):
            continue
        if index == 0:
            text()
        text()
    return found
