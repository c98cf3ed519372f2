"""The port of small pieces that have to be kept by name: tokens of workspaces, sealed before they come here, and what a
platform needs to find its conversations again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol


class Vault(Protocol):
    """Pieces by name. A secret is handed in encrypted: nothing of it can be read without a key that is kept elsewhere.
    Raises StoreUnavailable."""

    async def keep(self, sealed: Mapping[str, bytes], at: datetime) -> None:
        """Keep each under its name, in place of what was there: all of them or none."""
        ...

    async def sealed(self, name: str) -> bytes | None:
        """What is kept under this name."""
        ...

    async def take(self, name: str) -> bytes | None:
        """The same, and it is gone: of several that take at once, one gets it."""
        ...

    async def names(self, beginning: str) -> list[str]:
        """All names that begin so, sorted."""
        ...

    async def drop(self, name: str) -> None:
        """Nothing is kept under this name any longer; an unknown name is no error."""
        ...
