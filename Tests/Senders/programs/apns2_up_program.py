"""apns2-up 0.9.0 (on hyper-up): waits for the server's SETTINGS, `iat` as a float."""

import hyper.tls

import apns2_module
from common import Job, run


def send_all(job: Job) -> list[dict]:
    hyper.tls.cert_loc = job.ca
    return apns2_module.send_all(job)


run(send_all)
