"""Conversations that are taken up into the memory at once, behind the reply and beside the schedule.

What is to be found soon does not wait for the hot window. Where this cannot be, or the process dies before, the next
scheduled flush that finds the conversation due does it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

import structlog

from bot.application import Application
from bot.readiness import IndexState
from handlers.lanes import Lanes, lanes
from handlers.ports import Soon
from memory.errors import Busy, HelpdeskError
from memory.remember.reports import Watcher

log = structlog.get_logger()

#: How long one conversation may take, the wait for other jobs included.
_SECONDS = 600.0
#: So often, with so long between, it is tried while another process has the lease.
_TRIES, _PAUSE = 20, 3.0
#: How long the end of the process waits for it: what is cut off the schedule does.
_FINISH_SECONDS = 5.0
_FLUSH = "flush"


@asynccontextmanager
async def remembering(app: Application, finish_seconds: float = _FINISH_SECONDS) -> AsyncIterator[Soon]:
    """What has a conversation taken up while the context is open; one at a time, as the index takes them."""
    async with lanes(1, finish_seconds=finish_seconds) as under_way:

        def soon(conversation: str) -> None:
            try:
                under_way.put(conversation, partial(_take_up, app, under_way, conversation))
            except Busy:
                log.warning("conversation_left_to_schedule", conversation=conversation)

        yield soon


async def _take_up(app: Application, under_way: Lanes, conversation: str) -> None:
    try:
        async with asyncio.timeout(_SECONDS):
            done = await _flushed(app, under_way, conversation)
    except (HelpdeskError, TimeoutError) as error:
        log.warning("conversation_left_to_schedule", conversation=conversation, error=type(error).__name__)
        return
    log.info("conversation_taken_up", conversation=conversation, done=done)


async def _flushed(app: Application, under_way: Lanes, conversation: str) -> bool:
    """Whether it was this process that did it; another one that has the lease may be at the same conversation."""

    async def flush(watcher: Watcher) -> Mapping[str, int]:
        if await app.readiness.prepare() is not IndexState.READY:
            # The schedule makes it whole, and takes up all that is pending as it does.
            return {}
        return (await app.flush.of([conversation])).counts()

    for _ in range(_TRIES):
        if await app.jobs.in_place_of(_FLUSH, flush) is not None:
            return True
        if not await under_way.pause(_PAUSE):
            return False
    return False
