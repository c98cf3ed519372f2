"""Work in lanes: in order within a lane, side by side across lanes, so many at once."""

from __future__ import annotations

import asyncio
from bisect import insort_right
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

import structlog

from handlers.traces import traced
from memory.errors import Busy

log = structlog.get_logger()

Work: TypeAlias = Callable[[], Awaitable[None]]

#: Pieces of work that may wait in all lanes together.
_WAITING = 10_000


def _nobody_told() -> None:
    """Nobody needs to know that a piece of work was dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    order: float
    work: Work
    dropped: Callable[[], None]


async def _no_rush() -> bool:
    """There is nothing to wait for."""
    return True


class Lanes:
    """A conversation is a lane: its messages are answered one after the other, and hold up nobody else's. `ready` is
    waited for before each piece of work is begun."""

    def __init__(self, at_once: int, ready: Callable[[], Awaitable[bool]] = _no_rush) -> None:
        self._places = asyncio.Semaphore(at_once)
        self._ready = ready
        self._lanes: dict[str, deque[_Piece]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._placed: set[str] = set()
        self._ending = asyncio.Event()

    def put(self, lane: str, work: Work, order: float = 0.0, *, dropped: Callable[[], None] = _nobody_told) -> None:
        """Do this after all that waits in the lane with the same order or a lower one: what was said first comes first,
        though it was told last. `dropped` is told where the lane ends before it is begun. Raises Busy when too much
        waits."""
        if self._waiting >= _WAITING:
            raise Busy
        self._waiting += 1
        piece = _Piece(order=order, work=work, dropped=dropped)
        if lane in self._lanes:
            insort_right(self._lanes[lane], piece, key=attrgetter("order"))
            return
        self._lanes[lane] = deque([piece])
        task = asyncio.create_task(self._run(lane), name="lane")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def leave(self, lane: str) -> None:
        """What is being done in this lane needs its place no more: it only waits for somebody else, so that another
        lane may begin. What is behind it in its own waits on."""
        if lane in self._placed:
            self._placed.discard(lane)
            self._places.release()

    async def pause(self, seconds: float) -> bool:
        """Whether so much time has passed; False at once where the lanes are to end."""
        try:
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        except TimeoutError:
            return True
        return False

    async def idle(self) -> None:
        """Wait until nothing is waiting or being done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self, finish_seconds: float) -> None:
        """Let what runs and waits finish, for so long at most; what is cut off is owed still (see `Mailbox` and
        `ActBox`)."""
        self._ending.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=finish_seconds)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _run(self, lane: str) -> None:
        waiting = self._lanes[lane]
        try:
            while waiting:
                await self._next(lane, waiting)
        finally:
            self._waiting -= len(waiting)
            del self._lanes[lane]
            for piece in waiting:
                piece.dropped()

    async def _next(self, lane: str, waiting: deque[_Piece]) -> None:
        await self._places.acquire()
        self._placed.add(lane)
        try:
            await self._ready()
            await self._do(waiting.popleft().work)
        finally:
            self.leave(lane)

    async def _do(self, work: Work) -> None:
        """The outer loop of a piece of work: what waits behind one that fails is done all the same."""
        try:
            await work()
        except Exception as error:
            _failed(error)
        finally:
            self._waiting -= 1


def _failed(error: Exception) -> None:
    log.error("lane_work_failed", **traced(error))


@asynccontextmanager
async def lanes(
    at_once: int, *, finish_seconds: float, ready: Callable[[], Awaitable[bool]] = _no_rush
) -> AsyncIterator[Lanes]:
    """Lanes that end with the context."""
    made = Lanes(at_once, ready)
    try:
        yield made
    finally:
        await made.stop(finish_seconds)
