"""The embedded index as long as the process lives: damaged or not, and made new when it is to be rebuilt."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import datetime
from pathlib import Path

import structlog

from memory.errors import IndexDamaged, StoreUnavailable
from memory.index_ports import EncoderStamp, Hit, Key, KeyIndex, KeyPage, Probe, Vectors
from memory.model import KeyKind, Viewer

log = structlog.get_logger()

#: Opens the index in a folder. Raises IndexDamaged.
Open = Callable[[Path], AbstractAsyncContextManager[KeyIndex]]


class RenewableIndex:
    """A `KeyIndex` that can be built although its folder is damaged: then every call but `reset` raises IndexDamaged,
    and `reset` sets the folder aside and starts a new one."""

    def __init__(self, folder: Path, open_index: Open) -> None:
        self._folder = folder
        self._open_index = open_index
        self._stack = AsyncExitStack()
        self._inner: KeyIndex | None = None
        self._damage: IndexDamaged | None = None

    async def open(self) -> None:
        """Open the folder; damage is kept for whoever uses the index. Raises IndexInUse and its kin."""
        try:
            self._inner = await self._stack.enter_async_context(self._open_index(self._folder))
            self._damage = None
        except IndexDamaged as error:
            log.warning("index_damaged", error=type(error).__name__)
            self._damage = error

    async def aclose(self) -> None:
        await self._stack.aclose()

    async def put(self, keys: Sequence[Key]) -> None:
        await self._whole().put(keys)

    async def remove(self, episodes: Sequence[str]) -> None:
        await self._whole().remove(episodes)

    async def search(self, probes: Sequence[Probe], viewer: Viewer, until: datetime, limit: int) -> list[list[Hit]]:
        return await self._whole().search(probes, viewer, until, limit)

    async def idf(self, kind: KeyKind, terms: Sequence[int]) -> Mapping[int, float]:
        return await self._whole().idf(kind, terms)

    async def count(self, kind: KeyKind) -> int:
        return await self._whole().count(kind)

    async def sample(self, kind: KeyKind, language: str, limit: int) -> Vectors:
        return await self._whole().sample(kind, language, limit)

    async def page(self, kind: KeyKind, start: str | None, limit: int) -> KeyPage:
        return await self._whole().page(kind, start, limit)

    async def known(self, kind: KeyKind, keys: Sequence[str]) -> set[str]:
        return await self._whole().known(kind, keys)

    async def stamp(self) -> EncoderStamp | None:
        return await self._whole().stamp()

    async def reset(self, stamp: EncoderStamp) -> None:
        """Empty the index, in a new folder where the old one is damaged."""
        if self._damage is None:
            try:
                return await self._whole().reset(stamp)
            except IndexDamaged as error:
                self._damage = error
        await self._renew()
        return await self._whole().reset(stamp)

    def _whole(self) -> KeyIndex:
        if self._damage is not None:
            raise type(self._damage)(str(self._damage)) from self._damage
        if self._inner is None:
            raise RuntimeError("the index is used before it was opened or after it was closed")
        return self._inner

    async def _renew(self) -> None:
        """Start in a new folder; the damaged one stays beside it for whoever wants to look. Until it is open, whoever
        asks hears of the damage."""
        await self._stack.aclose()
        self._inner = None
        await asyncio.to_thread(_set_aside, self._folder)
        await self.open()


def _set_aside(folder: Path) -> None:
    """Only the newest damaged folder is kept."""
    aside = folder.with_name(f"{folder.name}-damaged")
    try:
        if aside.exists():
            shutil.rmtree(aside)
        folder.rename(aside)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreUnavailable(f"The damaged index {folder} cannot be moved aside ({error.strerror}).") from error
    log.warning("index_set_aside", folder=str(aside))
