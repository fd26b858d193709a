"""Fifty test suites at once on one gateway, each in a workspace of its own: none sees another's pushes."""

import json
import logging
import os
import random
import socket
import subprocess
import sys
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from aioapns.connection import APNsDevelopmentClientProtocol, APNsTLSClientProtocol
from firebase_admin import messaging

from gateway import Gateway, provider_token
from pushpit import Pushpit
from suites import Senders, Suite

SUITES = 50
# What 99 of 100 pushes in the default workspace may take while workspaces are made: ms. It should be 20, and
# is about 1 on two cores; the rest is left to machines that have other work.
PROBE_LIMIT = 100.0


@pytest.fixture(scope="module")
def busy_gateway():
    """A gateway of this module's own, whose record is counted to the last envelope."""
    with Gateway() as running:
        yield running


@pytest.fixture
def pointed(busy_gateway, monkeypatch, caplog):
    """The libraries that have the vendors' hosts compiled in, pointed at the gateway."""
    environment = busy_gateway.environment
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsTLSClientProtocol, "APNS_PORT", busy_gateway.port)
    monkeypatch.setattr(
        messaging._MessagingService, "FCM_URL", busy_gateway.url + "/v1/projects/{0}/messages:send")
    monkeypatch.setenv("SSL_CERT_FILE", environment["caBundle"])
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", environment["caBundle"])
    # It logs every refusal, of which many are wanted here.
    caplog.set_level(logging.CRITICAL, logger="aioapns")


@pytest.fixture
def say(capsys):
    """Prints what a run should be seen to have measured, although its tests pass."""

    def say(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="", flush=True)

    return say


@pytest.fixture
def seed(say):
    """What this run's suites do; SUITES_SEED repeats one."""
    chosen = os.environ.get("SUITES_SEED") or str(random.randrange(1 << 32))
    say(f"SUITES_SEED={chosen}")
    return chosen


def each(pool, action, things) -> list:
    """Does something with each at once; all have ended before the first error is raised."""
    futures = [pool.submit(action, thing) for thing in things]
    errors = [future.exception() for future in futures]
    assert not any(errors), f"{sum(map(bool, errors))} failed; the first: {next(filter(None, errors))!r}"
    return [future.result() for future in futures]


class Prober:
    """Pushes in the default workspace by another process while something goes on."""

    def __init__(self, gateway: Gateway):
        apns = gateway.environment["apns"]
        address = urllib.parse.urlsplit(gateway.clear_url)
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("prober.py"), "127.0.0.1", str(address.port),
             "ab" * 32, provider_token(apns), apns["topic"]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times: list[float] = []

    def __enter__(self) -> "Prober":
        assert self.process.stdout.readline() == "pushing\n"
        return self

    def __exit__(self, *_) -> None:
        out, _ = self.process.communicate(timeout=30)
        self.times = sorted(json.loads(out))

    def quantile(self, part: float) -> float:
        return self.times[min(int(len(self.times) * part), len(self.times) - 1)]


def test_fifty_suites_at_once_see_only_what_is_theirs(busy_gateway, pointed, seed, say):
    client = Pushpit(busy_gateway.console, timeout=120)
    with ThreadPoolExecutor(SUITES) as pool:
        with Prober(busy_gateway) as prober:
            workspaces = each(
                pool, lambda number: client.workspace(listener=number % 5 == 0), range(SUITES))
        say(
            f"while {SUITES} workspaces were made: {len(prober.times)} pushes in the default workspace, "
            f"p50 {prober.quantile(0.5):.2f} ms, p99 {prober.quantile(0.99):.2f} ms, "
            f"longest {prober.times[-1]:.2f} ms")
        suites = [
            Suite(workspace, random.Random(f"{seed} {number}"))
            for number, workspace in enumerate(workspaces)]
        each(pool, Suite.make_phones, suites)
        each(pool, lambda suite: suite.send(strangers(suite, suites)), suites)
        # Only now, so that what comes to the wrong suite late is seen too.
        each(pool, Suite.check, suites)
        ports = {workspace.apns.port for workspace in workspaces} - {busy_gateway.port}
        say(f"{sum(len(suite.sent) for suite in suites)} pushes of {SUITES} suites, each accounted for")
        each(pool, lambda suite: suite.workspace.delete(), suites)
    nothing_is_left(busy_gateway, client)
    assert len(ports) == SUITES / 5 and not any(map(is_open, ports))
    assert prober.quantile(0.99) < PROBE_LIMIT


def strangers(suite: Suite, suites: list[Suite]) -> list:
    """The phones of the suite after this one."""
    other = suites[(suites.index(suite) + 1) % len(suites)]
    return other.iphones + other.androids


def nothing_is_left(gateway, client) -> None:
    assert [workspace.id for workspace in client.workspaces()] == ["default"]
    assert {envelope["workspace"] for envelope in gateway.envelopes(workspace="*")} == {"default"}
    assert gateway.request("GET", "/api/v1/devices", workspace="*")["items"] == []


def is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def test_the_key_of_a_workspace_that_is_gone_signs_nothing(busy_gateway):
    client = Pushpit(busy_gateway.console)
    with client.workspace() as workspace, Senders(workspace) as senders:
        assert senders.apns_by_httpx("cd" * 32, "Before") == 200
        assert senders.fcm_by_httpx(workspace.device("android").token, "Before") == 200
        workspace.delete()
        assert senders.apns_by_httpx("cd" * 32, "After") == 403
        assert senders.fcm_by_httpx("x" * 22 + ":" + "y" * 140, "After") == 401
