"""Databases of every version of the schema, with rows in every table, brought up to date: nothing of it is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from memory.audit_log import verified
from memory.model import Viewer
from memory.ports import Recorded
from memory.stores.sql import SqlStore, open_store
from memory.stores.sql_schema import known_revisions
from memory.stores.tables import metadata
from memory.tickets import TicketFilter
from tests.fakes import postgres
from tests.fakes.old_database import Put, number_of, rows_in, walked
from tests.fakes.old_rows import Row, turn_of
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

AGENT = Viewer(user="kato", agent=True)
LATER = NOON + timedelta(days=1)
REVISIONS = known_revisions()


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.db'}"
        return
    postgres.require()
    async with postgres.database() as address_of_new:
        yield address_of_new


def lost(made: Put, found: Mapping[str, list[Row]]) -> list[tuple[str, Row]]:
    """Rows that were put there and are there no more as they were, with their tables."""
    return [
        (table, row)
        for table, rows in made.items()
        for row in rows
        if not any(row.items() <= one.items() for one in found[table])
    ]


async def reads(store: SqlStore, numbers: Sequence[int]) -> None:
    """What was said is found as it was said, and it goes on from there."""
    said = [turn_of(number) for number in numbers]
    assert await store.reading.turns([one.id for one in said], AGENT, LATER) == said
    tickets = await store.tickets.listed(AGENT, TicketFilter(), None, 100)
    assert {ticket.name for ticket in tickets} == {one.ticket for one in said}
    assert await store.writing.record([turn(2, thread="INC-0"), *said]) == Recorded(new=1, repeated=len(said))


async def reads_what_was_made(store: SqlStore) -> None:
    """Of rows of every version."""
    numbers = range(1, len(REVISIONS) + 1)
    episodes = {one.id: one.turns for one in await store.writing.episodes_after(None, 100)}
    assert episodes == {f"episode-{number}": (turn_of(number),) for number in numbers}
    notes = await store.writing.newest_notes(list(episodes))
    assert {name: (note.version, note.keywords) for name, note in notes.items()} == {
        f"episode-{number}": (number, ("vpn", "接続")) for number in numbers
    }
    facts = await store.fact_writing.facts_of(list(episodes))
    # Of facts from before there were keys of values, what the migration made of them.
    named = await store.facts.naming([fact.value for fact in facts], AGENT, LATER, 100)
    assert len(facts) - len(named) == len(REVISIONS) - number_of("0032") + 1
    assert {fact.id for fact in named} <= {fact.id for fact in facts}
    assert {fact.turn_ids for fact in facts} == {(turn_of(number).id,) for number in numbers[1:]}
    assert await store.vault.sealed("INC-4") == bytes([4] * 8)
    assert len(await store.holds.all()) == len(REVISIONS) - number_of("0018") + 1
    verdict = await verified(store.audit, number_of("0017"))
    assert (verdict.faults, verdict.last, verdict.erased) == ((), len(REVISIONS), 0)


async def test_a_walk_over_every_version_loses_no_row_and_changes_only_what_it_means_to(url: str) -> None:
    made = await walked(url, REVISIONS)
    found = await rows_in(url)
    assert found.keys() == made.keys() == metadata.tables.keys()
    # Facts came later than notes: the next flush of these words makes the note anew, with facts.
    [(table, first)] = lost(made, found)
    assert (table, first) == ("notes", made["notes"][0])
    assert {**first, "fingerprint": ""}.items() <= found["notes"][0].items()
    # Tickets from before there were rows of them got theirs.
    counts = {table: len(rows) for table, rows in made.items()}
    counts["tickets"] += number_of("0008") - 1
    assert {table: len(rows) for table, rows in found.items()} == counts
    # Somebody may have begun a copy that was owed before this was noted. Those with an odd number are made.
    begun = {row["turn_id"]: row["begun"] for row in found["ticket_copies"]}
    noted = number_of("0027")
    earlier = {turn_of(number).id: number % 2 == 0 for number in range(number_of("0016"), noted)}
    assert begun == earlier | {turn_of(number).id: number % 2 == 1 for number in range(noted, len(REVISIONS) + 1)}
    async with open_store(url, busy_seconds=5, clock=Watch()) as store:
        await reads_what_was_made(store)
        await reads(store, range(1, len(REVISIONS) + 1))


@pytest.mark.parametrize("revision", ["0001", "0007", "0016", "0022"])
async def test_an_old_database_is_brought_up_to_date_by_opening_it(revision: str, url: str) -> None:
    made = await walked(url, [revision])
    async with open_store(url, busy_seconds=5, clock=Watch()) as store:
        await reads(store, [number_of(revision)])
    unread = [table for table, _ in lost(made, await rows_in(url))]
    assert unread == (["notes"] if revision == "0001" else [])
