"""The fixtures as a project of somebody else uses them, and the examples of the documents."""

import re

import gateway as gateways
import pytest
from conftest import CLIENT, ROOT
from pushpit import Gateway

PUSH = """
    import sys
    sys.path.insert(0, {tests!r})
    from real_senders import alert, by_httpx
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """A project with the copied files, and the binary under test."""
    monkeypatch.setenv("PUSHPIT_BINARY", str(gateways.binary()))
    monkeypatch.setenv("PYTHONPATH", str(CLIENT))
    pytester.makeconftest('pytest_plugins = ["pytest_pushpit"]')
    return pytester


def run(project, *options):
    return project.runpytest_subprocess("-p", "no:cacheprovider", "-W", "ignore", *options)


def example(document) -> str:
    found = re.search(r"<!-- example -->\n```python\n(.*?)```\n<!-- /example -->", document.read_text(), re.S)
    return found[1]


@pytest.mark.parametrize("document", [ROOT / "README.md", CLIENT / "README.md"], ids=["root", "client"])
def test_the_example_of_a_document_runs(project, document):
    project.makepyfile(example(document))
    run(project).assert_outcomes(passed=1)


def test_a_failed_test_shows_what_was_sent(project):
    project.makepyfile(PUSH.format(tests=str(CLIENT / "tests")) + """
    def test_it(pushpit_workspace):
        bob = pushpit_workspace.device("android")
        by_httpx(pushpit_workspace, bob.token, alert("Hello"))
        assert bob.inbox()
    """)
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*- Pushpit: what was sent in the workspace ws-* -*", "e* apns  400  BadDeviceToken *Hello*",
        "  fcm-token-at-apns: *", "  fix: *"])


def test_a_gateway_that_runs_already_is_used_and_left_as_it_was(project, monkeypatch):
    with Gateway(gateways.binary()) as running, running.client() as client:
        monkeypatch.setenv("PUSHPIT_CONSOLE", running.console)
        monkeypatch.setenv("PUSHPIT_BINARY", "/nowhere")
        project.makepyfile("""
        import os
        def test_one(pushpit, pushpit_workspace):
            assert pushpit.console == os.environ["PUSHPIT_CONSOLE"]
            pushpit_workspace.device()
        def test_two(pushpit_workspace):
            assert not list(pushpit_workspace.devices())
        """)
        run(project).assert_outcomes(passed=2)
        assert [workspace.id for workspace in client.workspaces()] == ["default"]


def test_a_session_without_gateway_says_what_to_do(project, monkeypatch):
    monkeypatch.delenv("PUSHPIT_BINARY", raising=False)
    monkeypatch.setenv("PATH", "")
    project.makepyfile("def test_it(pushpit): pass")
    result = run(project)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no `pushpit` on the PATH: install it, set PUSHPIT_BINARY*"])
