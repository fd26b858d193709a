"""The client's own tests: against a console that is made of answers, and against a real gateway.

They run in the environment of Tests/Senders, whose libraries are the senders here too.
"""

import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).resolve().parent.parent
ROOT = CLIENT.parent.parent
sys.path[:0] = [str(CLIENT), str(ROOT / "scripts")]

import gateway as gateways  # noqa: E402  (found by the line above)
from fake_console import WORKSPACE, FakeConsole, answer  # noqa: E402
from pushpit import Gateway, Pushpit  # noqa: E402
from tally import write_tally  # noqa: E402

pytest_plugins = ["pytest_pushpit", "pytester"]


@pytest.fixture(autouse=True)
def no_console_of_the_user(monkeypatch):
    """Nothing of the user's environment leads a test to another gateway."""
    for name in ("PUSHPIT_CONSOLE", "PUSHPIT_CONSOLE_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def console():
    """A console that gives the answers that it is told."""
    with FakeConsole() as running:
        yield running


@pytest.fixture
def client(console):
    """A client of the made-up console."""
    with Pushpit(console.url, timeout=5) as client:
        yield client


@pytest.fixture
def workspace(console, client):
    """A workspace of the made-up console, which has forgotten how it was asked for."""
    console.answers.append(answer(WORKSPACE, 201))
    made = client.workspace()
    console.requests.clear()
    return made


@pytest.fixture(scope="session")
def pushpit():
    """As the plugin's, but of the binary under test, whatever the user's environment says."""
    with Gateway(gateways.binary()) as running, running.client() as client:
        yield client


def pytest_terminal_summary(terminalreporter):
    """Leaves the counts where scripts/test finds them."""
    counts = {kind: len(reports) for kind, reports in terminalreporter.stats.items()}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    write_tally(counts.get("passed", 0), failed, counts.get("skipped", 0))
