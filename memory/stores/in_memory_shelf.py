"""What is known of articles, in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.knowledge.shelf import Shelved
from memory.stores.words import storable


class InMemoryShelf:
    """The port `Shelf` in memory."""

    def __init__(self) -> None:
        self._shelved: dict[tuple[str, str], Shelved] = {}

    async def shelved(self) -> list[Shelved]:
        return [one for _, one in sorted(self._shelved.items())]

    async def shelve(self, articles: Sequence[Shelved]) -> None:
        for one in articles:
            kept = replace(
                one,
                collection=storable(one.collection),
                path=storable(one.path),
                title=storable(one.title),
                sections=tuple(map(storable, one.sections)),
                gone=tuple(map(storable, one.gone)),
            )
            self._shelved[kept.collection, kept.path] = kept
