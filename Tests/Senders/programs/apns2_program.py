"""apns2 0.7.2 on hyper 0.7.0, h2 2.6.2 and PyJWT 1.7.1: the HTTP/2 stack of 2016."""

import collections
import collections.abc

# hyper and h2 look here for what Python 3.10 took away; those who still use them do the same.
for name in ("Iterable", "Mapping", "MutableMapping", "MutableSet"):
    setattr(collections, name, getattr(collections.abc, name))

import hyper.tls  # noqa: E402  (needs the names above)

import apns2_module  # noqa: E402
from common import Job, run  # noqa: E402


def send_all(job: Job) -> list[dict]:
    hyper.tls.cert_loc = job.ca
    return apns2_module.send_all(job)


run(send_all)
