"""What no schema can say: schemathesis loads this, and asks before each call of the console."""

import json
import os

import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

# Keys, certificates, a device and an envelope of this run: none of them can be made up.
FACTS = json.loads(os.environ["CONTRACT_FACTS"])


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    if case.meta.phase.name is not TestPhase.STATEFUL:
        name_what_exists(operation, case)
    if isinstance(case.body, dict) and is_valid(case, ParameterLocation.BODY):
        if operation == "addCredential":
            bring_good_keys(case.body)
        if operation == "expect":
            case.body["within"] = "50ms"
        if operation == "makeDevice":
            keep_to_what_exists(case.body)


def is_valid(case, location) -> bool:
    component = case.meta.components.get(location)
    return case.meta.generation.mode is GenerationMode.POSITIVE or (
        component is not None and component.mode is GenerationMode.POSITIVE)


def name_what_exists(operation, case):
    """Calls are about what is there; those that remove it find nothing."""
    if operation in ("removeDevice", "removeWorkspace", "removeCredential"):
        return
    if is_valid(case, ParameterLocation.PATH):
        for name in set(case.path_parameters or {}) & set(FACTS["path"]):
            case.path_parameters[name] = FACTS["path"][name]
    if operation == "streamDevices" and is_valid(case, ParameterLocation.QUERY):
        case.query["device"] = [FACTS["path"]["deviceID"]]


def bring_good_keys(body):
    for name in ("publicKey", "certificate"):
        if body.get(name):
            body[name] = FACTS["keys"][body["kind"]]


def keep_to_what_exists(body):
    """Contracts and channels have to exist, and two tokens of a device cannot be the same."""
    if body.get("contract"):
        body["contract"] = FACTS["contract"]
    body.pop("channels", None)
    tokens, seen = body.get("tokens") or {}, set()
    for kind, token in list(tokens.items()):
        if isinstance(token, str):
            if token.lower() in seen:
                del tokens[kind]
            seen.add(token.lower())
