"""That the files run on Python 3.9 and are typed: what users copy is checked by their checkers."""

import ast
import subprocess

import pytest
from conftest import CLIENT, ROOT

FILES = ["pushpit.py", "pytest_pushpit.py"]


@pytest.mark.parametrize("name", FILES)
def test_the_syntax_is_that_of_python_3_9(name):
    ast.parse((CLIENT / name).read_text(), name, feature_version=(3, 9))


def test_mypy_strict_has_nothing_to_say(tmp_path):
    python = subprocess.run(
        [ROOT / "scripts/sender-python", "mypy"], capture_output=True, text=True, check=True)
    done = subprocess.run(
        [python.stdout.strip(), "-m", "mypy", "--strict", "--cache-dir", tmp_path, *FILES],
        cwd=CLIENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
