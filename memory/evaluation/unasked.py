"""The ledger of questions that nobody asked: what a measurement spends counts, and nothing else of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memory.audit_log import AuditEntry
from memory.model import TokenUse
from memory.ports import AnsweredQuestion, HandedOver, Ledger, Spent


class UnaskedLedger:
    """The port `Ledger` over that of the desk. What it is told of a question is in no statistics and in no audit log;
    the tokens that models took for it count against the day's, as those do that no question pays for. All else is read
    there and written there."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def add(self, entry: AnsweredQuestion, audit: AuditEntry | None = None) -> None:
        spent = entry.assistant + entry.master
        if spent != TokenUse():
            await self._ledger.note_enriched(entry.asked_at, spent)

    async def since(self, moment: datetime) -> list[AnsweredQuestion]:
        return await self._ledger.since(moment)

    async def sources(self, turns: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        return await self._ledger.sources(turns)

    async def found_nothing(self, turns: Sequence[str]) -> frozenset[str]:
        return await self._ledger.found_nothing(turns)

    async def note_enriched(self, at: datetime, tokens: TokenUse) -> None:
        await self._ledger.note_enriched(at, tokens)

    async def spent_since(self, moment: datetime) -> Spent:
        return await self._ledger.spent_since(moment)

    async def spent_by(self, person: str, moment: datetime) -> int:
        return await self._ledger.spent_by(person, moment)

    async def note_handed_over(self, request: HandedOver, audit: AuditEntry | None = None) -> None:
        await self._ledger.note_handed_over(request, audit)

    async def handed_over_since(self, moment: datetime) -> list[HandedOver]:
        return await self._ledger.handed_over_since(moment)

    async def count_since(self, moment: datetime) -> int:
        return await self._ledger.count_since(moment)

    async def gains(self, moment: datetime, limit: int) -> list[int]:
        return await self._ledger.gains(moment, limit)

    async def rebuilt(self) -> float | None:
        return await self._ledger.rebuilt()

    async def remembered_tokens(self) -> int:
        return await self._ledger.remembered_tokens()
