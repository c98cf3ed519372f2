"""Leases of jobs, in SQL: one statement decides, so two processes cannot both win."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete

from memory.stores.sql_engine import Database
from memory.stores.tables import leases


class SqlLeases:
    """The port `Leases` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def acquire(self, name: str, holder: str, now: datetime, seconds: int) -> bool:
        write = self._database.insert(leases)
        until = now + timedelta(seconds=seconds)
        statement = (
            write.values(name=name, holder=holder, until=until)
            .on_conflict_do_update(
                index_elements=["name"],
                set_={"holder": write.excluded.holder, "until": write.excluded.until},
                where=(leases.c.holder == write.excluded.holder) | (leases.c.until <= now),
            )
            .returning(leases.c.name)
        )
        async with self._database.writing() as connection:
            return (await connection.execute(statement)).one_or_none() is not None

    async def release(self, name: str, holder: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))
