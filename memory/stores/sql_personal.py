"""What belongs to one person, out of SQL: the viewer is part of every statement."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, Subquery, and_, false, func, select, true

from memory.model import Turn, Viewer
from memory.personal import Kept, Request
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_rows import IN_TIME, in_order, turn_of
from memory.stores.sql_scope import may_see
from memory.stores.tables import turns
from memory.stores.words import request_of

#: Made once, as in `sql_scope`.
_SAID = turns.alias("said")


class SqlPersonal:
    """The port `Personal` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def requests(self, viewer: Viewer, until: datetime, limit: int) -> list[Request]:
        newest = await self._database.rows(_telling(viewer, until, max(limit, 0)))
        telling: list[int] = [place for row in newest for place in tuple(row)[1:] if place is not None]
        said: dict[str, list[Turn]] = {}
        for some in parts(telling):
            # Looked at again: what a turn tells may have been hidden since.
            mine = select(turns).where(turns.c.seq.in_(some), _own_matter(viewer, until, turns))
            for row in await self._database.rows(mine.order_by(*IN_TIME)):
                said.setdefault(row.conversation_id, []).append(turn_of(row))
        found = {name: request_of(part) for name, part in said.items()}
        return in_order((row.conversation_id for row in newest), found)

    async def kept(self, viewer: Viewer, until: datetime) -> Kept:
        [row] = await self._database.rows(_span(_own_words(viewer), turns.c.said_at <= until))
        return Kept(messages=row.messages, first_at=row.first_at, last_at=row.last_at)

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


def _own_matter(viewer: Viewer, until: datetime, turn: FromClause) -> ColumnElement[bool]:
    return and_(
        turn.c.requester == viewer.user, turn.c.derived == false(), turn.c.said_at <= until, may_see(viewer, turn)
    )


def _telling(viewer: Viewer, until: datetime, limit: int) -> Select[Any]:
    """The conversations about the viewer's matters, the one that changed last first, each with the places of the turns
    that tell what `request_of` wants to know; a place is None where no turn tells it."""
    changed = func.max(turns.c.said_at).label("changed_at")
    newest = (
        select(turns.c.conversation_id, changed)
        .where(_own_matter(viewer, until, turns))
        .group_by(turns.c.conversation_id)
        .order_by(changed.desc(), turns.c.conversation_id)
        .limit(limit)
        .subquery("newest")
    )
    back = [column.desc() for column in _in_time()]
    places = [_place(viewer, until, newest, _in_time()), _place(viewer, until, newest, back)]
    told = (_SAID.c.ticket, _SAID.c.title, _SAID.c.status)
    places += [_place(viewer, until, newest, back, column.is_not(None)) for column in told]
    return select(newest.c.conversation_id, *places).order_by(newest.c.changed_at.desc(), newest.c.conversation_id)


def _in_time() -> list[ColumnElement[Any]]:
    return [_SAID.c.said_at, _SAID.c.seq]


def _place(
    viewer: Viewer, until: datetime, newest: Subquery, order: Iterable[ColumnElement[Any]], *told: ColumnElement[bool]
) -> ColumnElement[Any]:
    here = _SAID.c.conversation_id == newest.c.conversation_id
    first = select(_SAID.c.seq).where(here, _own_matter(viewer, until, _SAID), *told).order_by(*order).limit(1)
    return first.correlate(newest).scalar_subquery()
