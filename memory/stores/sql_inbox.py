"""Group commit: turns that arrive at the same time share one transaction, and each writer gets its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from memory.errors import StoreUnavailable
from memory.ports import Recorded
from memory.stores.sql_rows import TurnRow

#: Writes several deliveries in one transaction and says what became of each.
Write = Callable[[Sequence[Sequence[TurnRow]]], Awaitable[list[Recorded]]]

_TURNS_AT_ONCE = 500
_WAITING = 1_000


@dataclass(slots=True, kw_only=True, eq=False)
class _Delivery:
    rows: Sequence[TurnRow]
    outcome: asyncio.Future[Recorded]


class Inbox:
    """Hands deliveries to `write`, as many at a time as have come in while the last ones were written.

    Must be built where an event loop runs, and closed.
    """

    def __init__(self, write: Write, busy_seconds: float) -> None:
        self._write = write
        self._busy_seconds = busy_seconds
        self._waiting: asyncio.Queue[_Delivery] = asyncio.Queue(_WAITING)
        self._under_way: list[_Delivery] = []
        self._writer = asyncio.create_task(self._run(), name="inbox")
        self._writer.add_done_callback(self._refuse_the_rest)

    async def put(self, rows: Sequence[TurnRow]) -> Recorded:
        """Durable when this returns. Raises StoreUnavailable, also when too many are waiting for too long."""
        if self._writer.done():
            raise StoreUnavailable("The ticket database was closed; start the program again.")
        delivery = _Delivery(rows=rows, outcome=asyncio.get_running_loop().create_future())
        if self._waiting.full():
            await self._wait_for_room(delivery)
        else:
            self._waiting.put_nowait(delivery)
        return await delivery.outcome

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        if not self._writer.done():
            await self._waiting.join()
        self._writer.cancel()
        await asyncio.wait([self._writer])

    async def _wait_for_room(self, delivery: _Delivery) -> None:
        try:
            async with asyncio.timeout(self._busy_seconds):
                await self._waiting.put(delivery)
        except TimeoutError as error:
            raise StoreUnavailable("Too many messages arrive at once to be written; try again in a minute.") from error

    async def _run(self) -> None:
        while True:
            self._under_way = [await self._waiting.get()]
            self._take_more()
            await self._deliver(self._under_way)
            for _ in self._under_way:
                self._waiting.task_done()

    def _take_more(self) -> None:
        turns = len(self._under_way[0].rows)
        while turns < _TURNS_AT_ONCE and not self._waiting.empty():
            delivery = self._waiting.get_nowait()
            self._under_way.append(delivery)
            turns += len(delivery.rows)

    async def _deliver(self, deliveries: Sequence[_Delivery]) -> None:
        """Together, or else one by one: what is wrong with one must not fail the others."""
        try:
            outcomes = await self._write([delivery.rows for delivery in deliveries])
        except StoreUnavailable as error:
            if len(deliveries) == 1:
                _fail(deliveries[0], error)
                return
            for delivery in deliveries:
                await self._deliver([delivery])
            return
        for delivery, outcome in zip(deliveries, outcomes, strict=True):
            if not delivery.outcome.done():
                delivery.outcome.set_result(outcome)

    def _refuse_the_rest(self, writer: asyncio.Task[None]) -> None:
        """Nobody may wait for a writer that has ended, whatever ended it."""
        cause = None if writer.cancelled() else writer.exception()
        rest = [*self._under_way]
        while not self._waiting.empty():
            rest.append(self._waiting.get_nowait())
        for delivery in rest:
            _fail(delivery, StoreUnavailable(), cause)


def _fail(delivery: _Delivery, error: StoreUnavailable, cause: BaseException | None = None) -> None:
    """Tell the writer, unless it has stopped waiting."""
    if not delivery.outcome.done():
        error.__cause__ = cause or error.__cause__
        delivery.outcome.set_exception(error)
