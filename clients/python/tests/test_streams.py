"""How the client reads server-sent events: the format, cut into any pieces, and broken connections."""

import threading
from datetime import timedelta

import pytest
from fake_console import CUT, DEVICE, SILENCE, WORKSPACE, answer, problem, stream
from pushpit import (
    ConsoleError, ConsoleUnreachable, Event, EventStream, ExpectationFailed, PushpitError, _Body,
    _EventParser)

TEXT = (
    b": comment\n\nid: 1\nevent: push\ndata: {\"a\":\ndata: 1}\n\n"
    b"event:push\r\ndata:{\"title\":\"\xc3\xa9 \xe6\xbc\xa2\"}\r\nid:2\r\n\r\n"
    b"id: 9\n\ndata: plain\r\rid: 4\0\ndata: {}\nretry: 5\nunknown\n\ndata: {\"unfinished\": 1}\n")
EVENTS = [
    Event("push", {"a": 1}, "1"), Event("push", {"title": "é 漢"}, "2"),
    Event("message", {"data": "plain"}, None), Event("message", {}, None)]


@pytest.fixture
def phone(console, client):
    console.answers += [answer(WORKSPACE, 201), answer(DEVICE, 201)]
    return client.workspace().device()


def push(number: int, title: str = "") -> bytes:
    return b'id: %d\nevent: push\ndata: {"title":"%s"}\n\n' % (number, title.encode())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_whatever_pieces_they_come_in(size):
    parser, events = _EventParser(), []
    for start in range(0, len(TEXT), size):
        events += parser.feed(TEXT[start:start + size])
    assert events == EVENTS


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_chunks_are_the_same_whatever_pieces_they_come_in(size):
    body, content = _Body(is_chunked=True), b""
    text = b"5\r\nhello\r\n1;x=y\r\n!\r\nA\r\n0123456789\r\n0\r\n\r\n"
    for start in range(0, len(text), size):
        assert not body.is_complete
        content += body.feed(text[start:start + size])
        if body.is_complete:
            break
    assert content == b"hello!0123456789" and body.is_complete


def test_a_stream_ends_where_the_console_ends_it(console, phone):
    console.answers.append(stream(push(1), b": heartbeat\n\n", push(2)))
    with phone.stream(lasting="1s") as events:
        assert [event.id for event in events] == ["1", "2"]
        assert events.last_id == "2"
    request = console.requests[-1]
    assert request["target"] == "/api/v1/devices/d1/stream?workspace=ws-1&for=1s"
    assert request["fields"]["accept"] == "text/event-stream"
    assert "last-event-id" not in request["fields"]


def test_a_broken_stream_goes_on_where_it_was(console, phone):
    console.answers += [
        stream(push(1), push(2), is_whole=False), stream(push(3)[:9], is_whole=False), stream(push(3))]
    assert [event.id for event in phone.stream()] == ["1", "2", "3"]
    assert [request["fields"].get("last-event-id") for request in console.requests[-3:]] == [
        None, "2", "2"]


def test_a_stream_that_was_read_too_slowly_goes_on(console, phone):
    slow = b'event: notice\ndata: {"type":"notice","notice":{"code":"reader-too-slow","text":""}}\n\n'
    console.answers += [stream(push(1), slow), stream(push(2))]
    assert [event.id for event in phone.stream()] == ["1", "2"]


def test_a_silent_connection_is_opened_again(console, phone, monkeypatch):
    monkeypatch.setattr(EventStream, "SILENCE_LIMIT", 0.05)
    console.answers += [stream(push(1), SILENCE), stream(push(2))]
    assert [event.id for event in phone.stream()] == ["1", "2"]


def test_a_stream_that_breaks_again_and_again_is_given_up(console, phone, monkeypatch):
    monkeypatch.setattr(EventStream, "REOPEN_LIMIT", 2)
    console.answers += [[CUT]] * 9
    with pytest.raises(ConsoleUnreachable):
        phone.stream()
    console.answers[:] = [stream(is_whole=False), [CUT], [CUT], [CUT]]
    with pytest.raises(ConsoleUnreachable):
        list(phone.stream())
    assert len(console.answers) == 1


def test_a_stream_of_what_does_not_speak_http_is_refused(console, phone):
    console.answers.append(b"hello\r\n\r\n")
    with pytest.raises(ConsoleUnreachable, match="BadStatusLine.*hello"):
        phone.stream()


def test_a_stream_that_is_refused_says_why(console, phone):
    console.answers.append(problem(404, "not-found", 'There is no device "d1".'))
    with pytest.raises(ConsoleError, match='There is no device "d1"'):
        phone.stream()


def test_waiting_passes_over_what_does_not_fit(console, phone):
    console.answers.append(stream(push(1, "One"), push(2, "Two"), SILENCE))
    with phone.stream() as events:
        assert events.wait("push", where=lambda event: event.data["title"] == "Two").id == "2"


def test_waiting_in_vain_says_what_came_and_the_stream_stays_good(console, phone):
    go_on = threading.Event()

    def pieces():
        yield from stream(push(1, "One"))[:2]
        go_on.wait(5)
        yield from stream(push(2, "Two"))[1:]

    console.answers.append(pieces())
    with phone.stream() as events:
        with pytest.raises(ExpectationFailed) as caught:
            events.wait("token-rotated", within="100ms")
        assert str(caught.value) == (
            'no token-rotated came from Ann (d1) within 100ms; what came:\n  push {"title": "One"}')
        go_on.set()
        assert events.wait("push").id == "2"


def test_waiting_at_the_end_of_a_stream_says_that_it_ended(console, phone):
    console.answers.append(stream())
    with pytest.raises(ExpectationFailed, match="before the stream ended; nothing came"):
        phone.stream().wait("push")


@pytest.mark.parametrize("within", [0, "0s", timedelta(0), "0.0m"])
def test_waiting_takes_any_form_of_duration(console, phone, within):
    console.answers.append(stream(SILENCE))
    with phone.stream() as events, pytest.raises(ExpectationFailed, match="nothing came"):
        events.wait(within=within)


def test_waiting_for_what_is_no_duration_is_an_error(console, phone):
    console.answers.append(stream(SILENCE))
    with phone.stream() as events, pytest.raises(PushpitError, match="one looks like '500ms'"):
        events.wait(within="soon")


def test_closing_wakes_a_thread_that_waits(console, phone):
    console.answers.append(stream(push(1), SILENCE))
    events, came, first = phone.stream(), [], threading.Event()

    def read():
        for event in events:
            came.append(event.id)
            first.set()

    thread = threading.Thread(target=read)
    thread.start()
    assert first.wait(5)
    events.close()
    thread.join(5)
    assert not thread.is_alive() and came == ["1"]


def test_the_events_of_a_workspace_are_chosen_by_kind(console, client):
    console.answers += [answer(WORKSPACE, 201), stream()]
    list(client.workspace().events(["envelope", "delivery"], resume_after="41"))
    assert console.requests[-1]["target"] == (
        "/api/v1/events?workspace=ws-1&kind=envelope%2Cdelivery")
    assert console.requests[-1]["fields"]["last-event-id"] == "41"
