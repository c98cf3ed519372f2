"""An index in memory that keeps how it was asked to remove keys."""

from __future__ import annotations

from collections.abc import Sequence

from memory.stores.in_memory_index import InMemoryIndex


class CountingIndex(InMemoryIndex):
    """Keeps for which episodes keys were removed, call by call."""

    def __init__(self) -> None:
        super().__init__()
        self.removed: list[list[str]] = []

    async def remove(self, episodes: Sequence[str]) -> None:
        self.removed.append([*episodes])
        await super().remove(episodes)
