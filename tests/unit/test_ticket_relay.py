"""Words between who asked and the support team, whatever the platform: in order, once, and to nobody unawares."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from config.tickets import TicketSettings
from handlers.claims import Claims
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Resolution
from handlers.tickets.relay import Relay, stays_in_team
from handlers.tickets.voice import Explained, Refusal, Unpassed
from memory.errors import PlatformUnavailable, StepRefused
from memory.lines import Copy, Line, Side
from memory.model import Conversation, Role, Turn, Viewer, Visibility
from memory.stores.in_memory_words import InMemoryStore
from memory.text.redact import Redactor
from memory.tickets import Step, Ticket
from tests.fakes.turns import turn
from tests.fakes.words import Watch

KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
NOTE = Conversation(platform="slack", workspace="T", channel="support", thread="n1")


@dataclass(slots=True)
class Wall:
    """A platform of which both ends are written on: by copy, what stands there. `unreachable` calls fail for now."""

    stands: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    unreachable: int = 0
    refuses: Refusal | None = None
    explains: Explained = Explained.NOW
    slow: asyncio.Event | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def post(self, ticket: Ticket, line: Line, turn: Turn, side: Side, *, sure: bool) -> str | Refusal:
        self.reached.set()
        if self.slow is not None:
            await self.slow.wait()
        if self.unreachable:
            self.unreachable -= 1
            raise PlatformUnavailable
        if self.refuses is not None:
            return self.refuses
        name = f"{side.value}:{len(self.stands) + 1}"
        self.stands[name] = turn.text
        return name

    async def change(self, ticket: Ticket, line: Line, turn: Turn, copy: Copy) -> None:
        self.stands[copy.message or ""] = turn.text

    async def remove(self, ticket: Ticket, line: Line, copy: Copy) -> None:
        del self.stands[copy.message or ""]

    async def not_passed(self, ticket: Ticket, line: Line, agent: str, why: Unpassed) -> None:
        self.told.append(f"{agent}: {why.name}")

    async def unreached(self, ticket: Ticket, turn: Turn, why: Refusal) -> None:
        self.told.append(f"{turn.author}: unreached {why.name}")

    async def warn(self, ticket: Ticket, line: Line, turn: Turn, side: Side, kinds: Sequence[str]) -> None:
        self.told.append(f"{turn.author}: {', '.join(kinds)} taken out of what goes to {side.value}")

    async def explain(self, ticket: Ticket, line: Line) -> Explained:
        self.told.append(f"{ticket.requester}: words are passed on")
        return self.explains

    async def remind(self, ticket: Ticket, line: Line, side: Side) -> None:
        self.told.append(f"{side.value}: reminded")

    async def show(self, ticket: Ticket, line: Line) -> None:
        self.told.append(f"{ticket.name} is {ticket.state.value}")


class House:
    """A ticket with a line, and what passes words over it."""

    def __init__(self) -> None:
        self.watch = Watch()
        self.store = InMemoryStore(clock=self.watch)
        self.wall = Wall()
        self.desk = TicketDesk(
            reading=self.store.reading,
            tickets=self.store.tickets,
            writing=self.store.ticket_writing,
            recorder=self.store.writing,
            settings=TicketSettings(),
            clock=self.watch,
        )
        self.relay = self.another()
        self.line = Line(ticket="HD-1", conversation=turn(1, thread="T1").conversation.id, place=NOTE)

    def another(self) -> Relay:
        """As another process has it."""
        return Relay(
            lines=self.store.lines,
            reading=self.store.reading,
            desk=lambda: self.desk,
            withdraw=self.withdraw,
            claims=Claims(self.store.leases, self.watch),
            clock=self.watch,
            voice=self.wall,
            kinds_in=Redactor(b"key").kinds_in,
        )

    async def withdraw(self, conversation: Conversation, message: str) -> None:
        await self.store.mailbox.withdraw(replace(turn(message), conversation=conversation).id)

    async def said(self, number: int, text: str, *, role: Role = Role.REQUESTER, minutes: float = 0) -> Turn:
        """Somebody says something in the ticket's conversation."""
        author = "sato" if role is Role.REQUESTER else "kato"
        visibility = Visibility.PRIVATE
        message = turn(
            number,
            text,
            ticket=None,
            thread="T1",
            channel="dm",
            author=author,
            role=role,
            visibility=visibility,
            minutes=minutes,
        )
        await self.store.writing.record([message])
        return message

    async def begun(self) -> None:
        """Sato has asked something of the bot alone, and Kato has it and may speak."""
        message = await self.said(1, "VPN")
        self.line = replace(self.line, conversation=message.conversation.id)
        await self.desk.open(message.id, Actor(viewer=Viewer(user="sato"), name="Sato", language="en"))
        await self.desk.step("HD-1", Step.TAKE, KATO, key="1")
        await self.store.lines.lay(self.line, self.watch())

    async def agent_says(self, number: int, text: str, minutes: float = 0) -> None:
        """Kato's words are kept and owed."""
        message = await self.said(number, text, role=Role.AGENT, minutes=minutes)
        await self.relay.owe(self.line, message.id, Side.REQUESTER)


@pytest.fixture
async def house() -> House:
    house = House()
    await house.begun()
    return house


async def test_what_fails_for_now_keeps_its_place_before_what_was_said_later(house: House) -> None:
    house.wall.unreachable = 1
    await house.agent_says(2, "first", minutes=-9)
    await house.relay.catch_up(house.line)
    await house.agent_says(3, "second", minutes=-8)
    assert house.wall.stands == {}
    await house.relay.catch_up(house.line)
    assert house.wall.stands == {"requester:1": "first", "requester:2": "second"}
    await house.relay.catch_up(house.line)
    assert len(house.wall.stands) == 2


async def test_two_processes_pass_a_word_on_once(house: House) -> None:
    house.wall.slow = asyncio.Event()
    await house.agent_says(2, "restart it")
    both = asyncio.gather(house.relay.catch_up(house.line), house.another().catch_up(house.line))
    await house.wall.reached.wait()
    house.wall.slow.set()
    await both
    assert list(house.wall.stands.values()) == ["restart it"]


async def test_what_is_owed_while_another_is_on_its_way_goes_after_it(house: House) -> None:
    """Whoever owes it finds the line taken."""
    house.wall.slow = asyncio.Event()
    await house.agent_says(2, "first")
    on_its_way = asyncio.create_task(house.relay.catch_up(house.line))
    await house.wall.reached.wait()
    await house.agent_says(3, "second")
    await house.relay.catch_up(house.line)
    house.wall.slow.set()
    await on_its_way
    assert list(house.wall.stands.values()) == ["first", "second"]


@pytest.mark.parametrize("refuses", [True, False], ids=["the platform will not take it", "nobody has it any more"])
async def test_what_cannot_reach_who_asked_is_told_to_the_agent_and_forgotten(house: House, refuses: bool) -> None:
    house.wall.refuses = Refusal.FOR_GOOD if refuses else None
    await house.agent_says(2, "restart it")
    if not refuses:
        await house.desk.step("HD-1", Step.HAND_BACK, KATO, key="2")
    await house.relay.catch_up(house.line)
    await house.relay.catch_up(house.line)
    assert house.wall.told == ["kato: IMPOSSIBLE" if refuses else "kato: NOBODYS"]
    assert house.wall.stands == {}
    words = await house.store.reading.named("HD-1", KATO.viewer, house.watch())
    assert "restart it" not in [one.text for one in words]


async def test_what_the_team_cannot_be_told_for_now_is_owed_in_its_place_and_who_wrote_it_hears_so(
    house: House,
) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    house.wall.told.clear()
    house.wall.refuses = Refusal.FOR_NOW
    house.watch.wait(5)
    assert await house.relay.to_support(await house.said(2, "still broken", minutes=1))
    assert await house.relay.to_support(await house.said(3, "hello?", minutes=2))
    assert {*house.wall.told} == {"sato: unreached FOR_NOW"}
    house.wall.refuses = None
    await house.relay.catch_up(house.line)
    assert list(house.wall.stands.values()) == ["still broken", "hello?"]


async def test_a_closed_place_is_not_tried_again_and_again(house: House) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    house.wall.refuses = Refusal.FOR_NOW
    assert await house.relay.to_support(await house.said(2, "still broken"))
    assert await house.relay.waiting("slack") == []
    house.watch.wait(3)
    assert [line.ticket for line in await house.relay.waiting("slack")] == ["HD-1"]


async def test_what_the_team_can_never_be_told_is_not_tried_again_and_who_wrote_it_hears_so(house: House) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    house.wall.told.clear()
    house.wall.refuses = Refusal.FOR_GOOD
    assert await house.relay.to_support(await house.said(2, "still broken"))
    await house.relay.catch_up(house.line)
    assert house.wall.told == ["sato: unreached FOR_GOOD"]
    assert await house.store.lines.behind(house.line) == []


async def test_who_wrote_a_secret_is_told_even_of_words_that_go_nowhere(house: House) -> None:
    secret = "the [password-3f2a] does not work"
    assert await house.relay.to_support(await house.said(2, secret))
    assert house.wall.stands == {}
    assert house.wall.told[1:] == ["sato: password taken out of what goes to support"]
    await house.agent_says(3, "try [password-3f2a]")
    await house.relay.catch_up(house.line)
    assert house.wall.told[2:] == ["kato: password taken out of what goes to requester"]


async def test_words_about_a_settled_ticket_do_not_reach_whom_another_one_is_about(house: House) -> None:
    """Both were asked in one conversation; only the second is anybody's."""
    await house.desk.resolve("HD-1", Resolution(fix="restart"), KATO, key="2")
    house.watch.wait(5)
    message = await house.said(2, "Now the printer", minutes=5)
    ticket = await house.desk.open(message.id, Actor(viewer=Viewer(user="sato"), name="Sato", language="en"))
    await house.desk.step(ticket.name, Step.TAKE, KATO, key="3")
    await house.agent_says(3, "about the VPN", minutes=5)
    await house.relay.catch_up(house.line)
    assert ticket.name == "HD-2"
    assert house.wall.told == ["kato: NOBODYS"]
    assert house.wall.stands == {}


async def test_private_words_wait_until_who_wrote_them_knows(house: House) -> None:
    assert await house.relay.to_support(await house.said(2, "my salary"))
    assert await house.relay.to_support(await house.said(3, "my VPN"))
    assert house.wall.told == ["sato: words are passed on"]
    assert list(house.wall.stands.values()) == ["my VPN"]


async def test_private_words_go_nowhere_while_it_cannot_be_said(house: House) -> None:
    house.wall.explains = Explained.IMPOSSIBLE
    for number in (2, 3):
        assert await house.relay.to_support(await house.said(number, "my salary"))
    assert house.wall.stands == {}


async def test_a_process_that_died_after_it_was_said_withholds_nothing(house: House) -> None:
    house.wall.explains = Explained.BEFORE
    assert await house.relay.to_support(await house.said(2, "my VPN"))
    assert list(house.wall.stands.values()) == ["my VPN"]


async def test_the_same_words_told_again_are_one_copy(house: House) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    message = await house.said(2, "still broken")
    assert await house.relay.to_support(message)
    assert await house.another().to_support(message)
    assert list(house.wall.stands.values()) == ["still broken"]


async def test_the_bot_answers_again_where_nobody_has_the_ticket(house: House) -> None:
    await house.desk.step("HD-1", Step.HAND_BACK, KATO, key="2")
    assert not await house.relay.to_support(await house.said(2, "still broken"))
    assert house.wall.stands == {}


async def test_a_question_that_may_not_be_asked_leaves_nothing_behind(house: House) -> None:
    ticket = await house.desk.resolve("HD-1", Resolution(fix="restart"), KATO, key="2")
    with pytest.raises(StepRefused):
        await house.relay.ask(ticket, "Since when?", KATO, key="3")
    assert await house.store.lines.behind(house.line) == []


async def test_a_question_that_was_never_written_is_given_up_after_a_while(house: House) -> None:
    """The process died between what it owed and what it wrote."""
    await house.relay.owe(house.line, "a turn that never came", Side.REQUESTER)
    await house.relay.catch_up(house.line)
    assert len(await house.store.lines.behind(house.line)) == 1
    house.watch.wait(3)
    await house.relay.catch_up(house.line)
    assert await house.store.lines.behind(house.line) == []


async def test_a_reminder_goes_to_whose_turn_it_is_and_once(house: House) -> None:
    ticket = await house.desk.seen("HD-1", KATO)
    for changes in (ticket.changes, ticket.changes):
        await house.store.lines.remind(house.line, changes)
        for line in await house.relay.reminders("slack"):
            await house.relay.remind(line)
    assert house.wall.told == ["support: reminded"]
    asked = await house.desk.ask("HD-1", "Since when?", KATO, key="2")
    await house.store.lines.remind(house.line, asked.changes)
    for line in await house.relay.reminders("slack"):
        await house.relay.remind(line)
    assert house.wall.told == ["support: reminded", "requester: reminded"]


@pytest.mark.parametrize(
    ("words", "stays"), [("// 前にも", True), ("  //x", True), ("／／前", True), ("http://x", False), ("/x", False)]
)
def test_words_that_begin_with_two_strokes_stay_in_the_team(words: str, stays: bool) -> None:
    assert stays_in_team(words) is stays
