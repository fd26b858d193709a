"""Pushes for apps with the Respondo SDK, from real senders to the tap: an object beside `aps` on iOS, a JSON
string in the data map on Android."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import pytest

from checks import arrived, only_envelope, push

numbers = count(1)


def message(conversation: str, **other) -> dict:
    return {
        "type": "message", "conversation_id": conversation, "message_id": f"m-{next(numbers)}",
        "deep_link": f"respondo://conversation/{conversation}", **other}


class Phone:
    """A phone whose app has the SDK, and the sender that its provider uses."""

    def __init__(self, gateway, send, platform: str, **fields):
        self.gateway = gateway
        self.send = send
        self.platform = platform
        self.device = gateway.make_device(platform, contract="respondo", online=True, **fields)

    def get(self, content) -> dict:
        """Sends a push with this under the SDK's key; returns its envelope."""
        sent = push(self.device.token)
        if content is not None and self.platform == "ios":
            sent["beside"] = {"respondo": content}
        elif content is not None:
            sent["data"] = {"respondo": json.dumps(content)}
        program = "aioapns" if self.platform == "ios" else "firebase_admin"
        [result] = self.send(program, sent)
        assert result["accepted"], result
        newest = self.gateway.envelopes(token=self.device.token)[-1]
        return self.gateway.request("GET", f"/api/v1/envelopes/{newest['id']}")

    def tap(self) -> dict:
        return self.device.act("tap")["inbox"][-1]

    def show(self, **state) -> None:
        self.gateway.request("PATCH", self.device.path, state)


def states(envelope: dict) -> list[str]:
    [delivery] = envelope["deliveries"]
    return [step["state"] for step in delivery["history"]]


@pytest.fixture(params=["ios", "android"], ids=["aioapns", "firebase_admin"])
def phone(request, gateway, send):
    return Phone(gateway, send, request.param)


def test_a_message_is_displayed_and_tapped_to_its_conversation(phone):
    envelope = phone.get(message("c-1"))
    assert states(envelope) == ["delivered", "displayed"]
    assert envelope["warnings"] == []
    tapped = phone.tap()
    assert tapped["state"] == "tapped" and tapped["deepLink"] == "respondo://conversation/c-1"
    assert tapped["contract"] == "respondo"
    [delivery] = phone.gateway.request(
        "GET", f"/api/v1/envelopes/{envelope['id']}")["deliveries"]
    assert delivery["cause"] == "tapped, which opened respondo://conversation/c-1"


def test_the_same_message_again_is_a_duplicate(phone):
    content = message("c-2")
    first = phone.get(content)
    second = phone.get(content)
    assert states(second) == ["delivered", "duplicate"]
    assert first["id"] in second["deliveries"][0]["cause"]


def test_with_its_conversation_open_a_message_is_suppressed(phone):
    phone.show(foreground={"conversation": "c-3"})
    assert states(phone.get(message("c-3"))) == ["delivered", "suppressed"]
    assert states(phone.get(message("c-4"))) == ["delivered", "displayed"]


def test_a_payload_without_the_key_is_not_the_sdk_s(phone):
    envelope = phone.get(None)
    assert states(envelope) == ["delivered", "displayed"] and envelope["warnings"] == []
    tapped = phone.tap()
    assert tapped["contract"] is None and "deepLink" not in tapped


class Provider:
    """The server that apps report to: keeps the requests it got."""

    def __init__(self):
        self.requests = []
        self.changed = threading.Condition()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                with provider.changed:
                    provider.requests.append((self.path, json.loads(body or b"null")))
                    provider.changed.notify_all()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait(self, number: int) -> list:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.requests) >= number, 10), self.requests
            return list(self.requests)


@pytest.fixture
def provider():
    running = Provider()
    yield running
    running.server.shutdown()
    running.server.server_close()


@pytest.mark.parametrize("platform", ["ios", "android"])
def test_a_tapped_campaign_reports_its_opening_once(gateway, send, provider, platform):
    phone = Phone(gateway, send, platform, callbacks={"opened": {
        "url": provider.url + "/opened/{deliveryID}", "body": {"delivery": "{deliveryID}"}}})
    envelope = phone.get({"type": "campaign", "delivery_id": "d-7", "utm": "spring"})
    assert envelope["warnings"] == []
    tapped = phone.tap()
    assert tapped["state"] == "opened" and "deepLink" not in tapped
    phone.device.act("tap", {"envelope": envelope["id"]})
    # A message is no campaign: when its tap is answered, nothing more was reported.
    phone.get(message("c-5"))
    assert phone.tap()["state"] == "tapped"
    assert provider.wait(1) == [("/opened/d-7", {"delivery": "d-7"})]
    [opened] = phone.gateway.request(
        "GET", f"/api/v1/envelopes/{envelope['id']}")["deliveries"]
    assert [step["state"] for step in opened["history"]] == [
        "delivered", "displayed", "tapped", "opened"]


@pytest.mark.parametrize("content, code", [
    ({"deep": {"er": "x"}}, "contract-value-not-string"),
    ({"n": 1}, "contract-value-not-string"),
])
def test_a_breach_is_a_warning_and_changes_no_answer(phone, content, code):
    envelope = phone.get(message("c-6") | content)
    assert code in [warning["code"] for warning in envelope["warnings"]]
    assert envelope["id"] in [
        found["id"] for found in phone.gateway.envelopes(warning=code)]
