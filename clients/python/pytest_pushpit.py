"""Pushpit's fixtures for pytest: `pushpit` and `pushpit_workspace`.

With the folder installed they are there; of a copied file say in `conftest.py`:

    pytest_plugins = ["pytest_pushpit"]

When a test fails, what was sent in its workspace is a section of the report.
"""

from __future__ import annotations

import os
from typing import Any, Generator, Iterator

import pytest

from pushpit import Gateway, Pushpit, PushpitError, Workspace


@pytest.fixture(scope="session")
def pushpit() -> Iterator[Pushpit]:
    """The gateway: that of PUSHPIT_CONSOLE, or one that is started on free ports for this session.

    It is started from PUSHPIT_BINARY, or from the PATH. With pytest-xdist each worker starts its own.
    """
    if os.environ.get("PUSHPIT_CONSOLE"):
        with Pushpit() as client:
            yield client.wait_ready()
        return
    with Gateway() as gateway, gateway.client() as client:
        yield client


@pytest.fixture
def pushpit_workspace(
        pushpit: Pushpit, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    """A workspace for one test, deleted after it.

    A marker says what it is to be: `@pytest.mark.pushpit(settings={"tokens": "strict"}, listener=True)`.
    """
    marker = request.node.get_closest_marker("pushpit")
    with pushpit.workspace(**(marker.kwargs if marker else {})) as workspace:
        yield workspace


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line(
        "markers", "pushpit(settings, listener, name): what the workspace of the test is to be")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Adds to the report of a failed test what its workspace saw; it is deleted only afterwards."""
    outcome = yield
    report = outcome.get_result()
    workspace = getattr(item, "funcargs", {}).get("pushpit_workspace")
    if report.when != "call" or not report.failed or not isinstance(workspace, Workspace):
        return
    try:
        text = workspace.summary()
    except PushpitError as error:
        text = str(error)
    report.sections.append((f"Pushpit: what was sent in the workspace {workspace.id}", text))
