"""`pushpit device` as its users have it: in a terminal with its keys, in a pipe, and in scripts."""

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

import pytest

from gateway import Gateway, binary, clean_environment, wait_for

WAIT = 15.0  # seconds, for what takes milliseconds on an idle machine
ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
MESSAGE = {
    "aps": {"alert": {"title": "Hello", "body": "Привет, 你好"}},
    "respondo": {
        "type": "message", "conversation_id": "c1", "message_id": "m1",
        "deep_link": "respondo://conversation/c1"}}


class Screen:
    """`pushpit device` on a pseudo terminal."""

    def __init__(self, gateway, *options, columns=80, **environment):
        self.gateway, self.text = gateway, ""
        self.master, self.slave = pty.openpty()
        self.resize(columns)
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [str(binary()), "device", *options], stdin=self.slave, stdout=self.slave,
            stderr=self.slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env=clean_environment() | {
                "TERM": "xterm", "PUSHPIT_CONSOLE": gateway.console, **environment})
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        with contextlib.suppress(OSError):
            while piece := os.read(self.master, 65536):
                self.text += piece.decode(errors="replace")

    def resize(self, columns):
        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, size)

    @property
    def plain(self) -> str:
        return ESCAPES.sub("", self.text)

    @property
    def last_line(self) -> str:
        return re.split(r"[\r\n]", self.plain)[-1]

    def press(self, keys: str):
        os.write(self.master, keys.encode())

    def wait(self, words: str, after: int = 0) -> int:
        """Waits until the screen says so; returns where it does."""
        try:
            wait_for(lambda: words in self.plain[after:], WAIT, repr(words))
        except AssertionError as error:
            raise AssertionError(f"{error}; the screen:\n{self.plain}") from None
        return self.plain.index(words, after)

    def device(self) -> dict:
        """The console's view of the device that was announced first."""
        self.wait("? help")
        identifier = re.search(r"^([0-9a-f]{12}) ", self.plain, re.MULTILINE)[1]
        return self.gateway.request("GET", f"/api/v1/devices/{identifier}")

    def until(self, condition, what):
        return wait_for(lambda: condition(self.device()), WAIT, what)

    def end(self) -> int:
        status = self.process.wait(WAIT)
        assert termios.tcgetattr(self.slave) == self.before, "the terminal's modes are not as before"
        os.close(self.slave)
        self.thread.join(WAIT)
        os.close(self.master)
        return status


@pytest.fixture
def screen(gateway):
    opened = []

    def open_screen(*options, **more):
        opened.append(Screen(gateway, *options, **more))
        return opened[-1]

    yield open_screen
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def push(gateway, token, payload=MESSAGE):
    sent = gateway.command(
        "send", "apns", "--token", token, "--payload", json.dumps(payload), "--state",
        str(gateway.state))
    assert sent.stdout.startswith("200 ")


def test_each_key_does_to_the_device_what_an_owner_does(screen, gateway):
    phone = screen("--name", "Ann")
    token = phone.device()["tokens"]["apns"]
    assert f"apns token: {token}" in phone.plain
    assert phone.last_line == " Ann · online · app closed · 0 pushes · ? help "
    push(gateway, token)
    phone.wait("1 push ")
    phone.press("t")
    phone.until(lambda d: d["inbox"][-1]["state"] == "tapped", "the tap")
    phone.wait("tapped")
    push(gateway, token, {"aps": {"alert": "to be dismissed"}})
    phone.wait("2 pushes")
    phone.press("d")
    phone.until(lambda d: d["inbox"][-1]["state"] == "dismissed", "the dismissal")
    phone.press("o")
    phone.until(lambda d: not d["online"], "offline")
    phone.wait("Ann · offline")
    phone.press("o")
    phone.until(lambda d: d["online"], "online")
    phone.press("p")
    phone.until(lambda d: d["powerSaving"], "power saving")
    phone.wait("· power saving ·")
    phone.press("p")
    phone.until(lambda d: not d["powerSaving"], "no power saving")
    phone.press("r")
    new = phone.until(lambda d: d["tokens"]["apns"] != token and d["tokens"]["apns"], "a rotation")
    phone.wait(f"token-rotated  apns token: {new}")
    phone.press("u")
    phone.until(lambda d: not d["installed"], "the uninstall")
    phone.wait("Ann · uninstalled")
    phone.press("u")
    phone.until(lambda d: d["installed"], "the installation")
    phone.press("l")
    phone.wait("logged out")
    cleared = phone.device()["tokens"]["apns"]
    push(gateway, cleared, {"aps": {"alert": "after the logout"}})
    assert "sent-after-clear" in str(phone.until(
        lambda _: gateway.request("GET", "/api/v1/envelopes", token=cleared)["items"], "the push"))
    phone.press("?")
    phone.wait("q  quit")
    identifier = phone.device()["id"]
    phone.press("q")
    assert phone.end() == 0
    assert phone.last_line == ""
    listed = gateway.request("GET", "/api/v1/devices", limit=1000)["items"]
    assert identifier not in [device["id"] for device in listed]


def test_the_conversation_is_asked_for_and_the_newest_is_offered(screen, gateway):
    phone = screen("--contract", "respondo")
    push(gateway, phone.device()["tokens"]["apns"])
    phone.wait("1 push ")
    phone.press("f")
    phone.wait("conversation (empty: close the app): c1")
    phone.press("\r")
    phone.until(lambda d: d["foreground"] == {"conversation": "c1"}, "the conversation")
    phone.press("f\x15чat\x7f2\x1b[A\r")
    phone.until(lambda d: d["foreground"] == {"conversation": "чa2"}, "the typed conversation")
    phone.press("f\x15\r")
    phone.until(lambda d: d["foreground"] is False, "the closed app")
    place = phone.wait("closed the app")
    phone.press("f")
    phone.wait("conversation (empty", place)
    phone.press("\x1bq")
    assert phone.end() == 0


def test_a_push_is_a_card_with_what_the_sdk_read_and_what_phones_drop(screen, gateway):
    phone = screen(columns=60)
    payload = json.loads(json.dumps(MESSAGE))
    payload["aps"] |= {"sonud": "default", "alert": {"title": "A\x1b[31m", "body": "long word " * 20}}
    push(gateway, phone.device()["tokens"]["apns"], payload)
    phone.wait("1 push ")
    lines = [line for line in phone.plain.splitlines() if line.startswith("│")]
    assert lines[0] == "│ A [31m"
    assert lines[1].startswith("│ long word long word")
    assert "│ link      respondo://conversation/c1" in lines
    assert "│ contract  respondo  message m1" in lines
    assert any(line.startswith("│ lint-key-misspelt  /aps/sonud") for line in lines)
    assert all(len(line) <= 60 for line in lines)
    assert "\x1b[33mlint-key-misspelt" in phone.text
    phone.press("q")
    assert phone.end() == 0


def test_the_status_line_follows_the_width(screen):
    phone = screen("--name", "A phone with a name of some length", columns=120)
    assert phone.device() and phone.last_line.endswith("? help ")
    phone.resize(30)
    wait_for(lambda: phone.last_line == " A phone with a name of some…", WAIT, "a narrow line")
    phone.press("\x04")
    assert phone.end() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_tidily(screen, gateway, number):
    phone = screen()
    identifier = phone.device()["id"]
    phone.process.send_signal(number)
    assert phone.end() == 0
    assert phone.last_line == ""
    assert f'"{identifier}"' not in json.dumps(gateway.request("GET", "/api/v1/devices", limit=1000))


def test_control_z_gives_the_terminal_back_and_continuing_takes_it_again(screen):
    phone = screen()
    phone.device()
    wait_for(lambda: termios.tcgetattr(phone.slave) != phone.before, WAIT, "raw keys")
    phone.press("\x1a")
    _, status = os.waitpid(phone.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert termios.tcgetattr(phone.slave) == phone.before
    # What it wrote before it stopped is still to be read here.
    wait_for(lambda: phone.last_line == "", WAIT, "the status line's end")
    phone.process.send_signal(signal.SIGCONT)
    wait_for(lambda: phone.last_line.endswith("? help "), WAIT, "the status line")
    assert termios.tcgetattr(phone.slave) != phone.before
    phone.press("q")
    assert phone.end() == 0


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_simple_terminals_get_no_colour(screen, gateway, environment):
    phone = screen("--exit-after", "1", **environment)
    wait_for(lambda: "apns token: " in phone.plain, WAIT, "the token")
    push(gateway, re.search(r"apns token: (\w+)", phone.plain)[1])
    assert phone.end() == 0
    assert not re.search(r"\x1b\[[0-9;]*m", phone.text)
    if "TERM" in environment:
        assert "\x1b" not in phone.text
        assert "\r\npush  Hello: Привет, 你好\r\n" in phone.text


def test_when_the_gateway_goes_it_says_so_and_restores_the_terminal():
    for stop in (signal.SIGTERM, signal.SIGKILL):
        with Gateway() as running:
            phone = Screen(running)
            phone.device()
            os.kill(running.pid, stop)
            assert phone.end() == 1
            last = phone.plain.splitlines()[-1]
            reason = "ended the stream: The gateway is stopping." if stop == signal.SIGTERM else "was lost: "
            assert re.match(rf"Error: the gateway at http://\S+ {reason}", last)


@contextlib.contextmanager
def piped(gateway, *options):
    process = subprocess.Popen(
        [str(binary()), "device", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        env=clean_environment() | {"PUSHPIT_CONSOLE": gateway.console})
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_in_a_pipe_it_prints_plain_lines_at_once(gateway):
    with piped(gateway, "--exit-after", "1") as process:
        announced = process.stdout.readline().split()
        assert announced[1:] == ["ios", "com.example.app"]
        token = process.stdout.readline().removeprefix("apns token: ").strip()
        push(gateway, token)
        assert process.stdout.readline() == "push  Hello: Привет, 你好\n"
        assert json.loads(process.stdout.readline()) == {"respondo": MESSAGE["respondo"]}
        assert process.wait(WAIT) == 0


def test_json_is_an_object_a_line_the_device_first(gateway):
    with piped(gateway, "--json", "--exit-after", "1", "--platform", "android", "--keep") as process:
        device = json.loads(process.stdout.readline())
        gateway.request("POST", f"/api/v1/devices/{device['id']}/rotate-token")
        rotated = json.loads(process.stdout.readline())
        assert rotated["type"] == "token-rotated" and rotated["device"] == device["id"]
        gateway.command(
            "send", "fcm", "--token", rotated["token"], "--title", "Hi", "--state", str(gateway.state))
        event = json.loads(process.stdout.readline())
        assert (event["type"], event["title"], event["state"]) == ("push", "Hi", "displayed")
        assert process.wait(WAIT) == 0
        # --keep leaves it there, offline.
        assert gateway.request("GET", f"/api/v1/devices/{device['id']}")["online"] is False
        gateway.request("DELETE", f"/api/v1/devices/{device['id']}")


def test_a_hundred_devices_are_one_process(gateway):
    before = gateway.request("GET", "/api/v1/devices", limit=1)["total"]
    options = ["--count", "100", "--name", "Load", "--json", "--exit-after", "100"]
    with piped(gateway, *options) as process:
        devices = [json.loads(process.stdout.readline()) for _ in range(100)]
        assert [device["name"] for device in devices[::99]] == ["Load 1", "Load 100"]
        for device in devices:
            gateway.request(
                "POST", f"/api/v1/devices/{device['id']}/rotate-token")
        rotated = [json.loads(process.stdout.readline()) for _ in range(100)]
        for event in rotated:
            push(gateway, event["token"], {"aps": {"alert": event["device"]}})
        events = [json.loads(process.stdout.readline()) for _ in range(100)]
        assert [event["body"] for event in events] == [event["device"] for event in events]
        assert {event["device"] for event in events} == {device["id"] for device in devices}
        assert process.wait(WAIT) == 0
    assert gateway.request("GET", "/api/v1/devices", limit=1)["total"] == before


def test_with_many_devices_keys_act_on_the_one_of_the_newest_push(screen, gateway):
    phones = screen("--count", "3", "--name", "Ann")
    phones.device()
    tokens = re.findall(r"apns token: (\w+)", phones.plain)
    push(gateway, tokens[1])
    phones.wait(" Ann 2 · 1 of 3 devices · online · app closed · 1 push ")
    phones.press("o")
    wait_for(
        lambda: re.search(r"Ann 2 \(\w+\): went offline", phones.plain), WAIT, "what the key did")
    # A question stays one about the device that it was asked for.
    phones.press("f")
    phones.wait("conversation (empty")
    push(gateway, tokens[2])
    phones.wait("(%s)" % gateway.envelopes(token=tokens[2])[0]["deliveries"][0]["device"])
    phones.press("\x15c9\r")
    place = phones.wait(": opened the conversation c9")
    assert "Ann 2 (" in phones.plain[place - 30:place]
    phones.press("q")
    assert phones.end() == 0


@pytest.mark.parametrize("options, advice", [
    (["--count", "0"], "--count takes a number from 1 to 1000, not '0'"),
    (["--count", "1001"], "--count takes a number from 1 to 1000, not '1001'"),
    (["--exit-after", "x"], "--exit-after takes a number from 1"),
    (["--count", "2", "--token", "ab"], "--token is one device's; leave it out with --count"),
    (["--platform", "web", "--firebase"], "--firebase is for --platform ios, not for web"),
    (["--token-delay", "soon"], "--token-delay takes a duration such as 1500ms, 90s, 20m or 1h"),
    (["--token-kind", "vip"], "/tokens/vip"),
    (["--token", "xyz"], "/tokens/apns"),
])
def test_misuse_is_64_and_says_what_to_do(gateway, options, advice):
    result = gateway.command("device", *options, check=False)
    assert result.returncode == 64 and result.stdout == ""
    assert advice in result.stderr and "See 'pushpit device --help'" in result.stderr
