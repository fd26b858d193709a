"""Libraries that keep a table of devices: which refusals deactivate a row, so that it gets nothing again."""

import pytest

from checks import push

LIBRARIES = [
    # It keeps a row at a 400, which may be the fault of the message.
    pytest.param("fcm_django", True, id="fcm-django"),
    # It takes every InvalidArgumentError for a dead token.
    pytest.param("django_push_notifications_fcm", False, id="django-push-notifications"),
]


@pytest.mark.parametrize(("program", "keeps_invalid"), LIBRARIES)
def test_a_row_is_deactivated_by_a_refusal_for_good(
        gateway, android, iphone, send, program, keeps_invalid):
    gone, foreign = gateway.make_device("android"), gateway.make_device("android", project="other")
    gone.act("uninstall")
    phones = [
        # phone, the error, whether its row stays active, the answers that its two pushes got
        (android, None, True, [200, 200]),
        (gone, "UnregisteredError", False, [404]),
        (foreign, "SenderIdMismatchError", False, [403]),
        (iphone, "InvalidArgumentError", keeps_invalid, [400, 400] if keeps_invalid else [400]),
    ]
    results = send(program, *[push(phone.token) for phone, *_ in phones for _ in range(2)])
    for (phone, error, is_active, expected), first, second in zip(
            phones, results[::2], results[1::2], strict=True):
        assert first["accepted"] == (error is None), first
        assert first.get("error") == error
        assert first["active"] == second["active"] == is_active, (error, first, second)
        assert [first["messages"], second["messages"]] == [1, len(expected) - 1]
        assert [e["status"] for e in gateway.envelopes(token=phone.token)] == expected
