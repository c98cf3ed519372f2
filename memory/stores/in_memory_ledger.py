"""What questions cost, in memory: the twin of the SQL ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memory.audit_log import AuditEntry
from memory.model import TokenUse
from memory.ports import AnsweredQuestion, HandedOver, Spent
from memory.stores.in_memory_audit import InMemoryAuditLog
from memory.stores.in_memory_state import Memory


class InMemoryLedger:
    """The port `Ledger` in memory."""

    def __init__(self, memory: Memory, audit: InMemoryAuditLog) -> None:
        self._memory = memory
        self._audit = audit
        self._entries: list[AnsweredQuestion] = []
        self._enriched: list[tuple[datetime, TokenUse]] = []
        self._handed_over: dict[str, HandedOver] = {}

    async def add(self, entry: AnsweredQuestion, audit: AuditEntry | None = None) -> None:
        self._entries.append(entry)
        if audit is not None:
            await self._audit.append(audit)

    async def since(self, moment: datetime) -> list[AnsweredQuestion]:
        return sorted((entry for entry in self._entries if entry.asked_at >= moment), key=lambda entry: entry.asked_at)

    async def note_enriched(self, at: datetime, tokens: TokenUse) -> None:
        self._enriched.append((at, tokens))

    async def spent_since(self, moment: datetime) -> Spent:
        return Spent(
            answers=sum(map(_tokens, await self.since(moment))),
            notes=sum(tokens.prompt + tokens.completion for at, tokens in self._enriched if at >= moment),
        )

    async def spent_by(self, person: str, moment: datetime) -> int:
        return sum(_tokens(entry) for entry in await self.since(moment) if self._author(entry) == person)

    def _author(self, entry: AnsweredQuestion) -> str | None:
        kept = self._memory.turns.get(entry.turn or "")
        return kept.turn.author if kept else None

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

    async def found_nothing(self, turns: Sequence[str]) -> frozenset[str]:
        in_time = sorted(self._entries, key=lambda entry: entry.asked_at)
        last = {entry.turn: entry.abstained for entry in in_time if entry.turn in turns}
        return frozenset(turn for turn, abstained in last.items() if turn and abstained)

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


def _tokens(entry: AnsweredQuestion) -> int:
    used = entry.assistant + entry.master
    return used.prompt + used.completion
