"""Reading for people, out of SQL: the viewer and the time are part of every statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, or_, select, true

from memory.model import Episode, Note, Turn, Viewer
from memory.ports import TicketState
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_rows import (
    BACK_IN_TIME,
    IN_TIME,
    episodes_by_id,
    in_order,
    newest_notes,
    note_of,
    turn_of,
    whole_episodes,
)
from memory.stores.sql_scope import may_see, may_see_episode
from memory.stores.tables import episodes, notes, turns
from memory.stores.words import name_key, readings, states


class SqlReading:
    """The port `Reading` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recent(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        return await self._newest(_of(conversation, viewer, until), limit)

    async def live(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        return await self._newest(_of(conversation, viewer, until).where(turns.c.pending == true()), limit)

    async def episodes(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Episode]:
        found: dict[str, Episode] = {}
        for some in parts(ids):
            seen = may_see_episode(viewer, episodes.c.id, until)
            told = may_see(viewer, turns)
            rows = await self._rows(whole_episodes(episodes.c.id.in_(some), turns.c.said_at <= until, seen, told))
            found |= episodes_by_id(rows)
        return in_order(ids, found)

    async def turns(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Turn]:
        found: dict[str, Turn] = {}
        for some in parts(ids):
            rows = await self._rows(_seen(viewer, until).where(turns.c.id.in_(some)))
            found |= {row.id: turn_of(row) for row in rows}
        return in_order(ids, found)

    async def named(self, ref: str, viewer: Viewer, until: datetime) -> list[Turn]:
        meant = [
            turns.c.name_key == name
            if message is None
            else and_(turns.c.name_key == name, turns.c.message_key == message)
            for name, message in readings(ref)
        ]
        rows = await self._rows(_seen(viewer, until).where(or_(*meant)).order_by(*IN_TIME))
        return [turn_of(row) for row in rows]

    async def tickets(self, names: Sequence[str], viewer: Viewer, until: datetime) -> list[TicketState]:
        keys = [name_key(name) for name in names]
        found: dict[str, TicketState] = {}
        for some in parts(keys):
            of_tickets = and_(turns.c.name_key.in_(some), turns.c.ticket.is_not(None))
            rows = await self._rows(_seen(viewer, until).where(of_tickets).order_by(*IN_TIME))
            found |= states(turn_of(row) for row in rows)
        return in_order(keys, found)

    async def ended(self, since: datetime, until: datetime, viewer: Viewer, limit: int) -> list[str]:
        within = and_(episodes.c.last_at >= since, episodes.c.last_at <= until)
        seen = select(episodes.c.id).where(within, may_see_episode(viewer, episodes.c.id))
        newest = seen.order_by(episodes.c.last_at.desc(), episodes.c.id).limit(max(limit, 0))
        return [row.id for row in await self._rows(newest)]

    async def notes(self, episodes: Sequence[str], viewer: Viewer) -> Mapping[str, Note]:
        found: dict[str, Note] = {}
        for some in parts(episodes):
            rows = await self._rows(newest_notes(some).where(may_see_episode(viewer, notes.c.episode)))
            found |= {row.episode: note_of(row) for row in rows}
        return found

    async def _newest(self, statement: Select[Any], limit: int) -> list[Turn]:
        if limit < 1:
            return []
        rows = await self._rows(statement.order_by(*BACK_IN_TIME).limit(limit))
        return [turn_of(row) for row in reversed(rows)]

    async def _rows(self, statement: Select[Any]) -> Sequence[Row[Any]]:
        async with self._database.reading() as connection:
            rows: Sequence[Row[Any]] = (await connection.execute(statement)).all()
            return rows


def _seen(viewer: Viewer, until: datetime) -> Select[Any]:
    return select(turns).where(turns.c.said_at <= until, may_see(viewer, turns))


def _of(conversation: str, viewer: Viewer, until: datetime) -> Select[Any]:
    return _seen(viewer, until).where(turns.c.conversation_id == conversation)
