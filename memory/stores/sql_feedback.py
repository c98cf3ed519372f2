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
        async with self._database.writing() as connection:
            await connection.execute(last)

    async def tally(self, since: datetime) -> Tally:
        counted = select(_given.c.helpful, func.count()).where(_given.c.at >= since).group_by(_given.c.helpful)
        async with self._database.reading() as connection:
            found = {helpful: number for helpful, number in await connection.execute(counted)}
        return Tally(helpful=found.get(True, 0), unhelpful=found.get(False, 0))

    async def unhelpful(self, since: datetime) -> frozenset[str]:
        called = select(_given.c.turn).where(_given.c.at >= since, _given.c.helpful == false())
        async with self._database.reading() as connection:
            return frozenset((await connection.execute(called)).scalars())

    async def forget(self, author: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(_given).where(_given.c.author == author))
