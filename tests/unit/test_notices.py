"""What an agent's notice of a change replaces, and what it leaves."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.answers import Evidence
from memory.model import Role
from memory.recall.notices import without_replaced
from memory.text.glossary import NO_GLOSSARY
from tests.fakes.answers import evidence

APRIL, JULY, AUGUST = (datetime(2026, month, 10, 1, 0, tzinfo=UTC) for month in (4, 7, 8))
PAPER = evidence(
    "紙の申請書 F-21 に課長印をもらって、情シスまで出してください。急ぎの場合は電話でどうぞ。", at=APRIL, message="2"
)
MOVED = evidence(
    "【変更】8/3からUSBメモリの申請はKeyDeskになります。紙のF-21は廃止です。", at=JULY, message="5", confidence=0.4
)
EARLY = evidence("Send the form at least 3 working days before. Joost has the machines.", at=APRIL, message="2")
EARLIER = evidence("Change of rule: the form must be in 5 working days before.", at=JULY, message="6")


def left(*found: Evidence, at: datetime = AUGUST) -> list[str]:
    return [one.quote for one in without_replaced(found, at, NO_GLOSSARY)]


def test_what_a_notice_replaces_goes_and_the_rest_of_the_quote_stays_word_for_word() -> None:
    assert left(PAPER, MOVED) == ["急ぎの場合は電話でどうぞ。", MOVED.quote]
    assert left(EARLY, EARLIER) == ["Joost has the machines.", EARLIER.quote]


def test_the_notice_is_trusted_as_what_it_replaced() -> None:
    assert [one.confidence for one in without_replaced([PAPER, MOVED], AUGUST, NO_GLOSSARY)] == [0.9, 0.9]


def test_a_notice_that_does_not_count_yet_replaces_nothing() -> None:
    assert left(PAPER, MOVED, at=JULY) == [PAPER.quote, MOVED.quote]


def test_a_day_before_the_notice_knows_nothing_of_it() -> None:
    assert left(EARLY, EARLIER, at=APRIL) == [EARLY.quote, EARLIER.quote]


@pytest.mark.parametrize(
    "other",
    [
        replace(EARLY, ticket="INC-2000"),
        replace(EARLY, role=Role.REQUESTER),
        replace(EARLY, quote="Send the form early, please."),
        replace(EARLY, quote="The printer on floor 3 is out of toner."),
        evidence("The form was 4 working days late, and was taken.", at=AUGUST, message="7"),
    ],
    ids=["of another ticket", "of who asks", "without a value", "on something else", "said after it"],
)
def test_everything_else_stays(other: Evidence) -> None:
    assert left(other, EARLIER) == [other.quote, EARLIER.quote]


@pytest.mark.parametrize(
    "words",
    [
        "We will send the form 5 working days before.",
        "Please change the form: 5 working days before.",
        "変更をお願いします。申請は5営業日前です。",
    ],
)
def test_who_only_speaks_of_a_change_gives_no_notice(words: str) -> None:
    said = replace(EARLIER, quote=words)
    assert left(EARLY, said) == [EARLY.quote, words]


def test_who_asks_gives_no_notice() -> None:
    assert left(EARLY, replace(EARLIER, role=Role.REQUESTER)) == [EARLY.quote, EARLIER.quote]
