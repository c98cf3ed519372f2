"""What people say about answers, in SQL: one row for each person and answer."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import case, delete, false, func, select

from memory.feedback import Correction, Feedback, Tally
from memory.stores.sql_engine import Database
from memory.stores.tables_feedback import corrections
from memory.stores.tables_feedback import feedback as _given


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

    async def helpful(self, limit: int) -> list[str]:
        worst = func.min(case((_given.c.helpful, 1), else_=0))
        praised = select(_given.c.turn).group_by(_given.c.turn).having(worst == 1)
        newest = praised.order_by(func.max(_given.c.at).desc(), _given.c.turn).limit(max(limit, 0))
        return [row.turn for row in await self._database.rows(newest)]

    async def correct(self, correction: Correction) -> None:
        new = self._database.insert(corrections).values(asdict(correction))
        fresh = {column.name: new.excluded[column.name] for column in corrections.c if not column.primary_key}
        await self._database.change(new.on_conflict_do_update(index_elements=["turn"], set_=fresh))

    async def correction(self, turn: str) -> Correction | None:
        rows = await self._database.rows(select(corrections).where(corrections.c.turn == turn))
        return Correction(**rows[0]._mapping) if rows else None

    async def corrections(self, limit: int) -> list[Correction]:
        newest = select(corrections).order_by(corrections.c.at.desc(), corrections.c.turn).limit(max(limit, 0))
        return [Correction(**row._mapping) for row in await self._database.rows(newest)]

    async def forget(self, author: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(_given).where(_given.c.author == author))
            await connection.execute(delete(corrections).where(corrections.c.author == author))
