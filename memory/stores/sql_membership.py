"""Who left a channel, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, or_

from memory.membership import Move
from memory.stores.sql_engine import Database
from memory.stores.tables import moves as table


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
