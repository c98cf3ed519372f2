"""The port `Ledger`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from memory.model import TokenUse
from memory.ports import AnsweredQuestion, HandedOver, Ledger, Spent
from memory.stores.sql import open_store
from tests.fakes.turns import NOON, ticket_turns, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, opened


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


@pytest.fixture
def ledger(store: Store) -> Ledger:
    return store.ledger


def question(asked_at: datetime, mode: str = "emem", gained: int | None = 2) -> AnsweredQuestion:
    return AnsweredQuestion(
        asked_at=asked_at,
        mode=mode,
        abstained=True,
        episodes_read=7,
        assistant=TokenUse(prompt=5_000_000_000, cached=4000, completion=300),
        master=TokenUse(prompt=900, cached=1, completion=80),
        full_context_tokens=120_000,
        milliseconds={"route": 1.25, "consult": 812.0},
        gained=gained,
        turn="T1",
        conversation="C1",
        sources=("S1", "S2"),
    )


def handed_over(turn: str, minutes: float) -> HandedOver:
    return HandedOver(turn=turn, conversation="C1", at=NOON + timedelta(minutes=minutes))


async def test_an_entry_comes_back_as_it_was(ledger: Ledger) -> None:
    await ledger.add(question(NOON))
    assert await ledger.since(NOON) == [question(NOON)]


async def test_more_entries_at_once_than_are_written_at_once_are_all_kept(ledger: Ledger) -> None:
    await asyncio.gather(*(ledger.add(question(NOON, mode=str(number))) for number in range(50)))
    assert {entry.mode for entry in await ledger.since(NOON)} == {str(number) for number in range(50)}


async def test_an_entry_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'helpdesk.db'}"
    async with open_store(url, busy_seconds=10, clock=Watch()) as store:
        await store.ledger.add(question(NOON))
    async with open_store(url, busy_seconds=10, clock=Watch()) as store:
        assert await store.ledger.since(NOON) == [question(NOON)]


async def test_an_entry_that_cannot_be_written_is_logged_without_words(tmp_path: Path) -> None:
    async with open_store(f"sqlite:///{tmp_path / 'helpdesk.db'}", busy_seconds=10, clock=Watch()) as store:
        async with store.database.writing() as connection:
            await connection.execute(text("DROP TABLE ledger"))
        with capture_logs() as logged:
            await store.ledger.add(question(NOON))
            await store.ledger.settle()
    assert [(entry["event"], entry["error"]) for entry in logged] == [("ledger_entry_lost", "StoreUnavailable")]


async def test_entries_start_at_the_moment_and_are_in_time_order(ledger: Ledger) -> None:
    times = [NOON + timedelta(microseconds=offset) for offset in (2, -1, 0, 1)]
    for moment in times:
        await ledger.add(question(moment))
    assert [entry.asked_at for entry in await ledger.since(NOON)] == [times[2], times[3], times[0]]


async def test_a_moment_of_another_zone_is_the_same_moment(ledger: Ledger) -> None:
    tokyo = timezone(timedelta(hours=9))
    await ledger.add(question(datetime(2026, 11, 20, 21, 0, tzinfo=tokyo)))
    assert len(await ledger.since(NOON)) == 1
    assert await ledger.since(NOON + timedelta(microseconds=1)) == []


async def test_an_empty_ledger_has_no_entries(ledger: Ledger) -> None:
    assert await ledger.since(NOON) == []
    assert await ledger.count_since(NOON) == 0
    assert await ledger.remembered_tokens() == 0


async def test_questions_are_counted_from_the_moment_on(ledger: Ledger) -> None:
    for minutes in (-1, 0, 1, 2):
        await ledger.add(question(NOON + timedelta(minutes=minutes)))
    assert await ledger.count_since(NOON) == 3


async def test_what_assistants_brought_is_told_newest_first_for_those_questions_only_that_they_were_consulted_for(
    ledger: Ledger,
) -> None:
    for minutes, gained in ((-1, 9), (0, 0), (1, None), (2, 3), (3, 4)):
        await ledger.add(question(NOON + timedelta(minutes=minutes), gained=gained))
    assert await ledger.gains(NOON, 10) == [4, 3, 0]
    assert await ledger.gains(NOON, 2) == [4, 3]
    assert await ledger.gains(NOON, 0) == []


async def test_what_a_model_would_have_to_read_is_the_tokens_of_all_episodes(store: Store) -> None:
    for thread, tokens in (("INC-1", 300), ("INC-2", 4000)):
        turns = ticket_turns(2, thread=thread)
        await store.writing.record(turns)
        await store.writing.store_episodes(turns[0].conversation.id, [episode(thread, turns, tokens=tokens)])
    assert await store.ledger.remembered_tokens() == 4300
    await store.writing.erase(["INC-2"])
    assert await store.ledger.remembered_tokens() == 300


async def test_a_question_outside_any_conversation_has_neither_message_nor_place(ledger: Ledger) -> None:
    nowhere = replace(question(NOON), turn=None, conversation=None)
    await ledger.add(nowhere)
    assert await ledger.since(NOON) == [nowhere]


async def test_requests_that_went_to_a_person_are_told_from_the_moment_on_in_time_order(ledger: Ledger) -> None:
    for request, minutes in (("late", 2), ("early", -1), ("noon", 0)):
        await ledger.note_handed_over(handed_over(request, minutes))
    assert await ledger.handed_over_since(NOON) == [handed_over("noon", 0), handed_over("late", 2)]
    assert await ledger.since(NOON) == []


async def test_a_request_went_to_a_person_when_it_first_did(ledger: Ledger) -> None:
    await ledger.note_handed_over(handed_over("T1", 0))
    await ledger.note_handed_over(handed_over("T1", 5))
    assert await ledger.handed_over_since(NOON) == [handed_over("T1", 0)]


async def test_it_is_known_on_what_the_last_answer_to_a_message_stood(ledger: Ledger) -> None:
    await ledger.add(replace(question(NOON), sources=("old",)))
    await ledger.add(question(NOON + timedelta(hours=1)))
    await ledger.add(replace(question(NOON), turn="T2", sources=()))
    await ledger.add(replace(question(NOON), turn=None))
    assert await ledger.sources(["T1", "T2", "T3"]) == {"T1": ("S1", "S2")}
    assert await ledger.sources([]) == {}


async def test_it_is_known_of_which_messages_the_last_answer_found_nothing(ledger: Ledger) -> None:
    await ledger.add(replace(question(NOON), abstained=True))
    await ledger.add(replace(question(NOON + timedelta(hours=1)), abstained=False))
    await ledger.add(replace(question(NOON + timedelta(hours=1)), turn="T2", abstained=True))
    await ledger.add(replace(question(NOON), turn="T2", abstained=False))
    await ledger.add(replace(question(NOON), turn=None, abstained=True))
    assert await ledger.found_nothing(["T1", "T2", "T3"]) == {"T2"}
    assert await ledger.found_nothing([]) == frozenset()


async def test_tokens_are_added_up_from_the_moment_on_for_answers_and_for_notes(ledger: Ledger) -> None:
    for minutes in (-1, 0, 1):
        await ledger.add(question(NOON + timedelta(minutes=minutes)))
        await ledger.note_enriched(NOON + timedelta(minutes=minutes), TokenUse(prompt=700, cached=600, completion=77))
    # An answer: 5,000,000,000 + 300 of the assistants, 900 + 80 of the master. What is cached is part of what is read.
    assert await ledger.spent_since(NOON) == Spent(answers=2 * 5_000_001_280, notes=2 * 777)
    assert await ledger.spent_since(NOON + timedelta(minutes=2)) == Spent()


async def test_tokens_of_a_person_are_those_of_the_answers_to_their_messages(store: Store) -> None:
    asked = [turn(number, author=author) for number, author in enumerate(("sato", "sato", "kato"))]
    await store.writing.record(asked)
    for one in asked:
        await store.ledger.add(replace(question(NOON), turn=one.id))
    await store.ledger.add(replace(question(NOON - timedelta(minutes=1)), turn=asked[0].id))
    await store.ledger.add(replace(question(NOON), turn=None))
    assert await store.ledger.spent_by("sato", NOON) == 2 * 5_000_001_280
    assert await store.ledger.spent_by("kato", NOON) == 5_000_001_280
    assert await store.ledger.spent_by("mori", NOON) == 0


async def test_what_notes_took_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'helpdesk.db'}"
    async with open_store(url, busy_seconds=10, clock=Watch()) as store:
        await store.ledger.note_enriched(NOON, TokenUse(prompt=5, completion=2))
    async with open_store(url, busy_seconds=10, clock=Watch()) as store:
        assert await store.ledger.spent_since(NOON) == Spent(notes=7)


async def test_the_last_answer_is_the_one_that_was_asked_for_last_whichever_was_written_last(ledger: Ledger) -> None:
    await ledger.add(question(NOON + timedelta(hours=1)))
    assert len(await ledger.since(NOON)) == 1  # is written
    await ledger.add(replace(question(NOON), sources=("old",)))
    assert await ledger.sources(["T1"]) == {"T1": ("S1", "S2")}
