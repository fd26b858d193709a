#!/usr/bin/env python3
"""Checks from outside that the gateway is safe by default and that records are no credentials.

`safety.py [word]` runs the checks whose name contains the word. Run by scripts/test. Standard library
only; what needs a browser is skipped where there is no Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))

import foreign_pages  # noqa: E402, F401  (found by the line above; registers its checks)
import secrets_kept  # noqa: E402, F401
from tally import run_checks  # noqa: E402

if __name__ == "__main__":
    sys.exit(run_checks("safety", sys.argv[1] if len(sys.argv) > 1 else ""))
