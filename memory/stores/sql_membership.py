"""Who left a channel, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import and_, false, func, literal_column, or_, select

from memory.membership import Circle, Move
from memory.stores.sql_engine import Database
from memory.stores.tables import moves as table
from memory.stores.tables import turns

#: Written out, as in the index that holds nothing else.
_CLOSED = turns.c.visibility == literal_column("'channel'")


class SqlMembership:
    """The port `Membership` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, moves: Sequence[Move]) -> None:
        if not moves:
            return
        async with self._database.writing() as connection:
            # In one order, so that two who note the same ones do not wait for each other in a circle.
            for move in sorted(moves, key=lambda one: (one.platform, one.channel, one.member)):
                await connection.execute(self._kept(move))

    async def circles(self, platform: str, after: str, limit: int) -> list[Circle]:
        found = (
            select(turns.c.channel, func.min(turns.c.workspace).label("workspace"))
            .where(turns.c.platform == platform, turns.c.channel > after, _CLOSED)
            .group_by(turns.c.channel)
            .order_by(turns.c.channel)
            .limit(max(limit, 0))
        )
        return [Circle(workspace=row.workspace, channel=row.channel) for row in await self._database.rows(found)]

    async def authors(self, platform: str, channel: str) -> Mapping[str, bool]:
        known = and_(
            table.c.platform == turns.c.platform,
            table.c.channel == turns.c.channel,
            table.c.member == turns.c.author,
        )
        wrote = (
            select(turns.c.author, func.coalesce(table.c.gone, false()).label("gone"))
            .select_from(turns.outerjoin(table, known))
            .where(turns.c.platform == platform, turns.c.channel == channel, _CLOSED)
            .distinct()
        )
        return {row.author: bool(row.gone) for row in await self._database.rows(wrote)}

    def _kept(self, move: Move) -> Any:
        row = self._database.insert(table).values(
            platform=move.platform, channel=move.channel, member=move.member, gone=move.gone, at=move.at
        )
        told = row.excluded
        newer = or_(told.at > table.c.at, and_(told.at == table.c.at, told.gone))
        return row.on_conflict_do_update(
            index_elements=[table.c.platform, table.c.channel, table.c.member],
            set_={"gone": told.gone, "at": told.at},
            where=newer,
        )
