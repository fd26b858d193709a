"""How a push of FCM is sent: rightly, or in one of the ways in which a sender can be set up wrongly.

A push may have
  account   the service account's address, in place of its own
  project   the project to send for, in place of the service account's own
  bearer    the access token to send, in place of one that the service account gets
  path      a path to put before that of the API, as a wrong base URL has it

and for its content "data", beside or in place of "title" and "body", and in place of "token" a "topic"
or a "condition".

Options for all pushes: "service_account", another account's file, and "project", as in a push.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from google.auth.credentials import Credentials

from common import Job


class FixedBearer(Credentials):
    """An access token that comes from elsewhere: a refresh finds the same one."""

    def __init__(self, token: str, project: str):
        super().__init__()
        self.token = token
        self.project_id = project

    def refresh(self, request: Any) -> None:
        pass


class Way:
    def __init__(self, job: Job, push: dict):
        self.base = job.gateway + push.get("path", "")
        self.account = json.loads(
            Path(job.options.get("service_account", job.fcm["serviceAccount"])).read_text())
        if "account" in push:
            self.account["client_email"] = push["account"]
        self.project = push.get("project", job.options.get("project", self.account["project_id"]))
        self.account["project_id"] = self.project
        self.bearer = FixedBearer(push["bearer"], self.project) if "bearer" in push else None


FIELDS = ("account", "project", "bearer", "path")


class Clients:
    """A library's client for each way, made when it is first needed."""

    def __init__(self, job: Job, make: Callable[[Way], Any]):
        self._job, self._make = job, make
        self._made: dict[tuple, Any] = {}

    def of(self, push: dict) -> Any:
        key = tuple(push.get(name) for name in FIELDS)
        if key not in self._made:
            self._made[key] = self._make(Way(self._job, push))
        return self._made[key]


def target_of(push: dict) -> dict:
    return {key: push[key] for key in ("token", "topic", "condition") if key in push}
