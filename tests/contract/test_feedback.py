"""The port `FeedbackBox`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest

from memory.feedback import Correction, Feedback, Tally
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, opened


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


def word(helpful: bool, *, turn: str = "T1", author: str = "sato", minutes: float = 0) -> Feedback:
    return Feedback(turn=turn, author=author, helpful=helpful, at=NOON + timedelta(minutes=minutes))


async def test_nothing_was_said_yet(store: Store) -> None:
    assert await store.feedback.tally(NOON) == Tally()


async def test_each_person_has_a_word_on_each_answer(store: Store) -> None:
    for turn, author, helpful in (("T1", "sato", True), ("T1", "mori", False), ("T2", "sato", True)):
        await store.feedback.give(word(helpful, turn=turn, author=author))
    assert await store.feedback.tally(NOON) == Tally(helpful=2, unhelpful=1)


async def test_an_answer_that_anybody_called_not_helpful_last_is_named_once(store: Store) -> None:
    for turn, author, helpful, minutes in (
        ("early", "sato", False, -1),
        ("both", "sato", True, 0),
        ("both", "mori", False, 0),
        ("both", "abe", False, 1),
        ("changed", "sato", False, 1),
        ("changed", "sato", True, 2),
    ):
        await store.feedback.give(word(helpful, turn=turn, author=author, minutes=minutes))
    assert await store.feedback.unhelpful(NOON) == {"both"}


async def test_a_repeat_changes_nothing(store: Store) -> None:
    for _ in range(3):
        await store.feedback.give(word(True))
    assert await store.feedback.tally(NOON) == Tally(helpful=1)


async def test_the_last_word_counts_in_whatever_order_words_come(store: Store) -> None:
    words = [word(True), word(False, minutes=1), word(True, minutes=2), word(False, minutes=3)]
    for number, order in enumerate(permutations(words)):
        for each in order:
            await store.feedback.give(word(each.helpful, turn=f"T{number}", minutes=(each.at - NOON).seconds / 60))
    assert await store.feedback.tally(NOON) == Tally(unhelpful=24)
    # Each is kept with the time at which it was said.
    assert await store.feedback.tally(NOON + timedelta(minutes=3)) == Tally(unhelpful=24)
    assert await store.feedback.tally(NOON + timedelta(minutes=3, microseconds=1)) == Tally()


async def test_of_many_words_at_once_the_last_counts(store: Store) -> None:
    await asyncio.gather(*(store.feedback.give(word(minutes == 7, minutes=minutes)) for minutes in range(8)))
    assert await store.feedback.tally(NOON) == Tally(helpful=1)


async def test_a_period_begins_with_its_first_moment_wherever_the_clock_hangs(store: Store) -> None:
    tokyo = datetime.fromisoformat("2026-11-20T21:00:00+09:00")
    await store.feedback.give(Feedback(turn="T1", author="sato", helpful=True, at=tokyo))
    assert await store.feedback.tally(NOON) == Tally(helpful=1)
    assert await store.feedback.tally(NOON + timedelta(microseconds=1)) == Tally()


async def test_what_one_person_said_is_forgotten_and_the_rest_stays(store: Store) -> None:
    for turn, author in (("T1", "sato"), ("T2", "sato"), ("T1", "Sato"), ("T1", "mori")):
        await store.feedback.give(word(True, turn=turn, author=author))
    await store.feedback.forget("sato")
    await store.feedback.forget("sato")
    assert await store.feedback.tally(NOON) == Tally(helpful=2)


async def test_a_name_that_no_database_holds_is_one_person_all_the_same(store: Store) -> None:
    await store.feedback.give(word(True, author="sa\x00to"))
    await store.feedback.give(word(False, author="sa\x00to", minutes=1))
    assert await store.feedback.tally(NOON) == Tally(unhelpful=1)
    await store.feedback.forget("sa\x00to")
    assert await store.feedback.tally(NOON) == Tally()


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        Feedback(turn="T1", author="sato", helpful=True, at=NOON.replace(tzinfo=None))


async def test_answers_that_everybody_calls_helpful_are_named_the_newest_first(store: Store) -> None:
    for turn, author, helpful, minutes in (
        ("T1", "sato", True, 0),
        ("T2", "sato", True, 1),
        ("T2", "mori", False, 2),
        ("T3", "mori", True, 3),
        ("T1", "mori", True, 5),
        ("T4", "mori", False, 6),
    ):
        await store.feedback.give(word(helpful, turn=turn, author=author, minutes=minutes))
    assert await store.feedback.helpful(9) == ["T1", "T3"]
    assert await store.feedback.helpful(1) == ["T1"]


def correction(turn: str = "C1", *, author: str = "sato", minutes: float = 0, stated: str | None = "C2") -> Correction:
    at = NOON + timedelta(minutes=minutes)
    return Correction(turn=turn, about="T1", author=author, at=at, sources=("S1", "S2"), stated=stated)


async def test_a_correction_is_kept_with_what_the_answer_stood_on(store: Store) -> None:
    assert await store.feedback.correction("C1") is None
    await store.feedback.correct(correction())
    assert await store.feedback.correction("C1") == correction()
    await store.feedback.correct(correction(stated=None))
    assert await store.feedback.corrections(9) == [correction(stated=None)]


async def test_corrections_come_the_newest_first(store: Store) -> None:
    for turn, minutes in (("C1", 1), ("C2", 3), ("C3", 2)):
        await store.feedback.correct(correction(turn, minutes=minutes))
    assert [one.turn for one in await store.feedback.corrections(2)] == ["C2", "C3"]


async def test_the_corrections_of_who_is_forgotten_are_gone(store: Store) -> None:
    await store.feedback.correct(correction("C1"))
    await store.feedback.correct(correction("C2", author="mori"))
    await store.feedback.forget("sato")
    assert [one.turn for one in await store.feedback.corrections(9)] == ["C2"]
