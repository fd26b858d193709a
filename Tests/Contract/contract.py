#!/usr/bin/env python3
"""Checks the console against the OpenAPI document that it serves: contract.py [schemathesis option]...

Starts a gateway, sends pushes to a device in a workspace of its own, so that there is something to
see, and lets schemathesis call every operation. Run by scripts/test with the Python of
`scripts/sender-python contract`; `--seed N` repeats a run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "scripts"))

from gateway import Gateway, clean_environment, provider_token  # noqa: E402  (found by the line above)
from tally import write_tally  # noqa: E402

# Operations that are not called, each with its reason.
EXCLUDED: dict[str, str] = {}
TIME_LIMIT = 110  # seconds


def public_key(*algorithm: str) -> str:
    """A public key in PEM, whose private half nobody keeps."""
    private = subprocess.run(
        ["openssl", "genpkey", *algorithm], capture_output=True, check=True).stdout
    return subprocess.run(
        ["openssl", "pkey", "-pubout"], input=private, capture_output=True, check=True).stdout.decode()


def certificate(gateway: Gateway) -> str:
    """A provider certificate that the gateway has not seen."""
    path = gateway.folder / "made"
    gateway.command(
        "credentials", "create-certificate", "--app", "com.example.contract", "--out", f"{path}.p12",
        "--state", str(gateway.folder / "other-state"), "--console", "http://127.0.0.1:1")
    return Path(f"{path}.pem").read_text()


def push(gateway: Gateway, made: dict, device: dict, body: str, *fields: str) -> None:
    """Sends a push to the device as the workspace's sender would."""
    key = gateway.folder / "key.p8"
    key.write_text(made["credentials"]["apns"]["privateKey"])
    token = provider_token(made["credentials"]["apns"], key_file=str(key))
    options = [option for field in fields for option in ("-H", field)]
    subprocess.run(
        ["curl", "-q", "-sS", "--http2", "--cacert", gateway.environment["ca"], "-o", os.devnull,
         f"{gateway.url}/3/device/{device['tokens']['apns']}", "-H", f"authorization: bearer {token}",
         "-H", "apns-topic: com.example.app", *options, "-d", body],
        check=True, env=clean_environment())


def prepare(gateway: Gateway) -> dict[str, str]:
    """Makes what the calls are about; returns what schemathesis' configuration and hooks read."""
    made = gateway.request("POST", "/api/v1/workspaces", {})
    spare = gateway.request("POST", "/api/v1/workspaces", {})
    device = gateway.request(
        "POST", "/api/v1/devices",
        {"platform": "ios", "firebase": True, "online": True, "contract": "respondo"},
        workspace=made["id"])
    push(gateway, made, device, '{"aps":{"alert":{"title":"Hello","body":"there"}},"more":[1]}')
    push(gateway, made, device, '{"aps":{"content-availabl":1}}', "apns-priority: 5")
    push(gateway, made, device, "nonsense", "apns-push-type: alert")
    envelopes = gateway.envelopes(workspace=made["id"])
    assert len(envelopes) == 3, envelopes
    facts = {
        "path": {
            "deviceID": device["id"], "envelopeID": envelopes[0]["id"], "workspaceID": made["id"],
            "name": made["credentials"]["apns"]["file"],
        },
        "contract": "respondo",
        "keys": {
            "apnsKey": public_key("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
            "serviceAccount": public_key("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
            "certificate": certificate(gateway),
        },
    }
    return {
        "CONTRACT_FACTS": json.dumps(facts), "CONTRACT_WORKSPACE": made["id"],
        "CONTRACT_SPARE_WORKSPACE": spare["id"], "CONTRACT_HOOKS": str(HERE / "hooks.py"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run_schemathesis(gateway: Gateway, options: list[str]) -> tuple[int, str, dict]:
    """Runs all checks in all phases; returns the status, what was printed, and the report."""
    report = gateway.folder / "report.json"
    excluded = [part for name in EXCLUDED for part in ("--exclude-operation-id", name)]
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "--config-file",
        str(HERE / "schemathesis.toml"), "run", gateway.console + "/api/v1/openapi.json",
        "--no-color", "--continue-on-failure", "--report", "json", "--report-json-path", str(report),
        *excluded, *options,
    ]
    done = subprocess.run(
        command, cwd=gateway.folder, env=clean_environment() | prepare(gateway), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME_LIMIT)
    return done.returncode, done.stdout, json.loads(report.read_text())


def main(options: list[str]) -> int:
    with Gateway() as gateway:
        status, text, report = run_schemathesis(gateway, options)
        assert gateway.process.poll() is None, f"the gateway ended:\n{gateway.log_text}"
    operations, cases = report["operations"], report["test_cases"]
    failed = {name for failure in report["failures"] for name in failure["operations"]}
    if status != 0:
        print(text)
    for name, reason in EXCLUDED.items():
        print(f"not called: {name}: {reason}")
    print(
        f"schemathesis {report['schemathesis_version']}: {operations['tested']} of "
        f"{operations['total']} operations checked, {len(EXCLUDED)} excluded, "
        f"by {cases['generated']} calls, "
        f"{cases['unique_failures']} failures, in {report['running_time']:.0f} s; "
        f"repeat it with --seed {report['seed']}")
    tested = operations["tested"] == operations["total"] - len(EXCLUDED)
    failed_count = max(len(failed), 0 if status == 0 and tested else 1)
    write_tally(operations["tested"] - len(failed), failed_count, 0)
    return 1 if failed_count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
