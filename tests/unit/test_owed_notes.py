"""Notes and reminders that a platform does not take for now: tried again after growing pauses, and one day no more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from handlers.claims import Claims
from handlers.pauses import Pauses
from handlers.tickets.ends import Notice, Told
from handlers.tickets.notes import Notes
from handlers.tickets.voice import Voice
from handlers.wordings import SHIPPED
from memory.errors import PlatformUnavailable
from memory.lines import Line
from memory.tickets import Ticket
from tests.unit.test_ticket_relay import House, Wall

DAY = 24 * 60


@dataclass(slots=True)
class Deaf(Wall):
    """A platform that takes nothing for now; so often it was tried."""

    tries: int = 0

    async def retire(self, line: Line) -> None:
        self.tries += 1
        raise PlatformUnavailable

    async def tell(self, notice: Notice) -> Told:
        self.tries += 1
        raise PlatformUnavailable


async def closed(ticket: Ticket) -> None:
    """Nobody looks."""


@pytest.fixture
async def house() -> House:
    house = House(Deaf())
    await house.begun()
    return house


async def unwatched(line: Line) -> None:
    """Nothing else is shown."""


def notes_of(house: House) -> Notes:
    return Notes(
        lines=house.store.lines,
        desk=lambda: house.desk,
        ends=house.wall,
        claims=Claims(house.store.leases, house.watch),
        close=closed,
        voice=Voice(ends=house.wall, desk=lambda: house.desk, wording=lambda: SHIPPED),
        pauses=Pauses(house.seconds),
        watch=unwatched,
    )


async def test_a_note_is_tried_again_after_growing_pauses_and_given_up_after_thirty_days(house: House) -> None:
    notes = notes_of(house)
    await house.store.lines.forget("sato")
    minutes = []
    for quarter in range(45):
        for line in await notes.stale("slack"):
            minutes.append(quarter / 4)
            await notes.follow(line)
        house.watch.wait(0.25)
    assert minutes == [0, 0.25, 0.75, 1.75, 3.75, 7.75]
    house.watch.wait(30 * DAY)
    assert isinstance(house.wall, Deaf)
    for _ in range(2):
        for line in await notes.stale("slack"):
            await notes.follow(line)
    assert house.wall.tries == 7
    assert await house.store.lines.stale("slack", 10) == []


async def test_what_changes_a_note_while_it_is_left_alone_is_tried_at_once(house: House) -> None:
    notes = notes_of(house)
    await house.store.lines.forget("sato")
    [line] = await notes.stale("slack")
    await notes.follow(line)
    assert await notes.stale("slack") == []
    await notes.follow(replace(line, changed=line.changed + 1))
    assert isinstance(house.wall, Deaf)
    assert house.wall.tries == 2


async def test_a_reminder_is_left_alone_for_a_while_too(house: House) -> None:
    ticket = await house.desk.known(house.line.conversation, "HD-1")
    assert ticket is not None
    await house.store.lines.remind(house.line, ticket.changes)
    [line] = await house.relay.reminders("slack")
    await house.relay.remind(line)
    assert await house.relay.reminders("slack") == []
    house.watch.wait(0.25)
    assert [one.ticket for one in await house.relay.reminders("slack")] == ["HD-1"]
