"""The report names each kind of bad sender, and nothing of a good one; expectations ask for the same."""

import asyncio
import json
import socket
import ssl
import time

import httpx
import jwt
import pytest
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
from pushpit import ExpectationFailed, Pushpit, Workspace


@pytest.fixture
def workspace(gateway):
    with Pushpit(gateway.console) as pushpit, pushpit.workspace() as made:
        yield made


class Provider:
    """A provider of APNs over HTTP/2 that can do everything wrong."""

    def __init__(self, workspace: Workspace):
        self.workspace = workspace
        self.apns = workspace.apns
        self.issued = 0
        self.authorization = self.signed()
        self.client = self.connected()

    def signed(self) -> str:
        # Another second each time, so that no two tokens are the same.
        self.issued += 1
        return "bearer " + jwt.encode(
            {"iss": self.apns.team_id, "iat": int(time.time()) - self.issued}, self.apns.key,
            algorithm="ES256", headers={"kid": self.apns.key_id})

    def connected(self) -> httpx.Client:
        context = ssl.create_default_context(cafile=self.workspace.ca_file)
        return httpx.Client(http2=True, verify=context, trust_env=False)

    def push(self, token: str, title: str) -> int:
        return self.client.post(
            f"{self.apns.url}/3/device/{token}", content=payload(title),
            headers=self.headers).status_code

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": self.authorization, "apns-topic": self.apns.topic,
                "apns-push-type": "alert"}

    def push_and_give_up(self, token: str, title: str) -> None:
        """Sends a push and hangs up when it was taken, as after a time-out, without reading the answer."""
        body = payload(title)
        fields = {"host": "localhost", "content-length": str(len(body)), **self.headers}
        head = f"POST /3/device/{token} HTTP/1.1\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in fields.items())
        port = int(self.apns.url.rpartition(":")[2])
        with socket.create_connection(("localhost", port)) as sender:
            sender.sendall(head.encode() + b"\r\n" + body)
            self.workspace.expect({"token": token})


def payload(title: str) -> bytes:
    return json.dumps({"aps": {"alert": {"title": title}}}).encode()


@pytest.fixture
def provider(workspace):
    made = Provider(workspace)
    yield made
    made.client.close()


def findings(workspace: Workspace) -> dict[str, dict]:
    return {finding["code"]: finding for finding in workspace.report()["findings"]}


def test_a_good_sender_has_no_findings(workspace, provider):
    phone = workspace.device("ios")
    assert [provider.push(phone.token, f"Hello {number}") for number in range(10)] == [200] * 10
    assert findings(workspace) == {}
    assert workspace.report()["tokens"]["keep"]["total"] == 1
    workspace.expect({}, 1, of="connections", within="0s")
    workspace.expect({}, 1, of="providerTokens", within="0s")
    workspace.expect({}, 0, of="findings", within="0s")


def test_a_token_for_each_push_is_named(workspace, provider):
    phone = workspace.device("ios")
    workspace.settings.change(providerTokenUpdates=None)
    for number in range(5):
        provider.authorization = provider.signed()
        provider.push(phone.token, f"Hello {number}")
    found = findings(workspace)["too-many-provider-tokens"]
    assert found["count"] == 5 and found["credentials"] == [workspace.apns.key_id]
    with pytest.raises(ExpectationFailed):
        workspace.expect({}, {"atMost": 1}, of="providerTokens", within="0s")


def test_a_connection_for_each_push_is_named(workspace, provider):
    phone = workspace.device("ios")
    for number in range(5):
        provider.client.close()
        provider.client = provider.connected()
        assert provider.push(phone.token, f"Hello {number}") == 200
    assert findings(workspace)["connection-per-push"]["count"] == 5
    with pytest.raises(ExpectationFailed):
        workspace.expect({}, 1, of="connections", within="0s")


def test_one_that_retries_a_410_is_named(workspace, provider):
    phone = workspace.device("ios")
    phone.uninstall()
    assert [provider.push(phone.token, "Hello") for _ in range(3)] == [410] * 3
    found = findings(workspace)
    assert found["retry-after-refusal"]["statuses"] == [410]
    assert found["sent-to-dead-token"]["tokens"] == [phone.token]
    (dead,) = workspace.report()["tokens"]["prune"]["items"]
    assert (dead["token"], dead["reason"]) == (phone.token, "Unregistered")
    with pytest.raises(ExpectationFailed):
        workspace.expect(
            {"code": "retry-after-refusal", "status": 410}, 0, of="findings", within="0s")


def test_one_that_sends_twice_after_a_time_out_is_named(workspace, provider):
    """The first answer is not waited for, as by a sender whose time-out is too short."""
    phone = workspace.device("ios")
    provider.push_and_give_up(phone.token, "Hello")
    assert provider.push(phone.token, "Hello") == 200
    found = findings(workspace)["duplicate-push"]
    assert found["count"] == 1 and len(found["evidence"]) == 2
    assert [push.title for push in phone.inbox()] == ["Hello", "Hello"]
    with pytest.raises(ExpectationFailed):
        workspace.expect({"code": "duplicate-push"}, 0, of="findings", within="0s")


def test_one_that_does_not_sign_again_is_named_after_an_hour(workspace, monkeypatch):
    """aioapns signs again after 30 minutes of real time; a new client signs at once."""
    host, _, port = workspace.apns.url.rpartition("//")[2].partition(":")
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", host)
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", int(port))
    phone = workspace.device("ios")

    def client() -> APNs:
        return APNs(
            key=workspace.apns.key, key_id=workspace.apns.key_id, team_id=workspace.apns.team_id,
            topic=workspace.apns.topic, use_sandbox=True, max_connections=1,
            ssl_context=ssl.create_default_context(cafile=workspace.ca_file))

    async def send(sender: APNs, text: str) -> str:
        answer = await sender.send_notification(NotificationRequest(
            device_token=phone.token, message={"aps": {"alert": text}}, push_type=PushType.ALERT))
        return answer.description or answer.status

    async def scene() -> list[str]:
        old = client()
        said = [await send(old, "before")]
        workspace.clock.advance("61m")
        said += [await send(old, f"after {number}") for number in range(3)]
        new = client()
        said.append(await send(new, "new"))
        for sender in (old, new):
            sender.pool.close()
        return said

    assert asyncio.run(scene()) == ["200", *["ExpiredProviderToken"] * 3, "200"]
    found = findings(workspace)["stale-provider-token"]
    assert found["count"] == 2 and found["credentials"] == [workspace.apns.key_id]
