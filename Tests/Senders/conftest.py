"""The gateway that the sender tests share, and the way to run a sender against it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))

from gateway import Gateway, clean_environment  # noqa: E402  (found by the line above)
from tally import write_tally  # noqa: E402


@pytest.fixture(scope="session")
def gateway():
    with Gateway() as running:
        yield running
        assert running.stop() == 0, running.log_text


@pytest.fixture(scope="session")
def environment(gateway):
    return gateway.environment


@pytest.fixture
def send(environment):
    """Runs a program of `programs/` in a process of its own; returns one result per push."""

    def run(program: str, *pushes: dict, **options) -> list[dict]:
        job = {"environment": environment, "pushes": pushes, "options": options}
        done = subprocess.run(
            [sys.executable, str(HERE / "programs" / f"{program}_program.py")],
            input=json.dumps(job), capture_output=True, text=True, timeout=120,
            env=clean_environment() | {"PYTHONWARNINGS": "ignore"})
        assert done.returncode == 0, f"{program} ended with {done.returncode}:\n{done.stderr}"
        results = json.loads(done.stdout)
        assert len(results) == len(pushes), done.stdout
        return results

    return run


@pytest.fixture
def iphone(gateway):
    return gateway.make_device("ios")


@pytest.fixture
def android(gateway):
    return gateway.make_device("android")


def pytest_report_header():
    return f"binary: {os.environ.get('PUSHPIT_BINARY', 'the release build of this checkout')}"


def pytest_terminal_summary(terminalreporter):
    """Leaves the counts where scripts/test finds them."""
    counts = {kind: len(reports) for kind, reports in terminalreporter.stats.items()}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    write_tally(counts.get("passed", 0), failed, counts.get("skipped", 0))
