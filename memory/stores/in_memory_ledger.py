"""What questions cost, in memory: the twin of the SQL ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memory.audit_log import AuditEntry
from memory.ports import AnsweredQuestion, HandedOver
from memory.stores.in_memory_audit import InMemoryAuditLog
from memory.stores.in_memory_state import Memory


class InMemoryLedger:
    """The port `Ledger` in memory."""

    def __init__(self, memory: Memory, audit: InMemoryAuditLog) -> None:
        self._memory = memory
        self._audit = audit
        self._entries: list[AnsweredQuestion] = []
        self._handed_over: dict[str, HandedOver] = {}

    async def add(self, entry: AnsweredQuestion, audit: AuditEntry | None = None) -> None:
        self._entries.append(entry)
        if audit is not None:
            await self._audit.append(audit)

    async def since(self, moment: datetime) -> list[AnsweredQuestion]:
        return sorted((entry for entry in self._entries if entry.asked_at >= moment), key=lambda entry: entry.asked_at)

    async def note_handed_over(self, request: HandedOver, audit: AuditEntry | None = None) -> None:
        if audit is not None and request.turn not in self._handed_over:
            await self._audit.append(audit)
        self._handed_over.setdefault(request.turn, request)

    async def handed_over_since(self, moment: datetime) -> list[HandedOver]:
        found = (request for request in self._handed_over.values() if request.at >= moment)
        return sorted(found, key=lambda request: (request.at, request.turn))

    async def sources(self, turns: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        in_time = sorted(self._entries, key=lambda entry: entry.asked_at)
        last = {entry.turn: entry.sources for entry in in_time if entry.turn in turns}
        return {turn: sources for turn, sources in last.items() if turn and sources}

    async def count_since(self, moment: datetime) -> int:
        return len(await self.since(moment))

    async def gains(self, moment: datetime, limit: int) -> list[int]:
        newest_first = reversed(await self.since(moment))
        return [entry.gained for entry in newest_first if entry.gained is not None][: max(limit, 0)]

    async def rebuilt(self) -> float | None:
        left, rebuild = self._memory.left_to_rebuild(), self._memory.rebuild
        return 1 - left / rebuild[1] if rebuild and left else None

    async def remembered_tokens(self) -> int:
        return sum(cut.tokens for cut in self._memory.cuts.values())
