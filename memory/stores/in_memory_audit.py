"""The audit log in memory: the twin of the SQL store."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memory.audit_log import GENESIS, AuditEntry, AuditRecord
from memory.stores.audit_rules import following
from memory.stores.words import storable


class InMemoryAuditLog:
    """The port `AuditLog` in memory."""

    def __init__(self) -> None:
        self._records: list[AuditRecord] = []

    async def append(self, entry: AuditEntry) -> None:
        digest = self._records[-1].digest if self._records else GENESIS
        self._records.append(following(len(self._records), digest, entry))

    async def page(self, after: int, limit: int) -> list[AuditRecord]:
        return self._records[max(after, 0) :][: max(limit, 0)]

    async def newest(self, since: datetime, limit: int) -> list[AuditRecord]:
        found = [record for record in self._records if record.at >= since]
        return found[-limit:] if limit > 0 else []

    async def before(self, moment: datetime) -> int:
        first = next((record.number for record in self._records if record.at >= moment), len(self._records) + 1)
        return first - 1

    async def forget(self, person: str) -> int:
        name = storable(person)
        named = [one for one in self._records if one.details is not None and one.details.person == name]
        for record in named:
            self._records[record.number - 1] = replace(record, details=None)
        return len(named)
