"""Group commit: who shares a transaction, who hears of whose error, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from memory.errors import StoreUnavailable
from memory.ports import Recorded
from memory.stores.sql_inbox import Inbox
from memory.stores.sql_rows import TurnRow


@dataclass
class Disk:
    """Writes into a list; refuses whatever holds a bad row, and stands still while `open` is not set."""

    written: list[list[str]] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    bug: bool = False

    async def write(self, deliveries: Sequence[Sequence[TurnRow]]) -> list[Recorded]:
        await self.open.wait()
        if self.bug:
            raise ZeroDivisionError
        names = [row["id"] for rows in deliveries for row in rows]
        if "bad" in names:
            raise StoreUnavailable
        self.written.append(names)
        return [Recorded(new=len(rows)) for rows in deliveries]


@asynccontextmanager
async def inbox(disk: Disk, *, busy_seconds: float = 5) -> AsyncIterator[Inbox]:
    opened = Inbox(disk.write, busy_seconds)
    try:
        yield opened
    finally:
        disk.open.set()
        await opened.close()


def rows(*names: str) -> list[TurnRow]:
    return [{"id": name} for name in names]


async def waiting(opened: Inbox, *names: str) -> list[asyncio.Task[Recorded]]:
    """Writers that have handed in their turns; the first of them is under way, the rest wait."""
    tasks = [asyncio.create_task(opened.put(rows(name))) for name in names]
    await asyncio.sleep(0)
    return tasks


async def test_what_comes_in_during_a_write_is_written_together() -> None:
    disk = Disk()
    async with inbox(disk) as opened:
        first = await waiting(opened, "a")
        await asyncio.sleep(0)
        rest = await waiting(opened, "b", "c", "d")
        disk.open.set()
        assert await asyncio.gather(*first, *rest) == [Recorded(new=1)] * 4
    assert disk.written == [["a"], ["b", "c", "d"]]


async def test_an_error_reaches_its_own_writer_and_no_other() -> None:
    disk = Disk()
    async with inbox(disk) as opened:
        tasks = await waiting(opened, "a", "bad", "c")
        disk.open.set()
        first, bad, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert (first, third) == (Recorded(new=1), Recorded(new=1))
    assert isinstance(bad, StoreUnavailable)
    assert disk.written == [["a"], ["c"]]


async def test_a_writer_that_stopped_waiting_stops_nobody_else() -> None:
    disk = Disk()
    async with inbox(disk) as opened:
        gone, stays = await waiting(opened, "a", "b")
        gone.cancel()
        disk.open.set()
        assert await stays == Recorded(new=1)
        assert await opened.put(rows("c")) == Recorded(new=1)


async def test_closing_writes_what_is_waiting() -> None:
    disk = Disk()
    async with inbox(disk) as opened:
        tasks = await waiting(opened, "a", "b")
    assert [task.result() for task in tasks] == [Recorded(new=1)] * 2
    with pytest.raises(StoreUnavailable, match="closed"):
        await opened.put(rows("c"))


async def test_a_large_delivery_is_not_torn_and_a_transaction_has_a_size() -> None:
    disk = Disk()
    disk.open.set()
    async with inbox(disk) as opened:
        names = [str(n) for n in range(450)]
        await asyncio.gather(*(opened.put(rows(*names)) for _ in range(4)))
    assert [len(written) for written in disk.written] == [900, 900]


async def test_more_than_can_wait_is_refused_after_a_while() -> None:
    disk = Disk()
    async with inbox(disk, busy_seconds=0.01) as opened:
        first = await waiting(opened, "a")
        await asyncio.sleep(0)
        rest = await waiting(opened, *(str(n) for n in range(1001)))
        with pytest.raises(StoreUnavailable, match="Too many"):
            await rest[-1]
        disk.open.set()
        assert set(await asyncio.gather(*first, *rest[:-1])) == {Recorded(new=1)}


async def test_a_bug_in_the_writer_leaves_nobody_waiting() -> None:
    disk = Disk(bug=True)
    async with inbox(disk) as opened:
        tasks = await waiting(opened, "a", "b")
        disk.open.set()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [StoreUnavailable, StoreUnavailable]
        assert isinstance(outcomes[0].__cause__, ZeroDivisionError)  # type: ignore[union-attr]
        with pytest.raises(StoreUnavailable):
            await opened.put(rows("c"))
