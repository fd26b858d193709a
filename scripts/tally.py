"""Named checks: each runs, prints one line, and is counted for scripts/test."""

from __future__ import annotations

import os
import time
import traceback
from typing import Callable

_checks: list[tuple[str, Callable[[], None]]] = []


class Skipped(Exception):
    """Raised by a check that cannot run here; its text says what it needs."""


def check(name: str):
    """Registers a check; it runs in the order of the file."""

    def register(function: Callable[[], None]) -> Callable[[], None]:
        _checks.append((name, function))
        return function

    return register


def run_checks(title: str, word: str = "") -> int:
    """Runs the checks whose name contains the word; returns the exit code."""
    passed = failed = skipped = 0
    for name, function in _checks:
        if word not in name:
            continue
        started = time.monotonic()
        try:
            function()
            passed += 1
            print(f"ok    {name} ({time.monotonic() - started:.1f} s)", flush=True)
        except Skipped as reason:
            skipped += 1
            print(f"skip  {name}\n      skipped: {reason}", flush=True)
        except Exception as failure:
            failed += 1
            text = str(failure) or "".join(traceback.format_tb(failure.__traceback__)[-1:])
            print(f"FAIL  {name}\n      {type(failure).__name__}: {text}", flush=True)
    print(f"{title}: {passed} passed, {failed} failed, {skipped} skipped", flush=True)
    write_tally(passed, failed, skipped)
    return 1 if failed else 0


def write_tally(passed: int, failed: int, skipped: int) -> None:
    """Leaves the counts where scripts/test, when it asked for them, finds them."""
    path = os.environ.get("CHECK_TALLY")
    if path:
        with open(path, "w") as file:
            file.write(f"{passed} {failed} {skipped}\n")
