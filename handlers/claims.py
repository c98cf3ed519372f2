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
    """Claims turns by lease, one holder at a time across all processes on one database."""

    def __init__(self, leases: Leases, clock: Clock) -> None:
        self._leases = leases
        self._clock = clock

    @asynccontextmanager
    async def claimed(self, turn: str) -> AsyncIterator[bool]:
        """Whether the turn is this caller's to answer while the context is open. Raises StoreUnavailable."""
        name, holder = f"reply {turn}", uuid4().hex
        if not await self._acquire(name, holder):
            yield False
            return
        renewal = asyncio.create_task(self._renew(name, holder))
        try:
            yield True
        finally:
            renewal.cancel()
            await asyncio.wait({renewal})
            await self._leases.release(name, holder)

    async def _acquire(self, name: str, holder: str) -> bool:
        return await self._leases.acquire(name, holder, self._clock(), LEASE_SECONDS)

    async def _renew(self, name: str, holder: str) -> None:
        while True:
            await asyncio.sleep(_RENEWED_EVERY)
            try:
                await self._acquire(name, holder)
            except StoreUnavailable as error:
                # Until the lease runs out there is time to try again.
                log.warning("claim_not_renewed", error=type(error).__name__)
