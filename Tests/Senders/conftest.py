"""The gateway that the sender tests share, and the way to run a sender against it."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent / folder) for folder in ("scripts", "clients/python")]

from gateway import Gateway  # noqa: E402  (found by the line above)
from senders import run_sender  # noqa: E402
from tally import write_tally  # noqa: E402


@pytest.fixture(scope="session")
def gateway():
    with Gateway() as running:
        yield running
        assert running.stop() == 0, running.log_text


@pytest.fixture(scope="session")
def environment(gateway):
    return gateway.environment


@pytest.fixture(scope="session")
def certificate(gateway, tmp_path_factory):
    """Makes a certificate with the command that users have; returns its path without `.p12`."""

    def make(*options: str, app: str = "com.example.app", register: bool = True) -> str:
        path = tmp_path_factory.mktemp("certificate") / "made"
        # One that is not to be known is made for another gateway, which does not answer.
        console = [] if register else ["--console", "http://127.0.0.1:1"]
        state = gateway.state if register else path.parent / "state"
        gateway.command(
            "credentials", "create-certificate", "--app", app, "--out", f"{path}.p12",
            "--state", str(state), *console, *options)
        return str(path)

    return make


@pytest.fixture
def send(environment):
    """Runs a program of `programs/` against the shared gateway; returns one result per push."""

    def run(program: str, *pushes: dict, **options) -> list[dict]:
        return run_sender(environment, program, pushes, options)

    return run


@pytest.fixture
def iphone(gateway):
    return gateway.make_device("ios")


@pytest.fixture
def android(gateway):
    return gateway.make_device("android")


@pytest.fixture
def settings(gateway):
    """Changes settings of the shared gateway, and sets them back to their defaults in the end."""
    path, defaults = "/api/v1/workspaces/default", {}

    def change(**values) -> None:
        listed = gateway.request("GET", path + "/settings")
        defaults.update({name: listed[name]["default"] for name in values})
        gateway.request("PATCH", path, {"settings": values})

    yield change
    gateway.request("PATCH", path, {"settings": defaults})


def pytest_report_header():
    return f"binary: {os.environ.get('PUSHPIT_BINARY', 'the release build of this checkout')}"


def pytest_terminal_summary(terminalreporter):
    """Leaves the counts where scripts/test finds them."""
    counts = {kind: len(reports) for kind, reports in terminalreporter.stats.items()}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    write_tally(counts.get("passed", 0), failed, counts.get("skipped", 0))
