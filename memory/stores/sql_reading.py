"""Reading for people, out of SQL: the viewer and the time are part of every statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import BindParameter, Select, and_, bindparam, or_, select, true

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
    told_of,
    turn_of,
    whole_episodes,
)
from memory.stores.sql_scope import may_see, may_see_episode
from memory.stores.tables import Moment, episodes, notes, turn_versions, turns
from memory.stores.words import as_it_was, name_key, readings, states

_IDS: BindParameter[str] = bindparam("ids", expanding=True)
_UNTIL = bindparam("until", type_=Moment)


class SqlReading:
    """The port `Reading` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recent(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        return await self._newest(_back(viewer), conversation, until, limit)

    async def live(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        return await self._newest(_back(viewer).where(turns.c.pending == true()), conversation, until, limit)

    async def episodes(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Episode]:
        found: dict[str, Episode] = {}
        for some in parts(ids):
            rows = await self._database.rows(_whole(viewer), {"ids": some, "until": until})
            found |= episodes_by_id(rows)
        return in_order(ids, found)

    async def turns(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Turn]:
        found: dict[str, Turn] = {}
        for some in parts(ids):
            rows = await self._database.rows(_some(viewer), {"ids": some, "until": until})
            found |= {row.id: turn_of(row) for row in rows}
        return in_order(ids, found)

    async def as_of(self, ids: Sequence[str], viewer: Viewer, moment: datetime) -> list[Turn]:
        found: dict[str, Turn] = {}
        for some in parts(ids):
            rows = await self._database.rows(_current(viewer), {"ids": some})
            now = {row.id: turn_of(row) for row in rows}
            older = await self._database.rows(_older(), {"ids": list(now), "until": moment}) if now else ()
            found |= as_it_was(now, [turn_of(row) for row in older], moment)
        return in_order(ids, found)

    async def named(self, ref: str, viewer: Viewer, until: datetime) -> list[Turn]:
        meant = [
            turns.c.name_key == name
            if message is None
            else and_(turns.c.name_key == name, turns.c.message_key == message)
            for name, message in readings(ref)
        ]
        rows = await self._database.rows(_seen(viewer, until).where(or_(*meant)).order_by(*IN_TIME))
        return [turn_of(row) for row in rows]

    async def tickets(self, names: Sequence[str], viewer: Viewer, until: datetime) -> list[TicketState]:
        keys = [name_key(name) for name in names]
        found: dict[str, TicketState] = {}
        for some in parts(keys):
            of_tickets = and_(turns.c.name_key.in_(some), turns.c.ticket.is_not(None))
            rows = await self._database.rows(_seen(viewer, until).where(of_tickets).order_by(*IN_TIME))
            found |= states(told_of(row) for row in rows)
        return in_order(keys, found)

    async def ended(self, since: datetime, until: datetime, viewer: Viewer, limit: int) -> list[str]:
        within = and_(episodes.c.last_at >= since, episodes.c.last_at <= until)
        seen = select(episodes.c.id).where(within, may_see_episode(viewer, episodes.c.id))
        newest = seen.order_by(episodes.c.last_at.desc(), episodes.c.id).limit(max(limit, 0))
        return [row.id for row in await self._database.rows(newest)]

    async def notes(self, episodes: Sequence[str], viewer: Viewer) -> Mapping[str, Note]:
        found: dict[str, Note] = {}
        for some in parts(episodes):
            rows = await self._database.rows(newest_notes(some).where(may_see_episode(viewer, notes.c.episode)))
            found |= {row.episode: note_of(row) for row in rows}
        return found

    async def _newest(self, statement: Select[Any], conversation: str, until: datetime, limit: int) -> list[Turn]:
        if limit < 1:
            return []
        rows = await self._database.rows(statement.limit(limit), {"place": conversation, "until": until})
        return [turn_of(row) for row in reversed(rows)]


def _seen(viewer: Viewer, until: datetime | BindParameter[datetime]) -> Select[Any]:
    return select(turns).where(turns.c.said_at <= until, may_see(viewer, turns))


# What each question asks is made once a viewer, as in `sql_scope`.
@lru_cache(maxsize=256)
def _some(viewer: Viewer) -> Select[Any]:
    return _seen(viewer, _UNTIL).where(turns.c.id.in_(_IDS))


@lru_cache(maxsize=256)
def _current(viewer: Viewer) -> Select[Any]:
    return select(turns).where(turns.c.id.in_(_IDS), may_see(viewer, turns))


@lru_cache(maxsize=1)
def _older() -> Select[Any]:
    """Earlier versions of turns that may be seen as they are now."""
    said = [column for column in turn_versions.c if column.name != "turn_id"]
    place = [turns.c[name] for name in ("id", "platform", "workspace", "channel", "thread", "message")]
    versions = select(*place, *said).join_from(turns, turn_versions, turn_versions.c.turn_id == turns.c.id)
    return versions.where(turns.c.id.in_(_IDS), turn_versions.c.said_at <= _UNTIL)


@lru_cache(maxsize=256)
def _whole(viewer: Viewer) -> Select[Any]:
    seen = may_see_episode(viewer, episodes.c.id, _UNTIL)
    return whole_episodes(episodes.c.id.in_(_IDS), turns.c.said_at <= _UNTIL, seen, may_see(viewer, turns))


@lru_cache(maxsize=256)
def _back(viewer: Viewer) -> Select[Any]:
    return _seen(viewer, _UNTIL).where(turns.c.conversation_id == bindparam("place")).order_by(*BACK_IN_TIME)
