"""google-auth 2.63.0: each way to an access token, then a message sent with its AuthorizedSession.

Option "flow":
  service_account    the key file of a service account, at its token_uri
  self_signed        the same key; the library signs the bearer itself (always_use_jwt_access)
  authorized_user    option "file": a user's refresh token
  metadata           no file: the metadata server that GCE_METADATA_HOST names
  external_account   option "file": a workload identity with impersonation

It ignores the `token_uri` of a user's file, so its own constant is changed.
"""

import os

import google.auth
from google.auth import compute_engine, identity_pool
from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import AuthorizedSession
from google.oauth2 import credentials as user_credentials
from google.oauth2 import service_account

from common import Job, refusal, run

SCOPES = ["https://www.googleapis.com/auth/firebase.messaging"]


def credentials_of(job: Job):
    flow = job.options["flow"]
    if flow in ("service_account", "self_signed"):
        return service_account.Credentials.from_service_account_file(
            job.fcm["serviceAccount"], scopes=SCOPES, always_use_jwt_access=flow == "self_signed")
    if flow == "metadata":
        credentials, project = google.auth.default(scopes=SCOPES)
        assert isinstance(credentials, compute_engine.Credentials), credentials
        assert project == job.fcm["projectID"], project
        return credentials
    user_credentials._GOOGLE_OAUTH2_TOKEN_ENDPOINT = job.gateway + "/token"
    file = job.options["file"]
    if flow == "external_account":
        # google.auth.default would ask cloudresourcemanager.googleapis.com for the project.
        return identity_pool.Credentials.from_file(file, scopes=SCOPES)
    return user_credentials.Credentials.from_authorized_user_file(file, scopes=SCOPES)


def send(job: Job, session: AuthorizedSession, push: dict) -> dict:
    message = {
        "token": push["token"],
        "notification": {"title": push["title"], "body": push["body"]},
    }
    try:
        answer = session.post(
            f"{job.gateway}/v1/projects/{job.fcm['projectID']}/messages:send",
            json={"message": message})
    except GoogleAuthError as error:
        return refusal(error)
    if answer.status_code != 200:
        return {"accepted": False, "error": answer.status_code, "text": answer.text}
    return {"accepted": True, "id": answer.json()["name"]}


def send_all(job: Job) -> list[dict]:
    os.environ["REQUESTS_CA_BUNDLE"] = job.environment["caBundle"]
    session = AuthorizedSession(credentials_of(job))
    return [send(job, session, push) for push in job.in_turn()]


run(send_all)
