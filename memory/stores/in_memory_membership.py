"""Who left a channel, in memory."""

from __future__ import annotations

from collections.abc import Sequence

from memory.membership import Move
from memory.stores.in_memory_state import Memory
from memory.stores.words import storable


class InMemoryMembership:
    """The port `Membership` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def note(self, moves: Sequence[Move]) -> None:
        for move in moves:
            place = (move.platform, storable(move.channel), storable(move.member))
            known = self._memory.moves.get(place)
            if known is None or (move.at, move.gone) >= (known.at, known.gone):
                self._memory.moves[place] = move
