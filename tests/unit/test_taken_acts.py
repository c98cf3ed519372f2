"""Acts on their way through a process: each is done once, whatever becomes of the process that took it."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from secrets import token_bytes

import pytest
from structlog.testing import capture_logs

from config.redaction import RedactionSettings
from handlers.acts.taken import LEASE_SECONDS, Doing, TakenActs
from handlers.lanes import Lanes
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


class Process:
    """A process with lanes of its own, and what it did. A deed waits for `go`, and is settled or owed."""

    def __init__(self, box: Box, watch: Watch, holder: str = "here") -> None:
        self.lanes = Lanes(4)
        self.acts = TakenActs(box, self.lanes, platform="slack", holder=holder, clock=watch)
        self.done: list[str] = []
        self.go = asyncio.Event()
        self.go.set()
        self.outcome: bool | Exception = True

    async def take(self, taken: TakenAct) -> None:
        await self.acts.take(taken, self.doing(taken))

    async def resume(self) -> int:
        return await self.acts.resume(self._revived)

    async def die(self) -> None:
        """All that it has under way is cut off."""
        await self.lanes.stop(0.0)

    async def _revived(self, taken: TakenAct) -> Doing | None:
        return None if taken.id == "strange" else self.doing(taken)

    def doing(self, taken: TakenAct) -> Doing:
        async def deed() -> bool:
            await self.go.wait()
            self.done.append(taken.id)
            if isinstance(self.outcome, Exception):
                raise self.outcome
            return self.outcome

        return Doing(lane="lane", same=(taken.fields["value"],), deed=deed)


def act(id: str = "A1", at: datetime = NOON, value: str = "") -> TakenAct:
    fields = {"value": value or id}
    return TakenAct(id=id, platform="slack", workspace="T1", person="sato", at=at, fields=fields)


async def test_an_act_is_done_once_however_often_it_is_delivered_before_and_after_it_is_done() -> None:
    box, watch = Box(), Watch()
    here, elsewhere = Process(box, watch), Process(box, watch, "elsewhere")
    here.go.clear()
    for _ in range(3):
        await here.take(act())
        await elsewhere.take(act())
    here.go.set()
    await here.lanes.idle()
    for process in (here, elsewhere):
        await process.take(act())
        assert await process.resume() == 0
        await process.take(act())
        await process.lanes.idle()
    assert (here.done, elsewhere.done) == (["A1"], [])


async def test_what_leaves_nothing_to_do_is_new_to_one_process_alone() -> None:
    box, watch = Box(), Watch()
    here, elsewhere = Process(box, watch), Process(box, watch, "elsewhere")
    assert [await process.acts.first(act()) for process in (here, elsewhere, here)] == [True, False, False]
    assert (await here.resume(), await elsewhere.resume(), here.done) == (0, 0, [])
    watch.wait(24 * 60)
    assert (await here.resume(), await elsewhere.resume()) == (0, 0)


async def test_two_clicks_on_the_same_thing_are_one_until_that_is_done() -> None:
    here = Process(Box(), Watch())
    here.go.clear()
    await here.take(act("first", value="same"))
    await here.take(act("second", value="same"))
    here.go.set()
    await here.lanes.idle()
    await here.take(act("third", value="same"))
    await here.lanes.idle()
    assert here.done == ["first", "third"]


async def test_what_is_in_hand_is_left_to_nobody_however_long_it_takes() -> None:
    box, watch = Box(), Watch()
    here, elsewhere = Process(box, watch), Process(box, watch, "elsewhere")
    here.go.clear()
    await here.take(act())
    for _ in range(10):
        watch.wait(LEASE_SECONDS / 2 / 60)
        assert (await here.resume(), await elsewhere.resume()) == (0, 0)
    here.go.set()
    await here.lanes.idle()
    assert (here.done, elsewhere.done) == (["A1"], [])


async def test_what_a_dead_process_left_is_its_successors_at_once() -> None:
    box, watch = Box(), Watch()
    first, next_one = Process(box, watch), Process(box, watch)
    first.go.clear()
    await first.take(act())
    await first.die()
    assert await next_one.resume() == 1
    await next_one.lanes.idle()
    assert await next_one.resume() == 0
    assert (first.done, next_one.done) == ([], ["A1"])


async def test_what_a_dead_process_left_is_another_ones_when_the_lease_has_run_out() -> None:
    box, watch = Box(), Watch()
    first, elsewhere = Process(box, watch), Process(box, watch, "elsewhere")
    first.go.clear()
    await first.take(act())
    await first.die()
    watch.wait(LEASE_SECONDS / 60 - 0.01)
    assert await elsewhere.resume() == 0
    watch.wait(0.01)
    assert await elsewhere.resume() == 1
    await elsewhere.lanes.idle()
    assert elsewhere.done == ["A1"]


async def test_what_is_still_owed_is_done_again() -> None:
    here = Process(Box(), Watch())
    here.outcome = False
    await here.take(act())
    await here.lanes.idle()
    here.outcome = True
    assert await here.resume() == 1
    await here.lanes.idle()
    assert await here.resume() == 0
    assert here.done == ["A1", "A1"]


async def test_what_fails_for_a_fault_of_ours_is_not_tried_again() -> None:
    here = Process(Box(), Watch())
    here.outcome = ZeroDivisionError()
    await here.take(act())
    await here.lanes.idle()
    assert await here.resume() == 0
    assert here.done == ["A1"]


async def test_what_is_done_while_somebody_looks_is_not_done_again() -> None:
    box = Box()
    here = Process(box, Watch())
    here.go.clear()
    await here.take(act())
    box.told.clear()
    look = asyncio.create_task(here.resume())
    await box.found.wait()
    here.go.set()
    await here.lanes.idle()
    box.told.set()
    assert await look == 0
    assert await here.resume() == 0
    assert here.done == ["A1"]


async def test_what_could_not_be_kept_was_not_taken() -> None:
    box = Box()
    here = Process(box, Watch())
    box.away = True
    with pytest.raises(StoreUnavailable):
        await here.take(act())
    box.away = False
    await here.take(act())
    await here.lanes.idle()
    assert here.done == ["A1"]


async def test_what_was_done_while_the_store_was_away_is_not_done_again() -> None:
    box, watch = Box(), Watch()
    here, next_one = Process(box, watch), Process(box, watch)
    here.go.clear()
    await here.take(act())
    box.away = True
    with capture_logs() as logged:
        here.go.set()
        await here.lanes.idle()
    assert [entry["event"] for entry in logged] == ["act_not_settled"]
    with pytest.raises(StoreUnavailable):
        await here.resume()
    box.away = False
    assert await here.resume() == 0
    # The store knows by now.
    assert await next_one.resume() == 0
    assert (here.done, next_one.done) == (["A1"], [])


async def test_of_what_nothing_can_be_made_is_moot_and_holds_up_nothing() -> None:
    box = Box()
    here = Process(box, Watch())
    for id in ("strange", "A1"):
        await box.take(act(id), "here", LEASE_SECONDS)
    with capture_logs() as logged:
        assert await here.resume() == 2
    await here.lanes.idle()
    assert [(entry["event"], entry["act"]) for entry in logged] == [("act_moot", "strange")]
    assert here.done == ["A1"]
    assert await here.resume() == 0


async def test_moot_acts_are_counted_in_the_log_and_done_by_nobody() -> None:
    box, watch = Box(), Watch()
    for number in range(3):
        await box.take(act(f"A{number}", NOON + timedelta(hours=number)), "dead", LEASE_SECONDS)
    watch.now += MOOT_AFTER + timedelta(minutes=90)
    here = Process(box, watch)
    with capture_logs() as logged:
        assert await here.resume() == 1
    await here.lanes.idle()
    assert here.done == ["A2"]
    assert [(entry["event"], entry["acts"], entry["platform"]) for entry in logged] == [("acts_moot", 2, "slack")]


async def test_what_need_not_be_kept_is_lost_with_the_process() -> None:
    box, watch = Box(), Watch()
    here = Process(box, watch)
    here.go.clear()
    for id in ("first", "second"):
        here.acts.take_unkept(here.doing(act(id, value="same")))
    await here.die()
    assert await Process(box, watch).resume() == 0
    here.go.set()
    here.acts.take_unkept(here.doing(act("third", value="same")))
    await here.lanes.idle()
    assert here.done == ["third"]
