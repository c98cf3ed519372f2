"""What an outside tracker is still to be told, in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from memory.model import Turn
from memory.stores.ticket_rules import Standing
from memory.stores.words import name_key
from memory.tracker import Delivery, forgetting_id


class InMemoryDeliveries:
    """The port `Deliveries` in memory."""

    def __init__(self) -> None:
        self._owed: dict[str, Delivery] = {}

    def owe(self, change: Turn, at: datetime) -> None:
        """The tracker is to be told of this change of a ticket."""
        owed = Delivery(
            turn=change.id, conversation=change.conversation.id, ticket=change.ticket or "", at=at, next_at=at
        )
        self._owed.setdefault(change.id, owed)

    def owe_forgotten(self, tickets: Iterable[Standing], at: datetime) -> None:
        """The tracker is to be told that these tickets are forgotten."""
        for one in tickets:
            id, place = forgetting_id(one.conversation_id, one.name), one.conversation_id
            owed = Delivery(turn=id, conversation=place, ticket=one.name, at=at, next_at=at)
            self._owed.setdefault(id, owed)

    async def due(self, now: datetime, limit: int) -> list[Delivery]:
        first: dict[tuple[str, str], Delivery] = {}
        for owed in self._owed.values():
            if owed.refused_at is None:
                first.setdefault((owed.conversation, name_key(owed.ticket)), owed)
        return [owed for owed in first.values() if owed.next_at <= now][: max(limit, 0)]

    async def told(self, turn: str) -> None:
        self._owed.pop(turn, None)

    async def failed(self, turn: str, why: str, next_at: datetime) -> None:
        self._change(turn, lambda owed: replace(owed, why=why, next_at=next_at, tries=owed.tries + 1))

    async def refused(self, turn: str, why: str, at: datetime) -> None:
        self._change(turn, lambda owed: replace(owed, why=why, refused_at=at, tries=owed.tries + 1))

    async def listed(self, limit: int) -> list[Delivery]:
        return list(self._owed.values())[: max(limit, 0)]

    async def of_ticket(self, ticket: str) -> list[Delivery]:
        return [owed for owed in self._owed.values() if name_key(owed.ticket) == name_key(ticket)]

    async def again(self, ticket: str, now: datetime) -> int:
        refused = [owed for owed in await self.of_ticket(ticket) if owed.refused_at is not None]
        for owed in refused:
            self._owed[owed.turn] = replace(owed, refused_at=None, tries=0, why="", next_at=now)
        return len(refused)

    async def drop_old(self, before: datetime) -> int:
        old = [owed.turn for owed in self._owed.values() if owed.refused_at is not None and owed.refused_at < before]
        for turn in old:
            del self._owed[turn]
        return len(old)

    def _change(self, turn: str, change: Callable[[Delivery], Delivery]) -> None:
        owed = self._owed.get(turn)
        if owed is not None and owed.refused_at is None:
            self._owed[turn] = change(owed)
