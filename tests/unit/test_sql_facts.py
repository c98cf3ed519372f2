"""Facts in SQL: several writers at once, and databases from before there were facts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from memory.facts import Fact
from memory.model import Turn, Viewer
from memory.stores.sql import SqlStore, open_store
from tests.fakes import postgres
from tests.fakes.facts import event, fact, link, undo
from tests.fakes.old_database import migrated_to
from tests.fakes.turns import NOON, ticket_turns
from tests.fakes.words import Watch, checked_out, episode, flushed, note, place

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=365)
SAID = ticket_turns(8)
MADE = [fact(turn, str(number)) for number, turn in enumerate(SAID)]


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    async with place(request.param, tmp_path) as address_of_new:
        yield address_of_new


async def test_writers_at_the_same_time_do_not_hinder_each_other(url: str) -> None:
    """Two processes store, retire, undo, link, cut, edit and erase the same things in every order."""
    async with (
        open_store(url, busy_seconds=20, clock=Watch()) as one,
        open_store(url, busy_seconds=20, clock=Watch()) as other,
    ):
        await flushed(one, episode("A", SAID[:4]), episode("B", SAID[4:]))
        for round_ in range(6):
            await asyncio.gather(*_busy(one, SAID, MADE, round_), *_busy(other, SAID[::-1], MADE[::-1], round_ + 1))
        await asyncio.gather(
            one.fact_writing.store_facts("A", MADE[:4], LATER), other.fact_writing.store_facts("B", MADE[4:], LATER)
        )
        for name, ours in (("A", MADE[:4]), ("B", MADE[4:])):
            assert await one.fact_writing.facts_of([name]) == [replace(each, episode=name) for each in ours]
        await asyncio.gather(one.writing.erase(["A", "B"]), other.writing.erase(["B", "A"]))
        assert await one.fact_writing.counts() == {"facts": 0, "events": 0, "links": 0, "undos": 0}
        assert checked_out(one) == checked_out(other) == 0


def _busy(store: SqlStore, said: Sequence[Turn], made: Sequence[Fact], round_: int) -> list[asyncio.Task[object]]:
    cut = [episode("A", sorted(SAID[:4], key=said.index)), episode("B", sorted(SAID[4:], key=said.index))]
    half = made[round_ % 2 :: 2]
    acts = [
        store.fact_writing.store_facts("A", half, NOON + timedelta(minutes=round_)),
        store.fact_writing.store_facts("B", made, NOON + timedelta(minutes=round_)),
        store.fact_writing.add_undo(undo(made[0], made[-1])),
        store.fact_writing.store_event(event(f"E{round_}", made[:3])),
        store.fact_writing.store_links("A", [link("A", "B")]),
        store.fact_writing.store_links("B", [link("B", "A")]),
        store.writing.store_episodes(SAID[0].conversation.id, cut),
        store.writing.store_note(note("A", round_)),
    ]
    return [asyncio.ensure_future(act) for act in acts]


async def test_what_is_erased_while_facts_are_stored_leaves_none(url: str) -> None:
    async with open_store(url, busy_seconds=20, clock=Watch()) as store:
        for _ in range(5):
            await flushed(store, episode("A", SAID))
            await asyncio.gather(
                store.fact_writing.store_facts("A", MADE, NOON),
                store.writing.erase(["A"]),
                store.writing.record([replace(turn, text="edited") for turn in SAID[::-1]]),
                store.fact_writing.store_event(event("E", MADE)),
            )
            assert await store.fact_writing.facts_of(["A"]) == []
            await store.writing.erase(["A"])
            assert await store.fact_writing.counts() == {"facts": 0, "events": 0, "links": 0, "undos": 0}


@pytest.fixture(params=["sqlite", "postgresql"])
async def old(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A database as the first version of the schema left it, with one note."""
    if request.param == "sqlite":
        yield await _at_first(f"sqlite:///{tmp_path / 'old.db'}")
        return
    postgres.require()
    async with postgres.database() as address_of_new:
        yield await _at_first(address_of_new)


async def _at_first(url: str) -> str:
    words = "'A', 1, 'words', 'summary', '[]', '[]', 'context', '[]', 'rules', '2026-11-20 12:00:00.000000'"
    episode_row = "INSERT INTO episodes VALUES ('A', 'C', NULL, 1, '2026-11-20 12:00:00+00')"
    await migrated_to(url, "0001", [text(episode_row), text(f"INSERT INTO notes VALUES ({words})")])
    return url


async def test_a_database_from_before_there_were_facts_is_brought_up_to_date(old: str) -> None:
    async with open_store(old, busy_seconds=5, clock=Watch()) as store:
        [kept] = await store.fact_writing.note_versions("A")
        assert (kept.summary, kept.cause) == ("summary", "")
        assert kept.fingerprint != "words", "its words have no facts yet, so the note must not pass for up to date"
        await flushed(store, episode("B", SAID))
        assert await store.fact_writing.store_facts("B", MADE, NOON) == 8
        assert len(await store.facts.of_turns([turn.id for turn in SAID], AGENT, LATER)) == 8
