"""Every exception that an answer of FCM can cause, reached through the libraries that have one for each."""

import json
import subprocess
from dataclasses import dataclass

import pytest

from checks import push
from gateway import Gateway
from senders import pinned_python, run_sender

# What is wrong, and what the gateway answers: status and reason of each request.
CAUSES = {
    "the token is of APNs": [(400, "INVALID_ARGUMENT")],
    "the message is over 4096 bytes": [(400, "INVALID_ARGUMENT")],
    "the app was uninstalled": [(404, "UNREGISTERED")],
    "the token is of another project": [(403, "SENDER_ID_MISMATCH")],
    "the account may not send for the project": [(403, "IAM_PERMISSION_DENIED")],
    "the API is off": [(403, "SERVICE_DISABLED")],
    "the bearer is wrong": [(401, "UNAUTHENTICATED")],
    "APNs does not take the project's key": [(401, "THIRD_PARTY_AUTH_ERROR")],
    "the base URL is wrong": [(404, None)],
    "the body is over the front end's limit": [(413, None)],
    "the device has had its messages": [(200, None), (429, "QUOTA_EXCEEDED")],
    "the project has had its messages": [(200, None), (429, "RATE_LIMIT_EXCEEDED")],
    "the account is not known": [(400, "invalid_grant")],
}


@dataclass(frozen=True)
class Library:
    program: str
    options: dict
    errors: dict[str, str]
    """The exception by cause; what is absent cannot be reached."""
    repeats: dict[str, int]
    """How often the library asks in all, where not once."""


PLATFORM_ERRORS = {
    "the token is of APNs": "InvalidArgumentError",
    "the message is over 4096 bytes": "InvalidArgumentError",
    "the app was uninstalled": "UnregisteredError",
    "the token is of another project": "SenderIdMismatchError",
    "the account may not send for the project": "PermissionDeniedError",
    "the API is off": "PermissionDeniedError",
    "the bearer is wrong": "UnauthenticatedError",
    "APNs does not take the project's key": "ThirdPartyAuthError",
    "the base URL is wrong": "NotFoundError",
    "the body is over the front end's limit": "UnknownError",
    "the device has had its messages": "QuotaExceededError",
    "the project has had its messages": "ResourceExhaustedError",
}
# It takes every 403 for a foreign token, and waits out every 429: those never become an exception.
PYFCM_ERRORS = {
    "the token is of APNs": "InvalidDataError",
    "the message is over 4096 bytes": "InvalidDataError",
    "the app was uninstalled": "FCMNotRegisteredError",
    "the token is of another project": "FCMSenderIdMismatchError",
    "the account may not send for the project": "FCMSenderIdMismatchError",
    "the API is off": "FCMSenderIdMismatchError",
    "the bearer is wrong": "AuthenticationError",
    "APNs does not take the project's key": "AuthenticationError",
    "the base URL is wrong": "FCMNotRegisteredError",
    "the body is over the front end's limit": "FCMServerError",
    "the account is not known": "InvalidDataError",
}


def unknown_account(error: str) -> dict[str, str]:
    """There is no access token to send with: each has another exception, not one of FCM's errors."""
    return PLATFORM_ERRORS | {"the account is not known": error}


# google-auth refreshes twice at a 401.
REFRESHES = {"the bearer is wrong": 3, "APNs does not take the project's key": 3}
# urllib3 asks four more times, each after the pause that Retry-After names.
RETRIES = {
    "the device has had its messages": 5,
    "the project has had its messages": 5,
}
LIBRARIES = {
    "firebase-admin": Library(
        "firebase_admin", {}, unknown_account("RefreshError"), REFRESHES | RETRIES),
    "firebase-admin-async": Library(
        "firebase_admin", {"async": True}, unknown_account("UnknownError"), REFRESHES),
    "async-firebase": Library("async_firebase", {}, unknown_account("KeyError"), {}),
    "async-firebase-http2": Library(
        "async_firebase", {"http2": True}, unknown_account("KeyError"), {}),
    "pyfcm": Library("pyfcm", {}, PYFCM_ERRORS, {}),
}


def pushes(gateway: Gateway) -> dict[str, list[dict]]:
    """For each cause the pushes that meet it: the last one does."""
    phone, limited = gateway.make_device("android"), gateway.make_device("android")
    gone, foreign = gateway.make_device("android"), gateway.make_device("android", project="other")
    iphone = gateway.make_device("ios", firebase=True)
    gone.act("uninstall")

    def setting(settings: dict, token: str = phone.token, **more) -> dict:
        return push(token, settings=settings, **more)

    return {
        "the token is of APNs": [push(gateway.make_device("ios").token)],
        "the message is over 4096 bytes": [push(phone.token, data={"k": "v" * 4096})],
        "the app was uninstalled": [push(gone.token)],
        "the token is of another project": [push(foreign.token)],
        "the account may not send for the project": [push(phone.token, project="other")],
        "the API is off": [setting({"fcmApiEnabled": False})],
        "the bearer is wrong": [setting({"fcmApiEnabled": True}, bearer="ya29.wrong")],
        "APNs does not take the project's key": [
            setting({"fcmAPNsKey": "none"}, iphone.tokens["fcm"])],
        "the base URL is wrong": [push(phone.token, path="/wrong")],
        "the body is over the front end's limit": [push(phone.token, data={"k": "v" * (8 << 20)})],
        "the device has had its messages": [
            setting({"fcmQuotas": {"devicePerMinute": 1}}, limited.token), push(limited.token)],
        "the project has had its messages": [
            setting({"fcmQuotas": {"projectPerMinute": 1}}), push(phone.token)],
        "the account is not known": [push(phone.token, account="nobody@example.com")],
    }


@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
def test_each_error_is_reached(library):
    # A gateway of its own: the test changes settings, and a project's quota counts every sender.
    with Gateway() as gateway:
        sent = {
            cause: list_ for cause, list_ in pushes(gateway).items() if cause in library.errors}
        results = iter(run_sender(
            gateway.environment, library.program,
            [item for list_ in sent.values() for item in list_], library.options))
        reached = {}
        for cause, list_ in sent.items():
            *before, last = [next(results) for _ in list_]
            assert all(result["accepted"] for result in before), (cause, before)
            reached[cause] = last.get("error")
        assert reached == library.errors
        answers = [
            (e["status"], e["reason"]) for e in gateway.envelopes()
            if e["service"] == "fcm" or e["outcome"] == "rejected"]
        expected = []
        for cause in sent:
            *before, last = CAUSES[cause]
            expected += before + [last] * library.repeats.get(cause, 1)
        assert answers == expected


# Exceptions that no answer of the gateway causes yet, or none of FCM ever.
LEFT = {
    # Faults that a test orders: 500 INTERNAL, 503 UNAVAILABLE, an answer that does not come.
    "InternalError", "UnavailableError", "DeadlineExceededError",
    # Statuses of google.rpc that FCM does not have; 409 of a topic counts as a success.
    "FailedPreconditionError", "OutOfRangeError", "AbortedError", "AlreadyExistsError",
    "ConflictError", "CancelledError", "DataLossError",
    # Declared, and raised nowhere in the library.
    "InternalPackageError", "RetryAfterException",
    # Parents of the others.
    "FirebaseError", "BaseAsyncFirebaseError", "AsyncFirebaseError", "FCMError",
}

# Prints the names of the exceptions that a library declares, by module.
HIERARCHIES = """
import importlib, json
def declared(name):
    module = importlib.import_module(name)
    return [v.__name__ for v in vars(module).values() if isinstance(v, type)
            and issubclass(v, Exception) and v.__module__.split(".")[0] == name.split(".")[0]]
print(json.dumps({name: declared(name) for name in (
    "firebase_admin.exceptions", "firebase_admin._messaging_utils", "async_firebase.errors",
    "pyfcm.errors")}))
"""


def test_the_table_knows_every_exception_of_the_libraries():
    done = subprocess.run(
        [pinned_python(""), "-c", HIERARCHIES], capture_output=True, text=True, check=True)
    declared = {name for names in json.loads(done.stdout).values() for name in names}
    reached = {*PLATFORM_ERRORS.values(), *PYFCM_ERRORS.values()}
    assert declared == reached | LEFT
    assert not reached & LEFT
