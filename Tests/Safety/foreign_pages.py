"""Opens pages of other origins in Chromium that try to read and to change the console.

Registered by safety.py; skipped where there is no Chromium.
"""

from __future__ import annotations

import http.server
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from gateway import Gateway, clean_environment
from tally import Skipped, check

HERE = Path(__file__).resolve().parent

BROWSERS = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
TIME_LIMIT = 60  # seconds
SECRET = "only the owner reads this"


class Page(http.server.BaseHTTPRequestHandler):
    """The server of the foreign page: gives it out, and takes what it found out."""

    def do_GET(self):
        known = self.path.split("?")[0] == "/page.html"
        self.answer(HERE / "page.html" if known else None)

    def do_POST(self):
        self.server.found.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.answer(None)

    def answer(self, file: Path | None):
        body = file.read_bytes() if file else b""
        self.send_response(200 if file else 204)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def browser(*arguments: str, profile: str) -> list[str]:
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None:
        raise Skipped("needs Chromium")
    # Every name is this machine: an owner of evil.example can say so too.
    return [
        found, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-dev-shm-usage", f"--user-data-dir={profile}",
        "--host-resolver-rules=MAP evil.example 127.0.0.1", *arguments]


def visit(host: str, targets: list[str]) -> dict:
    """What the page finds out when it is opened at a host."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    server.found = queue.Queue()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="pushpit-browser-", ignore_cleanup_errors=True) as profile:
        url = f"http://{host}:{server.server_address[1]}/page.html?{','.join(targets)}"
        command = browser("--remote-debugging-port=0", url, profile=profile)
        running = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=clean_environment(), start_new_session=True)
        try:
            return server.found.get(timeout=TIME_LIMIT)
        except queue.Empty:
            raise AssertionError("the page did not report") from None
        finally:
            # What is started is a script, and the browser its child with many of its own.
            os.killpg(running.pid, signal.SIGKILL)
            running.wait(10)
            server.shutdown()
            server.server_close()


def state(gateway: Gateway) -> str:
    """All that a page could change."""
    paths = ["devices", "envelopes", "clock", "workspaces", "workspaces/default/settings"]
    listed = [gateway.request("GET", f"/api/v1/{path}") for path in paths]
    listed[2] = {name: listed[2][name] for name in ("offset", "frozen")}
    for workspace in listed[3]["items"]:
        del workspace["now"]
    return json.dumps(listed)


def refuse(host: str, *, rebound: bool = False) -> None:
    """Opens the page at a host, and expects that it got nowhere."""
    with Gateway() as gateway:
        gateway.make_device("ios", name=SECRET)
        names = ["localhost", "127.0.0.1"] + (["evil.example"] if rebound else [])
        before = state(gateway)
        found = visit(host, [f"http://{name}:{gateway.console_port}" for name in names])
        assert state(gateway) == before, "the page changed something"
    assert len(found["tried"]) == found["count"] * len(names), found
    assert not found["read"], found["read"]
    assert SECRET not in json.dumps(found), found
    # That the calls came to the console at all: the browser keeps an answer from the page, not itself.
    assert found["opaque"] >= len(names), found


@check("a page on another port of this machine neither reads nor changes anything")
def _():
    refuse("localhost")


@check("a page of another host neither reads nor changes anything")
def _():
    refuse("127.0.0.1")


@check("a page whose name was bound to this machine neither reads nor changes anything")
def _():
    refuse("evil.example", rebound=True)


@check("the console itself at a name that was bound to this machine shows nothing")
def _():
    with Gateway() as gateway, tempfile.TemporaryDirectory(
            prefix="pushpit-browser-", ignore_cleanup_errors=True) as profile:
        gateway.make_device("ios", name=SECRET)

        def shown(host: str) -> str:
            url = f"http://{host}:{gateway.console_port}/api/v1/devices"
            return subprocess.run(
                browser("--dump-dom", url, profile=profile), capture_output=True, text=True,
                stdin=subprocess.DEVNULL, timeout=TIME_LIMIT, env=clean_environment()).stdout

        foreign = shown("evil.example")
        assert "host-not-allowed" in foreign and SECRET not in foreign, foreign
        # What its owner types is shown.
        assert SECRET in shown("localhost")
