"""What the sender programs share: a job comes in on stdin, results go out on stdout.

job      {"environment": <what `pushpit env --json` prints>, "pushes": [{"token", "title", "body", ...}], "options": {}}
results  one object per push: {"accepted": true, "id": ...} or {"accepted": false, "error": <class name>, ...}

A push may have "advance": the workspace's clock is moved so far before this push is sent, and after
the answers to those before it. Or "settings": those of the workspace are changed just so.

Options of programs that otherwise send all pushes at once (aioapns):
  one_by_one    send the next when the answer to the last is there

Options every program of APNs takes where its library can:
  certificate   a PEM file with a client certificate and its key: it authenticates the connection,
                and there is no provider token

A program does what an app's server would: it uses its library as the library's own documentation
says. The only thing it changes is where the library connects to.
"""

import asyncio
import json
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from typing import Any


class Job:
    def __init__(self, document: dict):
        self.environment = document["environment"]
        self.apns = self.environment["apns"]
        self.fcm = self.environment["fcm"]
        self.ca = self.environment["ca"]
        self.pushes = document["pushes"]
        self.options = document.get("options", {})
        self.certificate = self.options.get("certificate")
        self.gateway = self.environment["gateway"]
        parts = urllib.parse.urlsplit(self.gateway)
        self.host, self.port = parts.hostname, parts.port

    def in_turn(self) -> Iterator[dict]:
        """The pushes, for a program that sends the next when it has the answer to the last."""
        for push in self.pushes:
            self.prepare(push)
            yield push

    async def answers(self, send: Callable[[dict], Awaitable[dict]]) -> list[dict]:
        """What a program gets that sends all pushes at once, or one by one where the job says so."""
        if self.options.get("one_by_one"):
            return [await send(push) for push in self.in_turn()]
        return await asyncio.gather(*[send(push) for push in self.pushes])

    def prepare(self, push: dict) -> None:
        """Does at the gateway what has to come before a push."""
        if "advance" in push:
            self.advance_clock(push["advance"])
        if "settings" in push:
            self.change_settings(push["settings"])

    def advance_clock(self, duration: str) -> None:
        self._call("POST", "clock", {"advance": duration})

    def change_settings(self, settings: dict) -> None:
        self._call("PATCH", "workspaces/default", {"settings": settings})

    def skip_pauses(self) -> list[float]:
        """Lets no time pass in the pauses that the library makes, and lists how long each was to be.

        What is to have changed after a pause is in the option "after_pause": settings.
        """
        pauses = []

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if "after_pause" in self.options:
                self.change_settings(self.options["after_pause"])

        time.sleep = pause
        return pauses

    def _call(self, method: str, path: str, body: dict) -> None:
        urllib.request.urlopen(urllib.request.Request(
            f"{self.environment['console']}/api/v1/{path}", method=method,
            data=json.dumps(body).encode(), headers={"content-type": "application/json"}),
            timeout=10).close()


def run(program: Callable[[Job], list[dict[str, Any]]]) -> None:
    json.dump(program(Job(json.load(sys.stdin))), sys.stdout)


def refusal(error: BaseException, **more: Any) -> dict[str, Any]:
    """The result of a push that the library reported as this exception."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return {"accepted": False, "error": kinds[0], "kinds": kinds, "text": str(error), **more}
