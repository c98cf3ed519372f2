"""What belongs to one person, out of SQL: the viewer is part of every statement."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select, true

from memory.model import Turn, Viewer
from memory.personal import Kept
from memory.stores.sql_engine import Database
from memory.stores.sql_rows import turn_of
from memory.stores.sql_scope import may_see
from memory.stores.tables import turns
from memory.stores.tables_tickets import tickets


class SqlPersonal:
    """The port `Personal` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def kept(self, viewer: Viewer, until: datetime) -> Kept:
        [row] = await self._database.rows(_span(_own_words(viewer), turns.c.said_at <= until))
        return Kept(messages=row.messages, first_at=row.first_at, last_at=row.last_at)

    async def newest(self, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        own = select(turns).where(_own_words(viewer), turns.c.said_at <= until)
        newest = own.order_by(turns.c.said_at.desc(), turns.c.id.desc()).limit(max(limit, 0))
        return [turn_of(row) for row in await self._database.rows(newest)]

    async def wrote_in(self, viewer: Viewer, since: datetime, until: datetime, limit: int) -> list[str]:
        then = and_(turns.c.said_at >= since, turns.c.said_at <= until, turns.c.episode_id.is_not(None))
        own = select(turns.c.episode_id).where(_own_words(viewer), then).group_by(turns.c.episode_id)
        newest = own.order_by(func.max(turns.c.said_at).desc(), turns.c.episode_id).limit(max(limit, 0))
        return [row.episode_id for row in await self._database.rows(newest)]

    async def asked_open(self, viewer: Viewer, limit: int) -> list[str]:
        its = and_(
            turns.c.conversation_id == tickets.c.conversation_id,
            turns.c.name_key == tickets.c.key,
            turns.c.ticket.is_not(None),
            turns.c.episode_id.is_not(None),
        )
        own = and_(tickets.c.requester == viewer.user, tickets.c.requester_gone.is_(False))
        seen = and_(may_see(viewer, tickets), may_see(viewer, turns))
        theirs = select(turns.c.episode_id).join(tickets, its).where(own, tickets.c.settled_at.is_(None), seen)
        changed = func.max(tickets.c.changed_at).desc()
        newest = theirs.group_by(turns.c.episode_id).order_by(changed, turns.c.episode_id).limit(max(limit, 0))
        return [row.episode_id for row in await self._database.rows(newest)]

    async def written(self, viewer: Viewer, after: str | None, limit: int) -> list[Turn]:
        later = true() if after is None else turns.c.id > after
        own = select(turns).where(_own_words(viewer), later).order_by(turns.c.id).limit(max(limit, 0))
        return [turn_of(row) for row in await self._database.rows(own)]


def _span(*conditions: ColumnElement[bool]) -> Select[Any]:
    span: dict[str, ColumnElement[Any]] = {
        "messages": func.count(),
        "first_at": func.min(turns.c.said_at),
        "last_at": func.max(turns.c.said_at),
    }
    return select(*(value.label(name) for name, value in span.items())).where(*conditions)


def _own_words(viewer: Viewer) -> ColumnElement[bool]:
    return and_(turns.c.author == viewer.user, may_see(viewer, turns))
