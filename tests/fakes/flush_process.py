"""A real process that flushes a real store and may die, by SIGKILL, at its n-th step.

Every call of the write path that writes, to the words or to the index, is a step, and the process dies right after it:
what the next step would have found is what the call left behind. Who dies after a read leaves what the write before it
left.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, cast

from config.schema import RememberSettings
from memory.fact_ports import FactWriting
from memory.index_ports import KeyIndex
from memory.model import Turn
from memory.ports import Writing
from memory.remember.flush import Flush
from memory.remember.noting import Noting
from memory.remember.rules import RuleEnricher
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.qdrant_edge import open_edge_index
from memory.stores.sql import SqlStore, open_store
from memory.upkeep.reindex import Reindex
from tests.fakes.turns import ticket_turns


def now() -> datetime:
    return datetime(2026, 11, 25, tzinfo=UTC)


def the_turns() -> list[Turn]:
    """Two tickets."""
    return [
        *ticket_turns(3, thread="INC-1", text="printer jams"),
        *ticket_turns(2, thread="INC-2", text="The owner of the VPN gateway is Kim."),
    ]


class Steps:
    """Counts steps and dies at the wanted one."""

    def __init__(self, fatal: int) -> None:
        self._fatal = fatal
        self.taken = 0

    def tick(self) -> None:
        self.taken += 1
        if self.taken == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)


_READS = frozenset(("counts", "due", "open_run", "newest_notes", "facts_of", "stamp"))


class Watched:
    """Any port, with a step after each call that writes."""

    def __init__(self, port: object, steps: Steps) -> None:
        self._port = port
        self._steps = steps

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        call = getattr(self._port, name)

        async def stepped(*arguments: Any, **named: Any) -> Any:
            result = await call(*arguments, **named)
            if name not in _READS:
                self._steps.tick()
            return result

        return stepped


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[SqlStore, KeyIndex]]:
    """The store and the index of this folder."""
    async with (
        open_store(f"sqlite:///{folder}/words.db", busy_seconds=5, clock=now) as store,
        open_edge_index(folder / "index") as index,
    ):
        if await index.stamp() is None:
            await index.reset(await HashingEncoder().stamp())
        yield store, index


async def flush(folder: Path, fatal: int) -> int:
    """Record the turns and flush them, which may be repeated; the number of steps it took."""
    steps = Steps(fatal)
    async with opened(folder) as (store, index):
        await store.writing.record(the_turns())
        await _flush(store, index, steps).run(idle_before=datetime(9999, 1, 1, tzinfo=UTC))
    return steps.taken


async def rebuild(folder: Path, fatal: int) -> int:
    """Empty the index and write it anew; the number of steps it took."""
    steps = Steps(fatal)
    async with opened(folder) as (store, index):
        job = Reindex(
            writing=cast(Writing, Watched(store.writing, steps)),
            index=cast(KeyIndex, Watched(index, steps)),
            encoder=HashingEncoder(),
            flush=_flush(store, index, steps),
            clock=now,
        )
        await job.run()
    return steps.taken


def _flush(store: SqlStore, index: KeyIndex, steps: Steps) -> Flush:
    settings = RememberSettings()
    writing = cast(Writing, Watched(store.writing, steps))
    keys = cast(KeyIndex, Watched(index, steps))
    noting = Noting(
        writing=writing,
        facts=cast(FactWriting, Watched(store.fact_writing, steps)),
        index=keys,
        encoder=HashingEncoder(),
        predicates=settings.predicates,
        clock=now,
    )
    return Flush(writing=writing, index=keys, noting=noting, enricher=RuleEnricher(), settings=settings, clock=now)


async def run_process(work: Callable[[Path, int], Coroutine[Any, Any, int]], folder: Path, fatal: int) -> int | None:
    """The exit code of such a process."""
    process = started(work, folder, fatal)
    await asyncio.to_thread(process.join, 60)
    return process.exitcode


def started(work: Callable[[Path, int], Coroutine[Any, Any, int]], folder: Path, fatal: int) -> BaseProcess:
    """A process of its own that flushes or rebuilds this folder and dies at the step `fatal`. It is forked from one
    that has every module already: loading them again for each would take longer than all that it does."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    process = context.Process(target=_live, args=(work, folder, fatal), daemon=True)
    process.start()
    return process


def _live(work: Callable[[Path, int], Coroutine[Any, Any, int]], folder: Path, fatal: int) -> None:
    asyncio.run(work(folder, fatal))
