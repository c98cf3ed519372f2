"""Leases of jobs, in SQL: one statement decides, so two processes cannot both win."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete

from memory.ports import LEAP
from memory.stores.sql_engine import Database
from memory.stores.tables import Moment, leases

#: Made once: to make it for each message would take longer than to run it.
_RELEASE = delete(leases).where(leases.c.name == bindparam("lease"), leases.c.holder == bindparam("by"))


class SqlLeases:
    """The port `Leases` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        write = database.insert(leases)
        self._acquire = write.on_conflict_do_update(
            index_elements=["name"],
            set_={"holder": write.excluded.holder, "until": write.excluded.until},
            where=(leases.c.holder == write.excluded.holder)
            | (leases.c.until <= bindparam("now", type_=Moment))
            | (leases.c.until > bindparam("latest", type_=Moment)),
        ).returning(leases.c.name)

    async def acquire(self, name: str, holder: str, now: datetime, seconds: int) -> bool:
        until = now + timedelta(seconds=seconds)
        lease = {"name": name, "holder": holder, "until": until}
        return bool(await self._database.change(self._acquire, lease | {"now": now, "latest": until + LEAP}))

    async def release(self, name: str, holder: str) -> None:
        await self._database.change(_RELEASE, {"lease": name, "by": holder})
