"""What is known of the memory as a whole and of answers so far: counted now and then, as it changes slowly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from memory.ports import Ledger

Number = TypeVar("Number")

_MONTH = timedelta(days=30)
#: How long a count is good for.
_FRESH = timedelta(minutes=10)
#: So many consultations are looked at, the newest ones, and fewer say nothing yet.
CONSULTED = 20


class Volume:
    """How much is asked, how much is remembered, and how often assistants were worth asking."""

    def __init__(self, ledger: Ledger) -> None:
        self._questions = _Count(lambda now: ledger.count_since(now - _MONTH))
        self._tokens = _Count(lambda now: ledger.remembered_tokens())
        self._worth = _Count(lambda now: _worth(ledger, now))

    async def questions(self, now: datetime) -> int:
        """Those of the last thirty days. Raises StoreUnavailable."""
        return await self._questions.at(now)

    async def tokens(self, now: datetime) -> int:
        """Of all episodes together. Raises StoreUnavailable."""
        return await self._tokens.at(now)

    async def worth(self, now: datetime) -> int | None:
        """For how many of the last `CONSULTED` questions, of thirty days, assistants brought something that the answer
        cites and the ranking had not; None while there are fewer. Raises StoreUnavailable."""
        return await self._worth.at(now)


async def _worth(ledger: Ledger, now: datetime) -> int | None:
    gains = await ledger.gains(now - _MONTH, CONSULTED)
    return sum(gained > 0 for gained in gains) if len(gains) == CONSULTED else None


class _Count(Generic[Number]):
    """A number with the time at which it was counted."""

    def __init__(self, count: Callable[[datetime], Awaitable[Number]]) -> None:
        self._count = count
        self._counted: tuple[datetime, Number] | None = None

    async def at(self, now: datetime) -> Number:
        if self._counted is None or abs(now - self._counted[0]) > _FRESH:
            self._counted = now, await self._count(now)
        return self._counted[1]
