"""A provider whose registry is filled by the app itself, and what it then sends."""

import contextlib
import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from checks import only_envelope, push
from gateway import Gateway
from senders import run_sender


@pytest.fixture
def own_gateway():
    """A gateway whose clock may be moved: no other test is at it."""
    with Gateway() as running:
        yield running


@contextlib.contextmanager
def provider():
    """A provider's server: its address, and the bodies of what apps report to it, in order."""
    reports: queue.Queue[dict] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            reports.put({"path": self.path, **json.loads(body)})
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", reports
    finally:
        server.shutdown()
        server.server_close()


def app(address: str, **more) -> dict:
    """An iOS app with Firebase that registers its token and waits for it first."""
    register = {"url": address + "/devices/{device}", "body": {"token": "{token}"}}
    return {
        "firebase": True, "tokenDelay": "10m", "callbacks": {"register": register, **more}}


def launch(gateway, address: str, **more):
    """The app is launched: no token at first, then it comes."""
    device = gateway.make_device("ios", **app(address, **more))
    assert device.tokens == {"apns": None, "fcm": None}
    with device.connect() as stream:
        gateway.request("POST", "/api/v1/clock", {"advance": "10m"})
        stream.wait(lambda events: any(e["event"] == "callback" for e in events), what="the callback")
    return device


def test_an_app_that_registered_the_fcm_token_is_explained(own_gateway):
    with provider() as (address, reports):
        device = launch(own_gateway, address, registers="fcm")
        report = reports.get(timeout=10)
        assert report["path"] == f"/devices/{device.id}"
        shown = own_gateway.request("GET", device.path)
        assert report["token"] == shown["tokens"]["fcm"] != shown["tokens"]["apns"]
        assert [(entry["callback"], entry["status"]) for entry in shown["history"]] == [("register", 204)]
        sent = push(report["token"])
        [result] = run_sender(own_gateway.environment, "aioapns", [sent], {})
    assert (result["accepted"], result["error"]) == (False, "BadDeviceToken"), result
    envelope = only_envelope(own_gateway, token=report["token"])
    assert (envelope["status"], envelope["reason"]) == (400, "BadDeviceToken")
    assert envelope["diagnosis"]["code"] == "fcm-token-at-apns"
    assert "getAPNSToken()" in envelope["diagnosis"]["fix"]


def test_an_app_that_registered_the_apns_token_gets_the_push(own_gateway):
    with provider() as (address, reports):
        device = launch(own_gateway, address)
        token = reports.get(timeout=10)["token"]
        with device.connect() as stream:
            [result] = run_sender(own_gateway.environment, "aioapns", [push(token)], {})
            assert result["accepted"], result
            stream.wait(lambda events: any(e["event"] == "push" for e in events), what="the push")
