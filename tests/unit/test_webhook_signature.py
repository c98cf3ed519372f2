"""Signatures of webhooks: those of others are known, and nothing else passes."""

from __future__ import annotations

import base64

import pytest

from bot.webhook_signature import delivery_in, signed

#: The example by which libraries of the specification check themselves.
KEY = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
ID, TIME, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
HEADERS = {"webhook-id": ID, "webhook-timestamp": str(TIME), "webhook-signature": SIGNATURE}
OTHER_KEY = b"another key of thirty-two bytes!"


def test_the_example_of_the_specification_is_signed_as_it_says() -> None:
    assert signed([KEY], ID, TIME, BODY) == HEADERS


def test_what_others_signed_is_known_by_its_id() -> None:
    assert delivery_in(HEADERS, [KEY], TIME, BODY) == ID


def test_while_a_key_is_changed_both_count() -> None:
    both = signed([OTHER_KEY, KEY], ID, TIME, BODY)
    assert both["webhook-signature"].split()[1] == SIGNATURE
    assert delivery_in(both, [KEY], TIME, BODY) == ID
    assert delivery_in(HEADERS, [OTHER_KEY, KEY], TIME, BODY) == ID


@pytest.mark.parametrize(("seconds", "taken"), [(-301, False), (-300, True), (300, True), (301, False)])
def test_a_request_is_taken_within_five_minutes(seconds: int, taken: bool) -> None:
    assert (delivery_in(HEADERS, [KEY], TIME + seconds, BODY) == ID) is taken


@pytest.mark.parametrize(
    "changed",
    [
        {"webhook-id": "msg_other"},
        {"webhook-timestamp": str(TIME + 1)},
        {"webhook-signature": SIGNATURE.replace("g0", "g1")},
        {"webhook-signature": SIGNATURE.removeprefix("v1,") + "x"},
        {"webhook-signature": "v1,ä"},
        {"webhook-signature": ""},
        {"webhook-id": ""},
        {"webhook-id": "a.b"},
        {"webhook-timestamp": "soon"},
        {"webhook-timestamp": "١٦١٤٢٦٥٣٣٠"},
        {"webhook-timestamp": "-1"},
        {"webhook-timestamp": "9" * 5_000},
    ],
)
def test_what_was_changed_on_its_way_is_refused(changed: dict[str, str]) -> None:
    assert delivery_in(HEADERS | changed, [KEY], TIME, BODY) is None


def test_another_body_or_key_is_refused() -> None:
    assert delivery_in(HEADERS, [KEY], TIME, BODY + b" ") is None
    assert delivery_in(HEADERS, [OTHER_KEY], TIME, BODY) is None
    assert delivery_in({}, [KEY], TIME, BODY) is None


def test_nobody_moves_the_border_between_what_is_signed() -> None:
    """The same bytes are signed for the id "msg", and for a longer body."""
    moved = {"webhook-id": f"{ID}.{TIME}", "webhook-timestamp": "7", "webhook-signature": SIGNATURE}
    assert delivery_in(moved, [KEY], 7, BODY) is None
