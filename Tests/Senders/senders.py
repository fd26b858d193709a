"""The senders: how to run one, where its libraries are, and what those of APNs can."""

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from gateway import clean_environment

HERE = Path(__file__).resolve().parent
SYSTEM_PYTHON = "/usr/bin/python3"


@dataclass(frozen=True)
class Sender:
    program: str
    """`programs/<program>_program.py`."""
    error: str = "{reason}"
    """What the library names a refusal: an exception's class, or the reason itself."""
    text: str = ""
    """A part of its text."""
    own_words: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Error and text for reasons that the library does not name."""
    shows_timestamp: bool = True
    """Whether the application can read the timestamp of a 410."""
    takes_certificate: bool = True
    """Whether the program takes the option `certificate`."""
    keeps_connection: bool = True
    """Whether all pushes of one run go over one connection."""
    signs_each_push: bool = False
    """Whether each push brings a new provider token; else one lives for 30 real minutes or more."""
    waits_after_429: bool = False
    """Whether the library sends again, after a pause, what was answered 429."""

    def __str__(self) -> str:
        return self.program

    def refusal(self, reason: str) -> tuple[str, str]:
        """The error by which the library reports this reason, and a part of its text."""
        named = (self.error.format(reason=reason), self.text.format(reason=reason))
        return self.own_words.get(reason, named)


APNS_SENDERS = [
    Sender("aioapns"),
    Sender("aioapns2", shows_timestamp=False),
    Sender("apns2"),
    Sender("apns2_up"),
    Sender(
        "django_push_notifications", error="APNSError", text="{reason}", shows_timestamp=False,
        keeps_connection=False, signs_each_push=True),
    Sender("kalyke", keeps_connection=False, signs_each_push=True),
    Sender("mopyapns"),
    Sender(
        "pyapns_client2", error="{reason}Exception", takes_certificate=False,
        keeps_connection=False),
    Sender("pyapns_client3", error="{reason}Exception", keeps_connection=False),
    Sender(
        "pyapnskit", takes_certificate=False, keeps_connection=False, signs_each_push=True),
    Sender(
        "simple_apns", shows_timestamp=False, takes_certificate=False, waits_after_429=True,
        own_words={
            "BadDeviceToken": ("APNSTokenError", "Invalid device token"),
            "Unregistered": ("APNSTokenError", "no longer valid"),
            "ExpiredProviderToken": ("APNSException", "token is not valid"),
        }),
]

every_sender = pytest.mark.parametrize("sender", APNS_SENDERS, ids=str)


def senders_that(claim: Callable[[Sender], bool]) -> pytest.MarkDecorator:
    """Runs a test with each sender of which the claim is true."""
    return pytest.mark.parametrize("sender", list(filter(claim, APNS_SENDERS)), ids=str)


# Programs whose libraries clash with those of requirements.txt: the name of their requirements.
_REQUIREMENTS = {
    "apns2": "apns2",
    "django_push_notifications": "django",
    "mopyapns": "pyapnskit",
    "pyapns_client2": "django",
    "pyapnskit": "pyapnskit",
}


@cache
def pinned_python(requirements: str) -> str:
    """The Python of a requirements file; installs its libraries when they are not there."""
    command = [HERE.parent.parent / "scripts/sender-python", *filter(None, [requirements])]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"cannot install the senders:\n{done.stderr}"
    return done.stdout.strip()


@cache
def _system_has_aioapns() -> bool:
    if not Path(SYSTEM_PYTHON).exists():
        return False
    found = subprocess.run([SYSTEM_PYTHON, "-c", "import aioapns"], capture_output=True)
    return found.returncode == 0


def python_of(program: str) -> str:
    """The interpreter that has the program's library; skips the test where there can be none."""
    if program == "aioapns2":
        if not _system_has_aioapns():
            pytest.skip(f"aioapns 2 comes from Debian's python3-aioapns, and {SYSTEM_PYTHON} has none")
        return SYSTEM_PYTHON
    return pinned_python(_REQUIREMENTS.get(program, ""))


def run_sender(
        environment: dict, program: str, pushes: Sequence[dict], options: dict) -> list[dict]:
    """Runs a program of `programs/` in a process of its own; returns one result per push."""
    job = {"environment": environment, "pushes": pushes, "options": options}
    done = subprocess.run(
        [python_of(program), str(HERE / "programs" / f"{program}_program.py")],
        input=json.dumps(job), capture_output=True, text=True, timeout=120,
        env=clean_environment() | {"PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0, f"{program} ended with {done.returncode}:\n{done.stderr}"
    results = json.loads(done.stdout)
    assert len(results) == len(pushes), done.stdout
    return results
