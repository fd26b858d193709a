"""FCM to iOS apps with Firebase: by way of APNs to the same phone, as firebase-admin sees it."""

import time

import pytest

from checks import arrived, assert_delivered, only_envelope, push

every_way = pytest.mark.parametrize("options", [{}, {"async": True}], ids=["http1", "h2"])


@pytest.fixture
def phone(gateway):
    """An iPhone whose app has Firebase, and may have Live Activities started."""
    return gateway.make_device("ios", firebase=True, tokens={"pushToStart": True})


@every_way
def test_a_message_reaches_the_phone(gateway, phone, send, options):
    with phone.connect() as stream:
        sent = push(phone.tokens["fcm"], data={"k": "v"})
        [result] = send("firebase_admin", sent, **options)
        assert result["accepted"], result
        envelope = assert_delivered(gateway, phone, stream, sent, "fcm")
        payload = arrived(stream, envelope)["data"]["payload"]
    assert payload["aps"] == {"alert": {"title": sent["title"], "body": sent["body"]}}
    assert payload["k"] == "v"
    # Names of iOS apps' messages have no percent sign, and the app sees the same number.
    assert result["id"].rsplit("/", 1)[1] == payload["gcm.message_id"]
    assert gateway.envelopes(service="apns", token=phone.token) == []


@every_way
def test_an_uninstalled_app_is_unregistered(gateway, phone, send, options):
    phone.act("uninstall")
    [result] = send("firebase_admin", push(phone.tokens["fcm"]), **options)
    assert result["error"] == "UnregisteredError", result
    envelope = only_envelope(gateway, token=phone.tokens["fcm"])
    assert envelope["diagnosis"]["code"] == "token-unregistered-since"


@every_way
def test_a_project_without_apns_key_is_a_third_party_auth_error(
        gateway, phone, send, settings, options):
    settings(fcmAPNsKey="none")
    [result] = send("firebase_admin", push(phone.tokens["fcm"]), **options)
    assert result["error"] == "ThirdPartyAuthError", result
    # google-auth takes any 401 for its own and tries twice more.
    envelopes = gateway.envelopes(token=phone.tokens["fcm"])
    assert len(envelopes) == 3
    assert {envelope["diagnosis"]["code"] for envelope in envelopes} == {"fcm-apns-key-missing"}


def test_a_live_activity_is_started_and_updated_until_its_token_is_disabled(gateway, phone, send):
    def activity(token: str, **aps) -> dict:
        aps["timestamp"] = int(time.time())
        return push(
            phone.tokens["fcm"], apns={"live_activity_token": token, "payload": {"aps": aps}})

    # The library leaves out what is empty: attributes that are {} never arrive.
    start = activity(
        phone.tokens["pushToStart"], event="start", **{"content-state": {"score": 0}},
        **{"attributes-type": "Game", "attributes": {"home": "Ajax"}, "alert": {"title": "Kick-off"}})
    phone.gateway.request("PATCH", phone.path, {"online": True})
    [result] = send("firebase_admin", start)
    assert result["accepted"], result
    [running] = gateway.request("GET", phone.path)["activities"]
    update = activity(running["token"], event="update", **{"content-state": {"score": 1}})
    [result] = send("firebase_admin", update)
    assert result["accepted"], result
    assert gateway.request("GET", phone.path)["activities"][0]["contentState"] == {"score": 1}

    phone.act("rotate-token", {"token": "liveactivity"})
    [result] = send("firebase_admin", update)
    assert result["error"] == "InvalidArgumentError", result
    assert result["text"] == "APNs device token is disabled."
    [envelope] = gateway.envelopes(
        token=phone.tokens["fcm"], diagnosis="sent-to-rotated-token")
    assert envelope["status"] == 400
