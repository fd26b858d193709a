"""Test suites of made-up providers: each has a workspace, sends at random, and knows what must come of it."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field

import firebase_admin
import httpx
import jwt
import pytest
from aioapns import APNs, NotificationRequest, PushType
from firebase_admin import credentials, messaging
from pushpit import Device, Envelope, EventStream, ExpectationFailed, Workspace

HELD = "50ms"  # how long an exact count is held
SCOPE = "https://www.googleapis.com/auth/firebase.messaging"


@dataclass(frozen=True)
class Verdict:
    """What the vendor answers, and what the record says about it."""

    status: int
    reason: str | None = None
    diagnosis: str | None = None

    @property
    def match(self) -> dict:
        """What an expectation of it asks for."""
        if self.reason is None:
            return {"status": self.status, "outcome": "accepted"}
        return {"status": self.status, "reason": self.reason, "diagnosis": self.diagnosis}

    @property
    def advice(self) -> str:
        """What the report says of the token."""
        if self.reason is None:
            return "keep"
        return "prune" if self.diagnosis == "token-unregistered-since" else "fix"


ACCEPTED = Verdict(200)
APNS_OF_FCM = Verdict(400, "BadDeviceToken", "fcm-token-at-apns")
FCM_OF_APNS = Verdict(400, "INVALID_ARGUMENT", "apns-token-at-fcm")
APNS_DEAD = Verdict(410, "Unregistered", "token-unregistered-since")
FCM_DEAD = Verdict(404, "UNREGISTERED", "token-unregistered-since")
APNS_OF_ANOTHER = Verdict(400, "BadDeviceToken", "token-of-other-workspace")
FCM_OF_ANOTHER = Verdict(403, "SENDER_ID_MISMATCH", "token-of-other-workspace")


@dataclass(frozen=True)
class Sent:
    """A push as its sender knows it."""

    service: str
    token: str
    title: str
    verdict: Verdict
    device: str | None


@dataclass
class Suite:
    """One suite: phones, senders of every kind, and what they sent."""

    workspace: Workspace
    rng: random.Random
    iphones: list[Device] = field(default_factory=list)
    androids: list[Device] = field(default_factory=list)
    dead: list[Device] = field(default_factory=list)
    watched: dict[str, EventStream] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)

    def make_phones(self) -> None:
        for platform, phones in (("ios", self.iphones), ("android", self.androids)):
            for _ in range(self.rng.randint(1, 3)):
                # Some have only an inbox, others a connection of their own.
                online = self.rng.choice([True, None])
                phone = self.workspace.device(platform, online=online)
                phones.append(phone)
                if online is None:
                    self.watched[phone.id] = phone.stream()
            gone = self.workspace.device(platform)
            gone.uninstall()
            self.dead.append(gone)
        self.events = self.workspace.events(["envelope"])

    def targets(self, strangers: list[Device]) -> list[tuple[str, str, Verdict, str | None]]:
        """What a push may be: service, token, what comes of it, whom it reaches."""
        iphone, android = self.rng.choice(self.iphones), self.rng.choice(self.androids)
        stranger = self.rng.choice(strangers)
        of_ios = stranger.platform == "ios"
        return [
            ("apns", iphone.token, ACCEPTED, iphone.id), ("fcm", android.token, ACCEPTED, android.id),
            ("apns", android.token, APNS_OF_FCM, None), ("fcm", iphone.token, FCM_OF_APNS, None),
            ("apns", self.dead[0].token, APNS_DEAD, None), ("fcm", self.dead[1].token, FCM_DEAD, None),
            ("apns", stranger.token, APNS_OF_ANOTHER, None) if of_ios
            else ("fcm", stranger.token, FCM_OF_ANOTHER, None)]

    def send(self, strangers: list[Device]) -> None:
        """Sends some twenty pushes, the good ones more often than the others, each by a random sender."""
        with Senders(self.workspace) as senders:
            for number in range(self.rng.randint(10, 30)):
                kinds = self.targets(strangers)
                service, token, verdict, device = self.rng.choices(kinds, [6, 6, 1, 1, 1, 1, 1])[0]
                text = f"{self.workspace.id} {number}"
                answer = self.rng.choice(senders.of(service))(token, text)
                assert answer == verdict.status, (service, text, answer, verdict)
                self.sent.append(Sent(service, token, text, verdict, device))

    def check(self) -> None:
        """Everything that was sent is there, as it must be, and nothing else."""
        self.check_record()
        self.check_phones()
        self.check_events()
        self.check_expectations()
        self.check_report()

    def check_record(self) -> None:
        found = list(self.workspace.envelopes())[::-1]
        assert {envelope["workspace"] for envelope in found} <= {self.workspace.id}
        pushes = [envelope for envelope in found if envelope.service != "oauth"]
        assert [described(envelope) for envelope in pushes] == [
            (push.service, push.token, push.title, push.verdict) for push in self.sent]
        reached = [
            (title(envelope), delivery["device"], delivery["state"])
            for envelope in pushes for delivery in envelope.deliveries]
        assert reached == [
            (push.title, push.device, "displayed") for push in self.sent if push.device]

    def check_phones(self) -> None:
        for phone in self.iphones + self.androids:
            mine = [push.title for push in self.sent if push.device == phone.id]
            assert [push.title for push in phone.inbox()] == mine, phone
            if phone.id in self.watched:
                with self.watched[phone.id] as stream:
                    assert [stream.wait().data["title"] for _ in mine] == mine, phone
        for phone in self.dead:
            assert phone.inbox() == [], phone

    def check_events(self) -> None:
        with self.events as events:
            seen = [events.wait().data["envelope"] for _ in self.workspace.envelopes()]
        assert {envelope["workspace"] for envelope in seen} <= {self.workspace.id}
        came = [title(Envelope(envelope)) for envelope in seen if envelope["service"] != "oauth"]
        assert came == [push.title for push in self.sent]

    def check_expectations(self) -> None:
        """The server counts as the suite does, and its near misses are the suite's own."""
        counts = Counter((push.service, push.verdict) for push in self.sent)
        for (service, verdict), count in counts.items():
            match = {"service": service, **verdict.match}
            assert len(self.workspace.expect(match, count, within=HELD)) == count
        accepted = [push for push in self.sent if push.device]
        pushes = {"service": {"oneOf": ["apns", "fcm"]}, "outcome": "accepted"}
        self.workspace.expect(pushes, len(accepted), within=HELD, strict=True)
        for phone in self.iphones + self.androids:
            mine = [push.title for push in accepted if push.device == phone.id]
            assert [title(match) for match in phone.expect(count=len(mine), within=HELD)] == mine
        with pytest.raises(ExpectationFailed) as failure:
            self.workspace.expect({"/aps/alert/title": "nobody's"}, within=HELD)
        own = {envelope.id for envelope in self.workspace.envelopes()}
        assert {miss["envelope"] for miss in failure.value.near_misses} <= own

    def check_report(self) -> None:
        report = self.workspace.report()
        accepted = sum(push.verdict == ACCEPTED for push in self.sent)
        assert (report["pushes"], report["accepted"], report["rejected"]) == (
            len(self.sent), accepted, len(self.sent) - accepted)
        answers = {
            (answer["service"], answer["status"], answer["reason"]): answer["count"]
            for answer in report["answers"] if answer["service"] != "oauth"}
        assert answers == Counter(
            (push.service, push.verdict.status, push.verdict.reason) for push in self.sent)
        last = {push.token: push.verdict.advice for push in self.sent}
        advice = {
            item["token"]: kind for kind in ("prune", "keep", "fix")
            for item in report["tokens"][kind]["items"]}
        assert advice == last
        found = {
            finding["code"]: finding["count"] for finding in report["findings"]
            if finding["severity"] == "error"}
        dead = [push.token for push in self.sent if push.verdict.advice == "prune"]
        misrouted = [push for push in self.sent if push.verdict in (APNS_OF_FCM, FCM_OF_APNS)]
        assert Counter(found) == Counter({
            "misrouted-token": len(misrouted), "sent-to-dead-token": len(dead) - len(set(dead))})


def title(envelope: Envelope) -> str:
    return envelope.at("/aps/alert/title") or envelope.at("/message/notification/title")


def described(envelope: Envelope) -> tuple[str, str | None, str, Verdict]:
    code = envelope.diagnosis["code"] if envelope.diagnosis else None
    verdict = Verdict(envelope.status, envelope.reason, code)
    return envelope.service, envelope.token, title(envelope), verdict


class Senders:
    """The libraries of one provider, each with connections of its own; each call returns the status."""

    def __init__(self, workspace: Workspace):
        self.workspace = workspace
        self.apns, self.fcm = workspace.apns, workspace.fcm
        # One for each vendor, as their hosts differ in earnest.
        self.apns_http, self.fcm_http = (
            httpx.Client(http2=True, verify=str(workspace.ca_file), trust_env=False, timeout=60)
            for _ in range(2))
        self.loop = asyncio.new_event_loop()
        self.aioapns: APNs | None = None
        self.provider_token = jwt.encode(
            {"iss": self.apns.team_id, "iat": int(time.time())}, self.apns.key, algorithm="ES256",
            headers={"kid": self.apns.key_id})
        self.access_token = ""
        self.firebase = firebase_admin.initialize_app(
            credentials.Certificate(self.fcm.service_account), name=workspace.id)

    def __enter__(self) -> "Senders":
        return self

    def __exit__(self, *_) -> None:
        self.apns_http.close()
        self.fcm_http.close()
        if self.aioapns:
            self.loop.run_until_complete(self.close_aioapns())
        self.loop.close()
        firebase_admin.delete_app(self.firebase)

    def of(self, service: str) -> list:
        if service == "apns":
            return [self.apns_by_httpx, self.apns_by_aioapns]
        return [self.fcm_by_httpx, self.fcm_by_firebase_admin]

    def apns_by_httpx(self, token: str, title: str) -> int:
        headers = {
            "authorization": f"bearer {self.provider_token}", "apns-topic": self.apns.topic,
            "apns-push-type": "alert"}
        url = f"{self.apns.url}/3/device/{token}"
        payload = {"aps": {"alert": {"title": title}}}
        return self.apns_http.post(url, json=payload, headers=headers).status_code

    def apns_by_aioapns(self, token: str, title: str) -> int:
        async def send() -> int:
            if self.aioapns is None:
                self.aioapns = APNs(
                    key=self.apns.key, key_id=self.apns.key_id, team_id=self.apns.team_id,
                    topic=self.apns.topic, use_sandbox=True, max_connections=1)
            request = NotificationRequest(
                device_token=token, message={"aps": {"alert": {"title": title}}},
                push_type=PushType.ALERT)
            return int((await self.aioapns.send_notification(request)).status)

        return self.loop.run_until_complete(send())

    async def close_aioapns(self) -> None:
        self.aioapns.pool.close()

    def fcm_by_httpx(self, token: str, title: str) -> int:
        if not self.access_token:
            self.access_token = self.granted()
        message = {"message": {"token": token, "notification": {"title": title}}}
        headers = {"authorization": f"Bearer {self.access_token}"}
        return self.fcm_http.post(self.fcm.send_url, json=message, headers=headers).status_code

    def granted(self) -> str:
        account, now = self.fcm.service_account, int(time.time())
        assertion = jwt.encode(
            {"iss": account["client_email"], "scope": SCOPE, "aud": account["token_uri"],
             "iat": now, "exp": now + 3600},
            account["private_key"], algorithm="RS256", headers={"kid": account["private_key_id"]})
        grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        answer = self.fcm_http.post(
            account["token_uri"], data={"grant_type": grant, "assertion": assertion})
        return answer.json()["access_token"]

    def fcm_by_firebase_admin(self, token: str, title: str) -> int:
        message = messaging.Message(token=token, notification=messaging.Notification(title=title))
        try:
            messaging.send(message, app=self.firebase)
            return 200
        except firebase_admin.exceptions.FirebaseError as error:
            return error.http_response.status_code
