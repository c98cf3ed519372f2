"""The audit log, in SQL."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.audit_log import GENESIS, AuditDetails, AuditEntry, AuditKind, AuditRecord
from memory.stores.audit_rules import following
from memory.stores.sql_engine import Database, Turnstile
from memory.stores.tables_audit import audit, audit_details

_DETAILS = (audit_details.c.salt, audit_details.c.person, audit_details.c.about)
_RECORDS: Select[Any] = select(audit, *_DETAILS, audit_details.c.sources, audit_details.c.counts).join_from(
    audit, audit_details, audit.c.number == audit_details.c.number, isouter=True
)


async def append_in(database: Database, connection: AsyncConnection, entry: AuditEntry) -> None:
    """Write an entry in a transaction that is under way, as its last step: whoever appends next waits for its end."""
    await database.alone(connection, Turnstile.AUDITING)
    newest = select(audit.c.number, audit.c.digest).order_by(audit.c.number.desc()).limit(1)
    last = (await connection.execute(newest)).one_or_none()
    record = following(last.number if last else 0, last.digest if last else GENESIS, entry)
    values = {name: value for name, value in asdict(record).items() if name != "details"}
    details = asdict(record)["details"]
    await connection.execute(insert(audit).values(values))
    await connection.execute(insert(audit_details).values(details | {"number": record.number}))


class SqlAuditLog:
    """The port `AuditLog` on SQLite and PostgreSQL. Processes that append at the same time keep one chain."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, entry: AuditEntry) -> None:
        async with self._database.writing() as connection:
            await append_in(self._database, connection, entry)

    async def page(self, after: int, limit: int) -> list[AuditRecord]:
        return await self._records(_RECORDS.where(audit.c.number > after).order_by(audit.c.number).limit(max(limit, 0)))

    async def newest(self, since: datetime, limit: int) -> list[AuditRecord]:
        newest = _RECORDS.where(audit.c.at >= since).order_by(audit.c.number.desc()).limit(max(limit, 0))
        return (await self._records(newest))[::-1]

    async def before(self, moment: datetime) -> int:
        first = select(func.min(audit.c.number)).where(audit.c.at >= moment)
        last = select(func.max(audit.c.number))
        async with self._database.reading() as connection:
            number = (await connection.execute(first)).scalar()
            return number - 1 if number is not None else (await connection.execute(last)).scalar() or 0

    async def forget(self, person: str) -> int:
        async with self._database.writing() as connection:
            named = delete(audit_details).where(audit_details.c.person == person)
            return (await connection.execute(named)).rowcount

    async def _records(self, statement: Select[Any]) -> list[AuditRecord]:
        async with self._database.reading() as connection:
            return [_record_of(row) for row in await connection.execute(statement)]


def _record_of(row: Row[Any]) -> AuditRecord:
    return AuditRecord(
        number=row.number,
        at=row.at,
        kind=AuditKind(row.kind),
        personal=row.personal,
        seal=row.seal,
        digest=row.digest,
        details=None
        if row.salt is None
        else AuditDetails(salt=row.salt, person=row.person, about=row.about, sources=row.sources, counts=row.counts),
    )
