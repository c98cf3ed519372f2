"""Legal holds in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memory.holds import Hold, KeptVersion
from memory.stores.in_memory_state import Memory


class InMemoryHolds:
    """The port `Holds` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def put(self, hold: Hold) -> bool:
        new = hold.conversation not in self._memory.holds
        self._memory.holds.setdefault(hold.conversation, hold)
        return new

    async def release(self, conversation: str) -> bool:
        self._memory.out_of_sight = [one for one in self._memory.out_of_sight if one.conversation != conversation]
        return self._memory.holds.pop(conversation, None) is not None

    async def all(self) -> list[Hold]:
        found = [replace(hold, kept=len(await self.kept(name))) for name, hold in self._memory.holds.items()]
        return sorted(found, key=lambda hold: (hold.at, hold.name))

    async def among(self, conversations: Collection[str]) -> list[Hold]:
        return [hold for hold in await self.all() if hold.conversation in conversations]

    async def of_author(self, author: str) -> list[Hold]:
        wrote = {kept.turn.conversation.id for kept in self._memory.turns.values() if kept.turn.author == author}
        return await self.among(wrote | {one.conversation for one in self._memory.out_of_sight if one.author == author})

    async def kept(self, conversation: str) -> list[KeptVersion]:
        here = [one for one in self._memory.out_of_sight if one.conversation == conversation]
        return sorted(here, key=lambda one: (one.said_at, one.turn, one.revision))

    async def destroy(self, turns: Collection[str]) -> int:
        left = [one for one in self._memory.out_of_sight if one.turn not in turns]
        gone = len(self._memory.out_of_sight) - len(left)
        self._memory.out_of_sight = left
        return gone
