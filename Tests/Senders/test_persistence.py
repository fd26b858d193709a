"""A gateway with --data that is killed under load: what it accepted is there again.

Five rounds in scripts/test; PUSHPIT_KILL_ROUNDS=200 for more. The seed is printed; PUSHPIT_SEED repeats it.
"""

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import ssl
import time

import httpx
import pytest

from gateway import Gateway, provider_token

ROUNDS = int(os.environ.get("PUSHPIT_KILL_ROUNDS", "5"))
# What was accepted so long before the kill must be there (the gateway promises 100 ms).
LAST_BATCH = 0.1
SENDERS = 40


async def push(gateway: Gateway, token: str, seconds: float, accepted: dict[str, float]) -> None:
    """Pushes as fast as answers come, kills the gateway after a while, and says what was accepted when."""
    authorization = f"bearer {provider_token(gateway.environment['apns'])}"
    limits = httpx.Limits(max_connections=1)
    url = f"{gateway.ready['gateway']}/3/device/{token}"
    context = ssl.create_default_context(cafile=gateway.state / "ca.pem")
    async with httpx.AsyncClient(http2=True, verify=context, limits=limits) as client:

        async def send() -> None:
            while True:
                answer = await client.post(
                    url, content=b'{"aps":{"alert":"Hello"}}',
                    headers={"authorization": authorization, "apns-topic": "com.example.app",
                             "apns-push-type": "alert"})
                if answer.status_code == 200:
                    accepted[answer.headers["apns-id"]] = time.monotonic()

        senders = [asyncio.create_task(send()) for _ in range(SENDERS)]
        await asyncio.sleep(seconds)
        os.kill(gateway.pid, signal.SIGKILL)
        await asyncio.gather(*senders, return_exceptions=True)


def recorded(gateway: Gateway, wanted: int) -> set[str]:
    """The ids of the newest envelopes, at least so many."""
    ids: set[str] = set()
    path = "/api/v1/envelopes?limit=1000"
    while True:
        page = gateway.request("GET", path)
        ids.update(item["apnsID"] for item in page["items"] if item["apnsID"])
        if page["next"] is None or len(ids) >= wanted:
            return ids
        path = f"/api/v1/envelopes?limit=1000&cursor={page['next']}"


def check_integrity(folder, name: str) -> None:
    """SQLite's own check, of a copy: the check itself would mend what it finds."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for file in folder.glob(name + "*"):
        shutil.copy(file, copy / file.name)
    connection = sqlite3.connect(copy / name)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_killed_gateway_opens_again_with_all_but_the_last_batch(tmp_path):
    seed = int(os.environ.get("PUSHPIT_SEED", random.randrange(2**32)))
    print(f"seed {seed}, {ROUNDS} rounds")
    chance = random.Random(seed)
    data = tmp_path / "data.db"
    gateway = Gateway("--data", str(data), "--log-level", "warning")
    total = missing = 0
    token = None
    try:
        for _ in range(ROUNDS):
            gateway.start()
            token = token or gateway.make_device("ios", online=True).token
            accepted: dict[str, float] = {}
            asyncio.run(push(gateway, token, chance.uniform(0.05, 0.6), accepted))
            gateway.process.wait()
            killed_at = time.monotonic()
            newest = max(accepted.values(), default=killed_at)
            check_integrity(tmp_path, "data.db")
            gateway.start()
            found = recorded(gateway, len(accepted) + 1000)
            # The last answer came before the kill, so this asks for no less than what was promised.
            due = {id for id, at in accepted.items() if at < newest - LAST_BATCH}
            assert due <= found, f"seed {seed}: {len(due - found)} of {len(due)} are missing"
            total += len(accepted)
            missing += len(accepted.keys() - found)
            os.kill(gateway.pid, signal.SIGKILL)
            gateway.process.wait()
    finally:
        gateway.process.kill()
        shutil.rmtree(gateway.folder, ignore_errors=True)
    print(f"{total} pushes accepted, {missing} of the last batches lost in {ROUNDS} kills")
    assert total > 0


def test_a_full_disk_is_said_and_the_gateway_serves_on(tmp_path):
    limited = ("prlimit", "--fsize=400000", "--")
    if shutil.which(limited[0]) is None:
        pytest.skip("there is no prlimit here, so no file can be too large")
    gateway = Gateway("--data", str(tmp_path / "data.db"), prefix=limited)
    try:
        gateway.start()
        phone = gateway.make_device("ios", online=True).token
        accepted: dict[str, float] = {}

        async def fill() -> None:
            await push_some(gateway, phone, 600, accepted)

        asyncio.run(fill())
        assert len(accepted) == 600
        assert gateway.request("GET", "/api/v1/envelopes")["total"] == 600
        metrics = httpx.get(f"{gateway.ready['console']}/metrics", trust_env=False).text
        failed = next(
            line for line in metrics.splitlines() if line.startswith("pushpit_data_failed_batches_total "))
        assert int(failed.split()[1]) > 0
    finally:
        gateway.stop()
    assert "not written" in gateway.log_text
    shutil.rmtree(gateway.folder, ignore_errors=True)


async def push_some(gateway: Gateway, token: str, count: int, accepted: dict[str, float]) -> None:
    """Pushes so many times, each with a kilobyte of payload."""
    authorization = f"bearer {provider_token(gateway.environment['apns'])}"
    context = ssl.create_default_context(cafile=gateway.state / "ca.pem")
    body = ('{"aps":{"alert":"%s"}}' % ("x" * 1000)).encode()
    async with httpx.AsyncClient(http2=True, verify=context, trust_env=False) as client:
        for _ in range(count):
            answer = await client.post(
                f"{gateway.ready['gateway']}/3/device/{token}", content=body,
                headers={"authorization": authorization, "apns-topic": "com.example.app",
                         "apns-push-type": "alert"})
            accepted[answer.headers["apns-id"]] = time.monotonic()
