"""What is known of the memory as a whole: counted now and then, since it walks over everything and changes slowly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from memory.ports import Ledger

_MONTH = timedelta(days=30)
#: How long a count is good for.
_FRESH = timedelta(minutes=10)


class Volume:
    """How much is asked, and how much is remembered."""

    def __init__(self, ledger: Ledger) -> None:
        self._questions = _Count(lambda now: ledger.count_since(now - _MONTH))
        self._tokens = _Count(lambda now: ledger.remembered_tokens())

    async def questions(self, now: datetime) -> int:
        """Those of the last thirty days. Raises StoreUnavailable."""
        return await self._questions.at(now)

    async def tokens(self, now: datetime) -> int:
        """Of all episodes together. Raises StoreUnavailable."""
        return await self._tokens.at(now)


class _Count:
    """A number with the time at which it was counted."""

    def __init__(self, count: Callable[[datetime], Awaitable[int]]) -> None:
        self._count = count
        self._number = 0
        self._counted_at: datetime | None = None

    async def at(self, now: datetime) -> int:
        if self._counted_at is None or abs(now - self._counted_at) > _FRESH:
            self._number, self._counted_at = await self._count(now), now
        return self._number
