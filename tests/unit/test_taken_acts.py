"""Acts on their way through a process: each is done once, whatever becomes of the process that took it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from secrets import token_bytes

import pytest
from structlog.testing import capture_logs

from config.redaction import RedactionSettings
from handlers.acts.taken import LEASE_SECONDS, TakenActs
from memory.acts import MOOT_AFTER, TakenAct
from memory.errors import StoreUnavailable
from memory.redaction import redactor_of
from memory.stores.in_memory_acts import InMemoryActBox
from tests.fakes.turns import NOON
from tests.fakes.words import Watch


class Box(InMemoryActBox):
    """A box whose store may be away, and which may be slow to say what it found."""

    def __init__(self) -> None:
        super().__init__(redactor_of(RedactionSettings(), token_bytes(32)))
        self.away = False
        self.found = asyncio.Event()
        self.told = asyncio.Event()
        self.told.set()

    async def take(self, act: TakenAct, holder: str, seconds: int) -> bool:
        self._look()
        return await super().take(act, holder, seconds)

    async def done(self, id: str) -> None:
        self._look()
        await super().done(id)

    async def claim(self, platform: str, holder: str, now: datetime, seconds: int, limit: int) -> list[TakenAct]:
        self._look()
        claimed = await super().claim(platform, holder, now, seconds, limit)
        self.found.set()
        await self.told.wait()
        return claimed

    def _look(self) -> None:
        if self.away:
            raise StoreUnavailable


def process(box: Box, watch: Watch, holder: str = "here") -> TakenActs:
    return TakenActs(box, platform="slack", holder=holder, clock=watch)


def act(id: str = "A1", at: datetime = NOON) -> TakenAct:
    return TakenAct(id=id, platform="slack", workspace="T1", person="sato", at=at, fields={"kind": "clicked"})


async def settled() -> bool:
    return True


async def owed() -> bool:
    return False


async def test_an_act_that_is_delivered_again_is_no_new_one_before_and_after_it_is_done() -> None:
    box, watch = Box(), Watch()
    here = process(box, watch)
    assert await here.take(act())
    assert not await here.take(act())
    await here.do("A1", settled)
    assert not await here.take(act())
    assert not await process(box, watch, "elsewhere").take(act())


async def test_what_is_in_hand_is_left_to_nobody_however_long_it_takes() -> None:
    box, watch = Box(), Watch()
    here, elsewhere = process(box, watch), process(box, watch, "elsewhere")
    await here.take(act())
    for _ in range(10):
        watch.wait(LEASE_SECONDS / 2 / 60)
        assert await here.left() == []
        assert await elsewhere.left() == []


async def test_what_a_dead_process_left_is_its_successors_at_once_and_others_when_the_lease_has_run_out() -> None:
    for holder, minutes in (("here", 0.0), ("elsewhere", LEASE_SECONDS / 60)):
        box, watch = Box(), Watch()
        await process(box, watch).take(act())
        next_one = process(box, watch, holder)
        if minutes:
            watch.wait(minutes - 0.01)
            assert await next_one.left() == []
            watch.wait(0.01)
        assert await next_one.left() == [act()]
        # Nobody took it up: it is still there.
        assert await next_one.left() == [act()]
        next_one.hold("A1")
        assert await next_one.left() == []


async def test_what_was_cut_off_or_is_still_owed_is_found_again() -> None:
    here = process(Box(), Watch())
    await here.take(act())
    doing = asyncio.create_task(here.do("A1", asyncio.Event().wait))
    await asyncio.sleep(0)
    assert await here.left() == []
    doing.cancel()
    await asyncio.wait({doing})
    assert await here.left() == [act()]
    here.hold("A1")
    await here.do("A1", owed)
    assert await here.left() == [act()]
    here.hold("A1")
    await here.do("A1", settled)
    assert await here.left() == []


async def test_what_fails_for_a_fault_of_ours_is_not_tried_again() -> None:
    async def faulty() -> bool:
        raise ZeroDivisionError

    here = process(Box(), Watch())
    await here.take(act())
    with pytest.raises(ZeroDivisionError):
        await here.do("A1", faulty)
    assert await here.left() == []


async def test_what_is_done_while_somebody_looks_is_not_done_again() -> None:
    box = Box()
    here = process(box, Watch())
    await here.take(act())
    box.told.clear()
    look = asyncio.create_task(here.left())
    await box.found.wait()
    await here.do("A1", settled)
    box.told.set()
    assert await look == []
    assert await here.left() == []


async def test_what_could_not_be_kept_was_not_taken() -> None:
    box = Box()
    here = process(box, Watch())
    box.away = True
    with pytest.raises(StoreUnavailable):
        await here.take(act())
    box.away = False
    assert await here.take(act())


async def test_what_was_done_while_the_store_was_away_is_not_done_again() -> None:
    box, watch = Box(), Watch()
    here = process(box, watch)
    await here.take(act())
    box.away = True
    with capture_logs() as logged:
        await here.do("A1", settled)
    assert [entry["event"] for entry in logged] == ["act_not_settled"]
    with pytest.raises(StoreUnavailable):
        await here.left()
    box.away = False
    assert await here.left() == []
    # The store knows by now.
    assert await process(box, watch).left() == []


async def test_moot_acts_are_counted_in_the_log_and_done_by_nobody() -> None:
    box, watch = Box(), Watch()
    for number in range(3):
        await process(box, watch).take(act(f"A{number}", NOON + timedelta(hours=number)))
    watch.now += MOOT_AFTER + timedelta(minutes=90)
    with capture_logs() as logged:
        assert [one.id for one in await process(box, watch).left()] == ["A2"]
    assert [(entry["event"], entry["acts"], entry["platform"]) for entry in logged] == [("acts_moot", 2, "slack")]
