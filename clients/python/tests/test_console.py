"""How the client speaks to the console: connections that are kept, errors, pages."""

import socket
import threading
from datetime import datetime, timedelta, timezone

import pytest
from fake_console import CUT, DEVICE, SILENCE, WORKSPACE, answer, problem
from pushpit import ConsoleError, ConsoleUnreachable, Pushpit, PushpitError


def test_calls_share_one_connection(console, client):
    console.answers += [answer({"items": []})] * 3
    for _ in range(3):
        client.workspaces()
    assert len(console.requests) == 3 and len(console.connections) == 1


def test_a_connection_that_the_console_closed_while_idle_is_not_used_again(console, client):
    console.answers += [answer(WORKSPACE, 201), answer(WORKSPACE, 201)]
    client.workspace()
    console.cut()
    assert client.workspace().id == "ws-1"
    assert [request["method"] for request in console.requests] == ["POST", "POST"]


def test_a_get_is_asked_again_when_a_kept_connection_breaks(console, client):
    console.answers += [answer({"items": []}), [CUT], answer({"items": [WORKSPACE]})]
    client.workspaces()
    assert [workspace.id for workspace in client.workspaces()] == ["ws-1"]


def test_a_post_is_never_sent_twice(console, client):
    console.answers += [answer({"items": []}), [CUT], answer(WORKSPACE, 201)]
    client.workspaces()
    with pytest.raises(ConsoleUnreachable, match="POST /api/v1/workspaces: .* broke before the answer"):
        client.workspace()
    assert [request["method"] for request in console.requests] == ["GET", "POST"]


def test_a_get_on_a_new_connection_is_not_asked_again(console, client):
    console.answers += [[CUT], answer({"items": []})]
    with pytest.raises(ConsoleUnreachable):
        client.workspaces()
    assert len(console.requests) == 1


def test_an_answer_with_connection_close_ends_the_connection(console, client):
    console.answers += [answer({"items": []}, fields=["connection: close"]), answer({"items": []})]
    client.workspaces()
    client.workspaces()
    assert len(console.connections) == 2


def test_an_answer_that_does_not_come_says_so(console):
    console.answers.append([SILENCE])
    with pytest.raises(PushpitError, match=r"GET /api/v1/workspaces: no answer .* within 0.05 s"):
        Pushpit(console.url, timeout=0.05).workspaces()


def test_threads_have_a_connection_each_and_the_answer_to_their_own_question(console, client):
    barrier, answers = threading.Barrier(8), {}

    def ask(name):
        barrier.wait()
        for _ in range(20):
            answers[name] = client.workspaces()

    threads = [threading.Thread(target=ask, args=[name]) for name in range(8)]
    console.answers += [answer({"items": [WORKSPACE]})] * 160
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all([found.id for found in answer] == ["ws-1"] for answer in answers.values())
    assert len(console.requests) == 160 and len(console.connections) <= 8


def test_no_console_says_how_to_start_one():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ConsoleUnreachable) as caught:
        Pushpit(f"http://127.0.0.1:{port}").workspaces()
    assert f"no Pushpit console at http://127.0.0.1:{port}" in str(caught.value)
    assert "pushpit serve" in str(caught.value) and "PUSHPIT_CONSOLE" in str(caught.value)


def test_another_server_is_not_taken_for_a_console(console, client):
    console.answers.append(answer(b"<html>hello</html>", 404, "text/html; charset=utf-8"))
    with pytest.raises(PushpitError, match="answered 404 with text/html, as no console does"):
        client.workspaces()


def test_what_does_not_speak_http_is_not_taken_for_a_console(console, client):
    console.answers.append([b"\x15\x03\x03\x00\x02\x02\x46\r\n", CUT])
    with pytest.raises(ConsoleUnreachable, match="port of its console"):
        client.workspaces()


@pytest.mark.parametrize("url", ["ftp://localhost", "http://", ""])
def test_what_is_no_url_is_refused_at_once(url, monkeypatch):
    monkeypatch.setenv("PUSHPIT_CONSOLE", "ftp://localhost")
    with pytest.raises(PushpitError, match="one looks like http://localhost:8197"):
        Pushpit(url)


def test_the_environment_names_the_console_and_its_token(console, monkeypatch):
    monkeypatch.setenv("PUSHPIT_CONSOLE", console.url.removeprefix("http://"))
    monkeypatch.setenv("PUSHPIT_CONSOLE_TOKEN", "secret")
    console.answers.append(answer({"items": []}))
    Pushpit().workspaces()
    assert console.requests[0]["fields"]["authorization"] == "Bearer secret"


def test_a_missing_token_says_where_to_give_it(console, client):
    console.answers.append(problem(401, "unauthorized", "Send the console token."))
    with pytest.raises(ConsoleError, match="PUSHPIT_CONSOLE_TOKEN"):
        client.workspaces()


def test_a_refusal_names_each_wrong_value(console, workspace):
    errors = [
        {"pointer": "/platform", "detail": "expected one of ios, android, web"},
        {"parameter": "limit", "detail": "expected a number"}]
    console.answers.append(problem(400, "bad-request", "Two things.", errors=errors))
    with pytest.raises(ConsoleError) as caught:
        workspace.device("symbian")
    assert str(caught.value).split("\n") == [
        "POST /api/v1/devices?workspace=ws-1: 400 bad-request: Two things.",
        "  /platform: expected one of ios, android, web", "  limit: expected a number"]
    assert caught.value.status == 400 and caught.value.code == "bad-request"
    assert caught.value.errors == errors


def test_envelopes_are_read_page_by_page_as_far_as_one_iterates(console, workspace):
    console.answers += [
        answer({"items": [{"id": "e4"}, {"id": "e3"}], "next": "e3"}),
        answer({"items": [{"id": "e2"}], "next": None})]
    found = workspace.envelopes(service="apns")
    assert next(found).id == "e4" and len(console.requests) == 1
    assert [envelope.id for envelope in found] == ["e3", "e2"]
    assert [request["target"] for request in console.requests] == [
        "/api/v1/envelopes?workspace=ws-1&limit=1000&service=apns",
        "/api/v1/envelopes?workspace=ws-1&cursor=e3&limit=1000&service=apns"]


def test_filters_are_quoted_and_take_devices_and_times(console, workspace):
    console.answers += [answer(DEVICE, 201), answer({"items": [], "next": None})]
    phone = workspace.device()
    since = datetime(2026, 1, 15, 1, 30, 15, 250000, timezone.utc)
    assert list(workspace.envelopes(device=phone, since=since, words="a&b ü")) == []
    assert console.requests[1]["target"].endswith(
        "&device=d1&since=2026-01-15T01%3A30%3A15.250%2B00%3A00&q=a%26b+%C3%BC")


def test_a_time_without_zone_is_refused(workspace):
    with pytest.raises(PushpitError, match="has no time zone"):
        list(workspace.envelopes(since=datetime(2026, 1, 15)))


@pytest.mark.parametrize(
    "given, sent", [("61m", "61m"), (90, "90000ms"), (0.25, "250ms"), (timedelta(hours=2), "7200000ms")])
def test_durations_are_text_seconds_or_timedeltas(console, workspace, given, sent):
    console.answers.append(answer({"now": "2026-01-15T01:30:15.250Z"}))
    now = workspace.clock.advance(given)
    assert console.requests[0]["body"] == {"advance": sent}
    assert now == datetime(2026, 1, 15, 1, 30, 15, 250000, timezone.utc)


def test_a_workspace_that_is_gone_is_deleted_without_complaint(console, workspace):
    console.answers.append(problem(404, "unknown-workspace", "There is no workspace."))
    workspace.delete()


def test_an_error_inside_is_not_hidden_by_a_gateway_that_is_gone(console, client):
    console.answers.append(answer(WORKSPACE, 201))
    with pytest.raises(ZeroDivisionError), client.workspace():
        console.stop()
        1 / 0


def test_a_device_without_token_says_what_it_waits_for(console, workspace):
    console.answers.append(answer(dict(DEVICE, tokens={"apns": None, "fcm": None}), 201))
    with pytest.raises(PushpitError, match="tokenDelay"):
        workspace.device().token


def test_a_device_is_made_online_and_acts_on_what_it_is_given(console, workspace):
    console.answers += [answer(DEVICE, 201), answer(DEVICE), answer(DEVICE)]
    phone = workspace.device("ios", contract="respondo")
    phone.tap()
    phone.tap("e7")
    assert [request["body"] for request in console.requests] == [
        {"platform": "ios", "online": True, "contract": "respondo"}, {}, {"envelope": "e7"}]
    assert console.requests[2]["target"] == "/api/v1/devices/d1/tap?workspace=ws-1"


def test_the_report_and_the_connections_are_asked_for(console, workspace):
    console.answers += [answer({"findings": []}), answer({"items": [{"id": 1}], "next": None})]
    assert workspace.report() == {"findings": []} and workspace.connections() == [{"id": 1}]
    assert console.requests[0]["target"] == "/api/v1/report?workspace=ws-1"


def test_a_gateway_that_is_not_ready_yet_is_waited_for(console, client):
    console.answers += [problem(503, "not-ready", "It starts."), answer({})]
    assert client.wait_ready() is client
    console.answers.append(problem(503, "not-ready", "It starts."))
    with pytest.raises(ConsoleError, match="It starts"):
        client.wait_ready(within=0)
