"""Who is asked whether to be forgotten hears how many of their open requests end by it, and so many do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.platforms import forget_over, own_records_over
from memory.lines import Line
from memory.model import Role, Turn, Viewer, reply_message
from memory.tickets import Draft, TicketFilter
from tests.fakes.remembering import HOUSES, Remembering, remembering
from tests.fakes.turns import NOON, conversation, turn

AGENT = Viewer(user="okabe", agent=True)
SATOS_OPEN = TicketFilter(requester="sato", open=True)


def asked(name: str, *, author: str = "sato", status: str = "open") -> Turn:
    return turn(1, f"words of {name}", thread=name, ticket=name, author=author, requester=author, status=status)


def answered(name: str) -> Turn:
    """Words of an agent about sato's request."""
    said = turn(2, "I look at it", thread=name, ticket=name, author="okabe", role=Role.AGENT, minutes=1)
    return replace(said, requester="sato")


def replied(to: Turn) -> Turn:
    """What the bot said to it."""
    said = turn(reply_message(to.message), "Try again", thread=to.conversation.thread, ticket=to.ticket, derived=True)
    return replace(said, author="bot", role=Role.BOT, requester="sato")


async def opened(house: Remembering, name: str, *, noted: bool) -> str:
    """A request that sato made here and an agent answered; `noted` where the support team was shown it."""
    message = turn(1, f"words of {name}", thread=name, ticket=None)
    await house.say(message)
    opening = replace(message, message="opening", text="A ticket was opened.", author="okabe", role=Role.AGENT)
    ticket = await house.app.store.ticket_writing.open(Draft(turn=message.id), opening, "HD")
    if noted:
        line = Line(ticket=ticket, conversation=message.conversation.id, place=conversation(f"note-{name}"))
        await house.app.store.lines.lay(line, NOON)
    return ticket


@pytest.mark.parametrize("house", HOUSES)
async def test_as_many_requests_as_are_counted_end(house: str, tmp_path: Path) -> None:
    async with remembering(house, tmp_path) as memory:
        alone, with_reply = asked("INC-1"), asked("INC-2")
        await memory.say(alone, with_reply, replied(with_reply), asked("INC-3"), answered("INC-3"))
        await memory.say(asked("INC-4", status="closed"), asked("INC-5", author="mori"))
        noted, unseen = await opened(memory, "a", noted=True), await opened(memory, "b", noted=False)
        tickets = memory.app.store.tickets
        before = {one.name for one in await tickets.listed(AGENT, SATOS_OPEN, None, 99)}
        assert before == {"INC-1", "INC-2", "INC-3", noted, unseen}

        would = await own_records_over(memory.app).would_go("sato")

        assert (would.messages, would.requests) == (6, 3)
        assert (await forget_over(memory.app)("sato")).messages == 6
        # The round over notes, which a platform runs, closes the one with a note.
        left = {one.name for one in await tickets.listed(AGENT, TicketFilter(open=True), None, 99)}
        assert left == {"INC-3", "INC-5", noted, unseen}
        assert [one.ticket for one in await memory.app.store.lines.stale(conversation().platform, 9)] == [noted]


async def test_who_made_no_request_hears_of_none(tmp_path: Path) -> None:
    async with remembering(HOUSES[0], tmp_path) as memory:
        await memory.say(asked("INC-5", author="mori"))
        assert (await own_records_over(memory.app).would_go("sato")).requests == 0


@pytest.mark.parametrize("house", HOUSES)
async def test_what_is_left_of_the_requests_of_who_was_forgotten_is_nobodys(house: str, tmp_path: Path) -> None:
    """Neither listed as that person's, nor counted again; what the person asks from then on is."""
    async with remembering(house, tmp_path) as memory:
        await memory.say(asked("INC-1"), answered("INC-1"), asked("INC-2", status="closed"), answered("INC-2"))
        noted = await opened(memory, "a", noted=True)
        own, sato = own_records_over(memory.app), Viewer(user="sato")
        assert {one.ticket for one in (await own.of(sato, "")).requests} == {"INC-1", "INC-2", noted}

        await forget_over(memory.app)("sato")

        assert not (await own.of(sato, "")).requests
        assert (await own.would_go("sato")).requests == 0
        # An agent goes on with one of them, and it is nobody's still.
        await memory.say(replace(answered("INC-1"), message="3", status="waiting for user"))
        assert not (await own.of(sato, "")).requests
        left = {one.name for one in await memory.app.store.tickets.listed(AGENT, TicketFilter(), None, 99)}
        assert left == {"INC-1", "INC-2", noted}
        new = await opened(memory, "b", noted=True)
        assert [one.ticket for one in (await own.of(sato, "")).requests] == [new]
        assert await memory.app.store.tickets.listed(AGENT, replace(SATOS_OPEN, open=None), None, 99) != []


async def test_who_takes_back_one_message_keeps_the_request(tmp_path: Path) -> None:
    """As who deletes a message with a password in it, which the support team works on."""
    async with remembering(HOUSES[0], tmp_path) as memory:
        await memory.say(asked("INC-1"), answered("INC-1"))
        await memory.app.store.mailbox.withdraw(asked("INC-1").id)
        assert [one.ticket for one in (await own_records_over(memory.app).of(Viewer(user="sato"), "")).requests] == [
            "INC-1"
        ]
