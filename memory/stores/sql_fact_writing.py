"""Facts, events and links as the write path and upkeep see them, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.facts import Event, Fact, Link, Undo
from memory.model import Note
from memory.stores.fact_rules import by_span, by_validity, keyword_keys, made_of, strongest
from memory.stores.sql_cut import still_there
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_fact_cut import store_event, store_facts
from memory.stores.sql_fact_reading import all_versions, links_with
from memory.stores.sql_fact_rows import link_of, read_events, read_facts
from memory.stores.sql_rows import in_order, note_of
from memory.stores.tables import episodes as cut
from memory.stores.tables_facts import event_facts, event_keywords, events, facts, links, undos

_HELD = facts.c.retired_at.is_(None)


class SqlFactWriting:
    """The port `FactWriting` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def store_facts(self, episode: str, facts: Sequence[Fact], at: datetime) -> int:
        made = made_of(facts, episode)
        async with self._database.deriving() as connection:
            if not await still_there(connection, episode):
                return 0
            return await store_facts(connection, self._database, episode, made, at)

    async def facts_of(self, episodes: Sequence[str]) -> list[Fact]:
        return await self._held([facts.c.episode.in_(some) for some in parts(episodes)])

    async def add_undo(self, undo: Undo) -> None:
        row = {column.name: getattr(undo, column.name) for column in undos.c}
        async with self._database.deriving() as connection:
            there = await connection.execute(select(facts.c.id).where(facts.c.id.in_([undo.fact, undo.by])))
            if {undo.fact, undo.by} <= set(there.scalars()):
                given = self._database.insert(undos).values(row)
                again = {name: row[name] for name in ("who", "why", "at", "until")}
                await connection.execute(
                    given.on_conflict_do_update(
                        index_elements=[undos.c.fact, undos.c.by], set_=again, where=undos.c.until.is_not(None)
                    )
                )

    async def take_back_undo(self, fact: str, by: str, at: datetime) -> None:
        ours = and_(undos.c.fact == fact, undos.c.by == by, undos.c.until.is_(None))
        async with self._database.deriving() as connection:
            await connection.execute(update(undos).where(ours).values(until=at))

    async def store_event(self, event: Event) -> None:
        async with self._database.deriving() as connection:
            await store_event(connection, self._database, event)

    async def events_of(self, facts: Sequence[str]) -> list[Event]:
        found: list[Event] = []
        for some in parts(facts):
            ours = select(event_facts.c.event).where(event_facts.c.fact.in_(some), event_facts.c.member)
            found += await read_events(self._database, events.c.id.in_(ours))
        return by_span(found)

    async def events_near(self, keywords: Sequence[str], first: datetime, last: datetime, limit: int) -> list[Event]:
        shared = func.count().label("shared")
        near = (
            select(event_keywords.c.event, shared)
            .where(event_keywords.c.keyword.in_(keyword_keys(keywords)))
            .where(event_keywords.c.last_at >= first, event_keywords.c.first_at <= last)
            .group_by(event_keywords.c.event)
            .order_by(shared.desc(), func.max(event_keywords.c.last_at).desc(), event_keywords.c.event)
            .limit(max(limit, 0))
        )
        ids = [row.event for row in await self._database.rows(near)]
        found = await read_events(self._database, events.c.id.in_(ids))
        return in_order(ids, {event.id: event for event in found})

    async def store_links(self, episode: str, links: Sequence[Link]) -> None:
        async with self._database.deriving() as connection:
            await self._put_links(connection, episode, links)

    async def links_of(self, episodes: Sequence[str]) -> list[Link]:
        found: list[Link] = []
        for some in parts(episodes):
            found += map(link_of, await self._database.rows(links_with(some)))
        return strongest(found)

    async def note_versions(self, episode: str) -> list[Note]:
        return [note_of(row) for row in await self._database.rows(all_versions(episode))]

    async def counts(self) -> Mapping[str, int]:
        each = [
            select(func.count()).select_from(facts).where(_HELD).scalar_subquery().label("facts"),
            *(select(func.count()).select_from(table).scalar_subquery().label(table.name) for table in (events, links)),
            select(func.count()).select_from(undos).where(undos.c.until.is_(None)).scalar_subquery().label("undos"),
        ]
        [row] = await self._database.rows(select(*each))
        return dict(row._mapping)

    async def _held(self, conditions: Sequence[ColumnElement[bool]]) -> list[Fact]:
        found: list[Fact] = []
        for condition in conditions:
            found += await read_facts(self._database, select(facts).where(_HELD, condition))
        return by_validity(found)

    async def _put_links(self, connection: AsyncConnection, episode: str, made: Sequence[Link]) -> None:
        await connection.execute(delete(links).where(links.c.episode == episode))
        wanted = {link.other: link for link in reversed(made) if link.episode == episode}
        there = await _there(connection, [episode, *wanted])
        rows = [
            {column.name: getattr(link, column.name) for column in links.c}
            for link in wanted.values()
            if {link.episode, link.other} <= there
        ]
        if rows:
            await connection.execute(insert(links), rows)


async def _there(connection: AsyncConnection, ids: Sequence[str]) -> set[str]:
    """Those of these episodes that exist; what deletes episodes waits until this transaction ends."""
    found: set[str] = set()
    for some in parts(ids):
        found.update((await connection.execute(select(cut.c.id).where(cut.c.id.in_(some)))).scalars())
    return found
