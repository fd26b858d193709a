"""A console made of answers: what a test says is sent, byte for byte, one answer to each request."""

import json
import socket
import threading

WORKSPACE = {"id": "ws-1", "gateway": "https://localhost:2197", "settings": {}}
DEVICE = {
    "id": "d1", "name": "Ann", "platform": "ios", "app": "com.example.app", "online": True,
    "tokens": {"apns": "ab", "fcm": None}}


def answer(value=None, status=200, kind="application/json", fields=()) -> bytes:
    """An answer in HTTP/1.1 with JSON, or with the bytes that are given."""
    body = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
    lines = [f"HTTP/1.1 {status} Any", f"content-length: {len(body)}", *fields]
    if body:
        lines.append(f"content-type: {kind}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def problem(status: int, code: str, detail: str, **more) -> bytes:
    """A refusal as the console gives it."""
    value = {"type": f"urn:pushpit:{code}", "code": code, "status": status, "detail": detail, **more}
    return answer(value, status, "application/problem+json")


def stream(*pieces: bytes, is_whole=True) -> list:
    """An answer of server-sent events in chunks, each piece sent by itself; cut off unless whole.

    After SILENCE nothing more is sent.
    """
    head = (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    chunks = [
        piece if piece == SILENCE else b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces]
    return [head, *chunks, b"0\r\n\r\n" if is_whole else CUT]


CUT = b"<cut>"
"""In the pieces of an answer: the connection is closed here."""
SILENCE = b"<silence>"
"""In the pieces of an answer: nothing more comes, and the connection stays open."""


class FakeConsole:
    """Accepts connections, reads requests, keeps them in `requests`, and gives `answers` in turn.

    An answer is bytes, or pieces of bytes of which each is sent by itself.
    """

    def __init__(self):
        self.requests: list[dict] = []
        self.answers: list = []
        self.connections: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "FakeConsole":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Closes every connection, as a console does that was restarted."""
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()
        self.connections.clear()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection.makefile("rb") as reader:
                while self._answer_next(connection, reader):
                    pass
        except (OSError, ValueError):
            pass

    def _answer_next(self, connection: socket.socket, reader) -> bool:
        request = self._read(reader)
        if request is None:
            return False
        with self._lock:
            self.requests.append(request)
            given = self.answers.pop(0) if self.answers else answer({})
        for piece in [given] if isinstance(given, bytes) else given:
            if piece == SILENCE:
                return bool(reader.read(1))
            if piece == CUT:
                connection.shutdown(socket.SHUT_RDWR)
                connection.close()
                return False
            connection.sendall(piece)
        return True

    def _read(self, reader):
        line = reader.readline().decode()
        if not line:
            return None
        method, target, _ = line.split(" ")
        fields = {}
        while (field := reader.readline().decode().rstrip("\r\n")):
            name, _, value = field.partition(":")
            fields[name.lower()] = value.strip()
        body = reader.read(int(fields.get("content-length", 0)))
        return {
            "method": method, "target": target, "fields": fields,
            "body": json.loads(body) if body else None}
