"""Records that have lost their source, or never had one, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, delete, exists, false, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.inspection import Flaw
from memory.stores.sql_engine import parts
from memory.stores.sql_fact_cut import drop_facts
from memory.stores.tables import episodes, notes, retries, turns
from memory.stores.tables_facts import event_facts, events, fact_sources, facts, links

_SOURCE = fact_sources.c.fact == facts.c.id
_OWN_WORDS = exists().where(_SOURCE, fact_sources.c.turn_id == turns.c.id, turns.c.derived == false())
_ECHO = exists().where(_SOURCE) & ~_OWN_WORDS
_SOURCELESS = ~exists().where(_SOURCE, fact_sources.c.turn_id == turns.c.id)
#: Where nothing is left of what a record was made of. Facts are by themselves, since more goes with them.
_ORPHANS: tuple[tuple[Table, ColumnElement[bool]], ...] = (
    (events, ~exists().where(event_facts.c.event == events.c.id)),
    (episodes, ~exists().where(turns.c.episode_id == episodes.c.id)),
    (notes, ~exists().where(episodes.c.id == notes.c.episode)),
    (retries, ~exists().where(episodes.c.id == retries.c.episode)),
    (links, ~exists().where(episodes.c.id == links.c.episode) | ~exists().where(episodes.c.id == links.c.other)),
)
#: A turn of no episode that waits for no flush: nobody would find it ever.
_ADRIFT = (turns.c.pending == false()) & ~exists().where(episodes.c.id == turns.c.episode_id)
_SAME = (facts.c.subject_key, facts.c.predicate, facts.c.value, facts.c.valid_from, facts.c.turn_ids)


async def flaws(connection: AsyncConnection) -> Mapping[Flaw, int]:
    """How many records have each flaw."""
    orphans = [await _count(connection, facts, _SOURCELESS), await _count(connection, turns, _ADRIFT)]
    orphans += [await _count(connection, table, lost) for table, lost in _ORPHANS]
    return {
        Flaw.DUPLICATE: (await connection.execute(_duplicates())).scalar_one(),
        Flaw.ECHO: await _count(connection, facts, _ECHO),
        Flaw.ORPHAN: sum(orphans),
    }


async def drop_flawed(connection: AsyncConnection) -> int:
    """Delete echoes and orphans, but turns, which the next flush takes up; how many there were."""
    wrong: Sequence[str] = (await connection.execute(select(facts.c.id).where(_ECHO | _SOURCELESS))).scalars().all()
    for some in parts(wrong):
        await drop_facts(connection, some)
    taken_up = update(turns).where(_ADRIFT).values(pending=True, episode_id=None)
    dropped = len(wrong) + (await connection.execute(taken_up)).rowcount
    for table, lost in _ORPHANS:
        dropped += (await connection.execute(delete(table).where(lost))).rowcount
    return dropped


def _duplicates() -> Select[Any]:
    """Facts that say what another one says."""
    held = select(func.count().label("times")).where(facts.c.retired_at.is_(None)).group_by(*_SAME)
    again = held.having(func.count() > 1).subquery()
    return select(func.coalesce(func.sum(again.c.times - 1), 0))


async def _count(connection: AsyncConnection, table: Table, which: ColumnElement[bool]) -> int:
    count: int = (await connection.execute(select(func.count()).select_from(table).where(which))).scalar_one()
    return count
