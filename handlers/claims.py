"""One reply to a message, however often and to however many processes a platform delivers it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import structlog

from memory.errors import StoreUnavailable
from memory.ports import Clock, Leases

log = structlog.get_logger()

#: A process that died frees its messages after this long.
LEASE_SECONDS = 60
_RENEWED_EVERY = LEASE_SECONDS / 3


class Claims:
    """Claims turns by lease, one at a time across all processes on one database.

    `holder` names the process and the one that takes its place: what the one before had claimed is free to it at once,
    where others wait until the lease has run out.
    """

    def __init__(self, leases: Leases, clock: Clock, holder: str | None = None) -> None:
        self._leases = leases
        self._clock = clock
        self.holder = holder or uuid4().hex
        self._claimed: set[str] = set()

    @asynccontextmanager
    async def claimed(self, turn: str) -> AsyncIterator[bool]:
        """Whether the turn is this caller's to answer while the context is open. Raises StoreUnavailable."""
        if turn in self._claimed:
            yield False
            return
        self._claimed.add(turn)
        try:
            async with self._leased(_lease(turn)) as mine:
                yield mine
        finally:
            self._claimed.discard(turn)

    async def elsewhere(self, turn: str) -> bool:
        """Whether another process has this turn in its hands. Raises StoreUnavailable."""
        if turn in self._claimed:
            return False
        if not await self._acquire(_lease(turn)):
            return True
        await self._leases.release(_lease(turn), self.holder)
        return False

    @asynccontextmanager
    async def _leased(self, name: str) -> AsyncIterator[bool]:
        if not await self._acquire(name):
            yield False
            return
        renewal = asyncio.create_task(self._renew(name))
        try:
            yield True
        finally:
            renewal.cancel()
            await asyncio.wait({renewal})
            await self._leases.release(name, self.holder)

    async def _acquire(self, name: str) -> bool:
        return await self._leases.acquire(name, self.holder, self._clock(), LEASE_SECONDS)

    async def _renew(self, name: str) -> None:
        while True:
            await asyncio.sleep(_RENEWED_EVERY)
            try:
                await self._acquire(name)
            except StoreUnavailable as error:
                # Until the lease runs out there is time to try again.
                log.warning("claim_not_renewed", error=type(error).__name__)


def _lease(turn: str) -> str:
    return f"reply {turn}"
