"""What people say about answers, in SQL: one row for each person and answer."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, false, func, select

from memory.feedback import Feedback, Tally
from memory.stores import tables
from memory.stores.sql_engine import Database

_given = tables.feedback


class SqlFeedback:
    """The port `FeedbackBox` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(self, feedback: Feedback) -> None:
        new = self._database.insert(_given).values(
            turn=feedback.turn, author=feedback.author, helpful=feedback.helpful, at=feedback.at
        )
        last = new.on_conflict_do_update(
            index_elements=[_given.c.turn, _given.c.author],
            set_={"helpful": new.excluded.helpful, "at": new.excluded.at},
            where=_given.c.at <= new.excluded.at,
        )
        await self._database.change(last)

    async def tally(self, since: datetime) -> Tally:
        counted = (
            select(_given.c.helpful, func.count().label("number"))
            .where(_given.c.at >= since)
            .group_by(_given.c.helpful)
        )
        found = {row.helpful: row.number for row in await self._database.rows(counted)}
        return Tally(helpful=found.get(True, 0), unhelpful=found.get(False, 0))

    async def unhelpful(self, since: datetime) -> frozenset[str]:
        called = select(_given.c.turn).where(_given.c.at >= since, _given.c.helpful == false())
        return frozenset(row.turn for row in await self._database.rows(called))

    async def forget(self, author: str) -> None:
        await self._database.change(delete(_given).where(_given.c.author == author))
