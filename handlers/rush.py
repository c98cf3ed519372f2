"""While many messages come at once, what can wait leaves the event loop to taking them in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

#: So many at once are a crowd; fewer are taken in beside any work.
_CROWD = 4
#: Nothing waits longer than that for a crowd to be in.
_LONGEST_SECONDS = 0.5


class Rush:
    """A rush begins when a crowd is being taken in, and is over when nobody of it is left."""

    def __init__(self) -> None:
        self._under_way = 0
        self._over = asyncio.Event()
        self._over.set()

    @contextmanager
    def one(self) -> Iterator[None]:
        """One message is being taken in while the context is open."""
        self._under_way += 1
        if self._under_way >= _CROWD:
            self._over.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._over.set()

    async def over(self) -> bool:
        """Wait until there is no rush, half a second at most; whether there is none."""
        try:
            async with asyncio.timeout(_LONGEST_SECONDS):
                return await self._over.wait()
        except TimeoutError:
            return False
