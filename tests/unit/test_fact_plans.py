"""Reads and writes of facts walk an index, never all the facts there are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from memory.facts import Group
from memory.model import Viewer
from memory.stores.sql import SqlStore, open_store
from tests.fakes.facts import event, fact, link, undo
from tests.fakes.turns import NOON, ticket_turns
from tests.fakes.words import Watch, episode, flushed, note, place
from tests.unit.test_sql_plans import VIEWERS, plans

LATER = NOON + timedelta(days=1)
SAID = ticket_turns(20, thread="INC-1")
MADE = [fact(turn, str(number), subject=f"host{number}", episode="E1") for number, turn in enumerate(SAID)]
GROUPS = [Group(subject="host1", predicate="owner"), Group(subject="host2", predicate="owner")]
TABLES = ("facts", "fact_sources", "fact_lapses", "undos", "events", "event_versions", "event_facts", "event_keywords")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    async with place("sqlite", tmp_path) as url, open_store(url, busy_seconds=5, clock=Watch()) as store:
        for number in range(4):
            said = ticket_turns(20, thread=f"INC-{number}")
            await flushed(store, episode(f"E{number}", said))
            await store.writing.store_note(note(f"E{number}"))
        await store.fact_writing.store_facts("E1", MADE, NOON)
        await store.fact_writing.store_event(event("EVENT", MADE[:3]))
        await store.fact_writing.store_links("E1", [link("E1", "E2")])
        yield store


READS: dict[str, Callable[[SqlStore, Viewer], Awaitable[object]]] = {
    "facts": lambda store, viewer: store.facts.facts([MADE[0].id, MADE[1].id], viewer, LATER),
    "of_turns": lambda store, viewer: store.facts.of_turns([SAID[0].id, SAID[1].id], viewer, LATER),
    "on": lambda store, viewer: store.facts.on(GROUPS, viewer, LATER),
    "about": lambda store, viewer: store.facts.about(["host1", "host2"], viewer, LATER, 5),
    "naming": lambda store, viewer: store.facts.naming(["1", "2"], viewer, LATER, 5),
    "undos": lambda store, _: store.facts.undos([MADE[0].id], LATER),
    "tellings": lambda store, viewer: store.facts.tellings(["E1", "E2"], viewer, 5),
    "links": lambda store, viewer: store.facts.links(["E1", "E2"], viewer, 5),
    "note_versions": lambda store, viewer: store.facts.note_versions("E1", viewer),
}
WRITES: dict[str, Callable[[SqlStore], Awaitable[object]]] = {
    "store_facts": lambda store: store.fact_writing.store_facts("E1", MADE[:5], LATER),
    "facts_of": lambda store: store.fact_writing.facts_of(["E1"]),
    "add_undo": lambda store: store.fact_writing.add_undo(undo(MADE[0], MADE[1])),
    "store_event": lambda store: store.fact_writing.store_event(event("OTHER", MADE[2:4])),
    "events_of": lambda store: store.fact_writing.events_of([MADE[0].id]),
    "events_near": lambda store: store.fact_writing.events_near(["vpn", "mail"], NOON, LATER, 5),
    "store_links": lambda store: store.fact_writing.store_links("E1", [link("E1", "E3")]),
    "links_of": lambda store: store.fact_writing.links_of(["E1"]),
    "erase": lambda store: store.writing.erase(["E1"]),
}


@pytest.mark.parametrize("viewer", VIEWERS, ids=["direct", "channel", "agent"])
async def test_no_read_walks_all_facts(store: SqlStore, viewer: Viewer) -> None:
    assert {name: await _walks(store, partial(read, store, viewer)) for name, read in READS.items()} == dict.fromkeys(
        READS, ()
    )


async def test_no_write_walks_all_facts(store: SqlStore) -> None:
    assert {name: await _walks(store, partial(write, store)) for name, write in WRITES.items()} == dict.fromkeys(
        WRITES, ()
    )


async def _walks(store: SqlStore, act: Callable[[], Awaitable[object]]) -> tuple[str, ...]:
    steps = await plans(store, act)
    assert any(step.startswith("SEARCH") for step in steps)
    return tuple(step for step in steps if step.startswith("SCAN") and step.split()[1] in _NAMES)


#: Aliases have a number: facts_1.
_NAMES = {
    f"{table}{number}" for table in (*TABLES, "turns", "links", "notes", "episodes") for number in ("", "_1", "_2")
}


async def test_the_newest_facts_on_a_subject_are_read_in_the_order_of_an_index(store: SqlStore) -> None:
    steps = await plans(store, partial(store.facts.about, ["host1"], VIEWERS[0], LATER, 5))
    assert any("ix_facts_subject (subject_key=?)" in step for step in steps)
    assert not any("TEMP B-TREE FOR ORDER BY" in step for step in steps if "facts" in step)


async def test_the_newest_facts_of_a_value_are_read_in_the_order_of_an_index(store: SqlStore) -> None:
    steps = await plans(store, partial(store.facts.naming, ["1"], VIEWERS[0], LATER, 5))
    assert any("ix_facts_value (value_key=?)" in step for step in steps)
    assert not any("TEMP B-TREE FOR ORDER BY" in step for step in steps if "facts" in step)


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("on", "ix_facts_group (subject_key=? AND predicate=?)"),
        ("of_turns", "ix_fact_sources_turn (turn_id=?)"),
        ("tellings", "ix_facts_episode (episode=?)"),
    ],
)
async def test_each_read_has_an_index_of_its_own(store: SqlStore, name: str, index: str) -> None:
    steps = await plans(store, partial(READS[name], store, VIEWERS[0]))
    assert any(index in step for step in steps), steps


async def test_events_near_are_found_by_keyword_and_span_in_one_index(store: SqlStore) -> None:
    steps = await plans(store, partial(WRITES["events_near"], store))
    assert any("COVERING INDEX ix_event_keywords_span (keyword=? AND last_at>?)" in step for step in steps), steps


async def test_a_walk_over_all_facts_would_be_seen(store: SqlStore) -> None:
    async def all_facts() -> None:
        async with store.database.reading() as connection:
            await connection.exec_driver_sql("SELECT sum(length(text)) FROM facts")
            await connection.exec_driver_sql("SELECT id FROM facts WHERE id = 'x'")

    assert await _walks(store, all_facts) == ("SCAN facts",)
