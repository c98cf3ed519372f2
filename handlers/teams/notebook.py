"""What the bot notes about Teams beside the memory: small JSON objects by name. None of them holds a secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeAlias
from urllib.parse import quote

from memory.ports import Clock
from memory.vault import Vault

_ROOT = "teams"

#: Notes by their names, in parts.
Notes: TypeAlias = Mapping[tuple[str, ...], Mapping[str, object]]


class Notebook:
    """Notes under the parts of a name. Raises StoreUnavailable."""

    def __init__(self, vault: Vault, clock: Clock) -> None:
        self._vault = vault
        self._clock = clock

    async def write(self, notes: Notes) -> None:
        """Each in place of what was there, all in one step."""
        pieces = {_path(*name): json.dumps(note).encode() for name, note in notes.items()}
        await self._vault.keep(pieces, self._clock())

    async def read(self, *name: str) -> Mapping[str, Any] | None:
        """What was written; None for nothing, or nothing that can be read."""
        written = await self._vault.sealed(_path(*name))
        try:
            found = json.loads(written) if written is not None else None
        except ValueError:
            return None
        return found if isinstance(found, dict) else None

    async def drop(self, *name: str) -> None:
        """Nothing is written there any longer."""
        await self._vault.drop(_path(*name))

    async def last_parts(self, *above: str) -> list[str]:
        """The last parts of all names that go on from these, sorted."""
        beginning = f"{_path(*above)}/"
        return [name.removeprefix(beginning) for name in await self._vault.names(beginning)]


def short(*parts: str) -> str:
    """A part of a name that stands for ids of any length."""
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _path(*name: str) -> str:
    return "/".join((_ROOT, *(quote(part, safe="") for part in name)))
