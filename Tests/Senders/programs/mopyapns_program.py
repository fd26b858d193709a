"""mopyapns 0.8.0 (apns2 on httpx): HTTP/2 by ALPN, one connection, `iat` as a float."""

import os

import apns2_module
from common import Job, run


def send_all(job: Job) -> list[dict]:
    os.environ["SSL_CERT_FILE"] = job.environment["caBundle"]
    return apns2_module.send_all(job)


run(send_all)
