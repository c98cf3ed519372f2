"""Sealed secrets in memory: the twin of the SQL vault."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memory.stores.words import storable


class InMemoryVault:
    """The port `Vault` in memory."""

    def __init__(self) -> None:
        self._sealed: dict[str, bytes] = {}

    async def keep(self, sealed: Mapping[str, bytes], at: datetime) -> None:
        self._sealed |= {storable(name): piece for name, piece in sealed.items()}

    async def sealed(self, name: str) -> bytes | None:
        return self._sealed.get(storable(name))

    async def take(self, name: str) -> bytes | None:
        return self._sealed.pop(storable(name), None)

    async def names(self, beginning: str) -> list[str]:
        return sorted(name for name in self._sealed if name.startswith(storable(beginning)))

    async def drop(self, name: str) -> None:
        self._sealed.pop(storable(name), None)
