"""Words between who asked and the support team, whatever the platform: in order, once, and to nobody unawares."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from config.tickets import TicketSettings
from handlers.claims import Claims
from handlers.pauses import Pauses
from handlers.tickets.copies import Copies
from handlers.tickets.desk import TicketDesk
from handlers.tickets.ends import Customs, End, Notice, Refusal, Spoken, Told
from handlers.tickets.records import Actor, Resolution
from handlers.tickets.relay import Relay, stays_in_team
from handlers.tickets.voice import Voice
from handlers.wordings import SHIPPED
from memory.errors import DeliveryUnknown, PlatformUnavailable, StepRefused
from memory.lines import Line, Side
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
    """A platform of which both ends are written on: by copy, what stands there. `unreachable` calls fail for now, and
    of `unconfirmed` ones nobody knows."""

    longest: int = 100
    stands: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    sure: list[bool] = field(default_factory=list)
    unreachable: int = 0
    unconfirmed: int = 0
    by_name: bool = False
    threads: bool = True
    refuses: Refusal | None = None
    tells: Told = Told.NOW
    slow: asyncio.Event | None = None
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def customs(self, place: Conversation) -> Customs:
        return Customs(language="en", by_name=self.by_name and place != NOTE, threads=self.threads)

    async def post(self, end: End, said: Spoken, about: str, *, sure: bool) -> str | Refusal:
        self.reached.set()
        self.sure.append(sure)
        if self.slow is not None:
            await self.slow.wait()
        if self.unreachable:
            self.unreachable -= 1
            raise PlatformUnavailable
        if self.unconfirmed:
            self.unconfirmed -= 1
            raise DeliveryUnknown
        if self.refuses is not None:
            return self.refuses
        name = f"{'support' if end.place == NOTE else 'requester'}:{len(self.stands) + 1}"
        self.stands[name] = _seen(said)
        return name

    async def change(self, end: End, said: Spoken, message: str) -> None:
        self.stands[message] = _seen(said)

    async def remove(self, end: End, message: str, instead: str) -> None:
        del self.stands[message]

    async def tell(self, notice: Notice) -> Told:
        self.told.append(f"{notice.end.person or 'team'}: {notice.words}")
        return self.tells

    async def show(self, ticket: Ticket, line: Line) -> None:
        self.told.append(f"{ticket.name} is {ticket.state.value}")

    async def reword(self, ticket: Ticket, line: Line) -> None:
        self.told.append(f"{ticket.name} shows what was asked")

    async def retire(self, line: Line) -> None:
        self.told.append(f"{line.ticket} is deleted")


def _seen(said: Spoken) -> str:
    return " | ".join((said.heading, *said.paragraphs))


#: What Kato and Sato are told.
TEAM_REMINDED = "team: HD-1 waits for support (owner: Kato). Nobody has said anything about it for a while."
PASSWORD = "Your message had what looks like a password"
PASSED_ON = "sato: From now on, while somebody has HD-1, what you write here reaches the support team."
CALL_ME = "Please mention me in it, as otherwise it does not reach anybody."
NOBODYS = "kato: Nobody has HD-1 just now, so the user was not told this. Take it, then write it again."
SETTLED = (
    "kato: HD-1 is resolved, so the user was not told this. To go on, open it again with the command helpdesk tickets "
    "reopen HD-1 and take it, or contact the user directly."
)
IMPOSSIBLE = "kato: This could not be passed on for HD-1: it is too long, or nothing can be written there."
UNREACHED = (
    "sato: HD-1: what you just wrote has not reached the support team yet, as I cannot write in its channel. "
    "I pass it on as soon as I can. If it is urgent, please contact the team in another way."
)
UNREACHABLE = (
    "sato: HD-1: what you just wrote could not be passed on to the support team. Please contact it in another way."
)
REACHED_UNSURE = (
    "sato: HD-1: I cannot tell whether what you just wrote reached the support team. If nobody answers, please write "
    "it again."
)
PASSED_UNSURE = (
    "kato: I cannot tell whether what you just wrote reached the user of HD-1. If nobody answers, please write it "
    "again."
)


class House:
    """A ticket with a line, and what passes words over it."""

    def __init__(self, wall: Wall | None = None) -> None:
        self.watch = Watch()
        self.store = InMemoryStore(clock=self.watch)
        self.wall = wall or Wall()
        self.desk = TicketDesk(
            reading=self.store.reading,
            tickets=self.store.tickets,
            writing=self.store.ticket_writing,
            recorder=self.store.writing,
            settings=TicketSettings(),
            clock=self.watch,
        )
        self.copies, self.relay = self.another()
        self.line = Line(ticket="HD-1", conversation=turn(1, thread="T1").conversation.id, place=NOTE)

    def another(self) -> tuple[Copies, Relay]:
        """As another process has them."""
        lines, claims, pauses = self.store.lines, Claims(self.store.leases, self.watch), Pauses(self.seconds)
        voice = Voice(ends=self.wall, desk=lambda: self.desk, wording=lambda: SHIPPED)
        copies = Copies(
            lines=lines,
            reading=self.store.reading,
            desk=lambda: self.desk,
            withdraw=self.withdraw,
            claims=claims,
            clock=self.watch,
            voice=voice,
            kinds_in=Redactor(b"key").kinds_in,
            pauses=pauses,
        )
        relay = Relay(
            lines=lines,
            desk=lambda: self.desk,
            copies=copies,
            claims=claims,
            clock=self.watch,
            voice=voice,
            pauses=pauses,
        )
        return copies, relay

    def seconds(self) -> float:
        return self.watch().timestamp()

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


def said(house: House) -> list[str]:
    """What stands at either end, in the order in which it came."""
    return list(house.wall.stands.values())


@pytest.fixture
async def house() -> House:
    house = House()
    await house.begun()
    return house


async def test_what_fails_for_now_keeps_its_place_before_what_was_said_later(house: House) -> None:
    house.wall.unreachable = 1
    await house.agent_says(2, "first", minutes=-9)
    await house.copies.catch_up(house.line)
    await house.agent_says(3, "second", minutes=-8)
    assert house.wall.stands == {}
    await house.copies.catch_up(house.line)
    assert house.wall.stands == {"requester:1": "kato (support): | first", "requester:2": "kato (support): | second"}
    await house.copies.catch_up(house.line)
    assert len(house.wall.stands) == 2


async def test_what_a_platform_did_not_confirm_is_looked_for_before_it_is_said_again(house: House) -> None:
    house.wall.unconfirmed = 1
    await house.agent_says(2, "restart it")
    for _ in range(2):
        await house.copies.catch_up(house.line)
    assert house.wall.sure == [True, False]
    assert said(house) == ["kato (support): | restart it"]


async def test_what_certainly_did_not_arrive_is_said_again_without_a_look(house: House) -> None:
    house.wall.unreachable = 1
    await house.agent_says(2, "restart it")
    for _ in range(2):
        await house.copies.catch_up(house.line)
    assert house.wall.sure == [True, True]


async def test_what_a_process_had_begun_when_it_died_is_looked_for_by_the_next(house: House) -> None:
    house.wall.slow = asyncio.Event()
    await house.agent_says(2, "restart it")
    dying = asyncio.create_task(house.copies.catch_up(house.line))
    await house.wall.reached.wait()
    dying.cancel()
    await asyncio.wait({dying})
    house.wall.slow.set()
    await house.another()[0].catch_up(house.line)
    assert house.wall.sure == [True, False]


@pytest.mark.parametrize("agents", [True, False], ids=["to who asked", "to the team"])
async def test_what_may_have_arrived_and_nobody_can_look_is_not_said_twice_and_who_wrote_it_hears_so(
    house: House, agents: bool
) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    house.wall.told.clear()
    house.wall.refuses = Refusal.UNSURE
    if agents:
        await house.agent_says(2, "restart it")
    else:
        assert await house.relay.to_support(await house.said(2, "still broken"))
    await house.copies.catch_up(house.line)
    house.wall.refuses = None
    await house.copies.catch_up(house.line)
    assert house.wall.told == [PASSED_UNSURE if agents else REACHED_UNSURE]
    assert house.wall.stands == {}
    await house.said(2, "other words", role=Role.AGENT if agents else Role.REQUESTER)
    await house.copies.catch_up(house.line)
    assert await house.store.lines.behind(house.line) == []


async def test_who_has_to_call_the_bot_to_be_heard_is_told_so(house: House) -> None:
    house.wall.by_name = True
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    await house.relay.ask(await house.desk.seen("HD-1", KATO), "Since when?", KATO, key="2")
    asked = await house.desk.seen("HD-1", KATO)
    await house.store.lines.remind(house.line, asked.changes)
    for line in await house.relay.reminders("slack"):
        await house.relay.remind(line)
    assert house.wall.told == [
        f"{PASSED_ON}\n{CALL_ME}",
        f"sato: HD-1 waits for your answer. Please write it here.\n{CALL_ME}",
    ]
    assert said(house) == [f"Kato (support) asks. Please answer here: | Since when? | {CALL_ME}"]


async def test_who_asked_in_a_place_without_threads_is_told_where_to_ask_for_something_else(house: House) -> None:
    house.wall.threads = False
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    elsewhere = "Ask me anything else in a new post in a channel. When this is done I answer here again."
    assert house.wall.told == [f"{PASSED_ON}\n{elsewhere}"]


async def test_of_private_words_for_which_the_team_has_no_place_who_wrote_them_hears_so(house: House) -> None:
    """It was taken on the command line, and there is no note about it."""
    vars(house.store.lines)["_lines"].clear()
    assert await house.relay.to_support(await house.said(2, "still broken"))
    assert house.wall.told == [UNREACHABLE]


async def test_two_processes_pass_a_word_on_once(house: House) -> None:
    house.wall.slow = asyncio.Event()
    await house.agent_says(2, "restart it")
    both = asyncio.gather(house.copies.catch_up(house.line), house.another()[0].catch_up(house.line))
    await house.wall.reached.wait()
    house.wall.slow.set()
    await both
    assert said(house) == ["kato (support): | restart it"]


async def test_what_is_owed_while_another_is_on_its_way_goes_after_it(house: House) -> None:
    """Whoever owes it finds the line taken."""
    house.wall.slow = asyncio.Event()
    await house.agent_says(2, "first")
    on_its_way = asyncio.create_task(house.copies.catch_up(house.line))
    await house.wall.reached.wait()
    await house.agent_says(3, "second")
    await house.copies.catch_up(house.line)
    house.wall.slow.set()
    await on_its_way
    assert said(house) == ["kato (support): | first", "kato (support): | second"]


@pytest.mark.parametrize("refuses", [True, False], ids=["the platform will not take it", "nobody has it any more"])
async def test_what_cannot_reach_who_asked_is_told_to_the_agent_and_forgotten(house: House, refuses: bool) -> None:
    house.wall.refuses = Refusal.FOR_GOOD if refuses else None
    await house.agent_says(2, "restart it")
    if not refuses:
        await house.desk.step("HD-1", Step.HAND_BACK, KATO, key="2")
    await house.copies.catch_up(house.line)
    await house.copies.catch_up(house.line)
    assert house.wall.told == [IMPOSSIBLE if refuses else NOBODYS]
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
    assert {*house.wall.told} == {UNREACHED}
    house.wall.refuses = None
    await house.copies.catch_up(house.line)
    assert said(house) == ["sato: | still broken", "sato: | hello?"]


async def test_a_closed_place_is_not_tried_again_and_again(house: House) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    house.wall.refuses = Refusal.FOR_NOW
    assert await house.relay.to_support(await house.said(2, "still broken"))
    assert await house.copies.waiting("slack") == []
    house.watch.wait(0.25)
    assert [line.ticket for line in await house.copies.waiting("slack")] == ["HD-1"]


async def test_what_the_team_can_never_be_told_is_not_tried_again_and_who_wrote_it_hears_so(house: House) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    house.wall.told.clear()
    house.wall.refuses = Refusal.FOR_GOOD
    assert await house.relay.to_support(await house.said(2, "still broken"))
    await house.copies.catch_up(house.line)
    assert house.wall.told == [UNREACHABLE]
    assert await house.store.lines.behind(house.line) == []


async def test_who_wrote_a_secret_is_told_even_of_words_that_go_nowhere(house: House) -> None:
    secret = "the [password-3f2a] does not work"
    assert await house.relay.to_support(await house.said(2, secret))
    assert house.wall.stands == {}
    assert [one.partition(".")[0] for one in house.wall.told[1:]] == [f"sato: {PASSWORD}"]
    await house.agent_says(3, "try [password-3f2a]")
    await house.copies.catch_up(house.line)
    assert [one.partition(".")[0] for one in house.wall.told[2:]] == [f"kato: {PASSWORD}"]


async def test_words_about_a_settled_ticket_do_not_reach_whom_another_one_is_about(house: House) -> None:
    """Both were asked in one conversation; only the second is anybody's."""
    await house.desk.resolve("HD-1", Resolution(fix="restart"), KATO, key="2")
    house.watch.wait(5)
    message = await house.said(2, "Now the printer", minutes=5)
    ticket = await house.desk.open(message.id, Actor(viewer=Viewer(user="sato"), name="Sato", language="en"))
    await house.desk.step(ticket.name, Step.TAKE, KATO, key="3")
    await house.agent_says(3, "about the VPN", minutes=5)
    await house.copies.catch_up(house.line)
    assert ticket.name == "HD-2"
    assert house.wall.told == [SETTLED]
    assert house.wall.stands == {}


async def test_private_words_wait_until_who_wrote_them_knows(house: House) -> None:
    assert await house.relay.to_support(await house.said(2, "my salary"))
    assert await house.relay.to_support(await house.said(3, "my VPN"))
    assert house.wall.told == [PASSED_ON]
    assert said(house) == ["sato: | my VPN"]


async def test_private_words_go_nowhere_while_it_cannot_be_said(house: House) -> None:
    house.wall.tells = Told.IMPOSSIBLE
    for number in (2, 3):
        assert await house.relay.to_support(await house.said(number, "my salary"))
    assert house.wall.stands == {}


async def test_a_process_that_died_after_it_was_said_withholds_nothing(house: House) -> None:
    house.wall.tells = Told.BEFORE
    assert await house.relay.to_support(await house.said(2, "my VPN"))
    assert said(house) == ["sato: | my VPN"]


async def test_the_same_words_told_again_are_one_copy(house: House) -> None:
    await house.relay.explained(await house.desk.seen("HD-1", KATO))
    message = await house.said(2, "still broken")
    assert await house.relay.to_support(message)
    assert await house.another()[1].to_support(message)
    assert said(house) == ["sato: | still broken"]


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
    await house.copies.catch_up(house.line)
    assert len(await house.store.lines.behind(house.line)) == 1
    house.watch.wait(3)
    await house.copies.catch_up(house.line)
    assert await house.store.lines.behind(house.line) == []


async def test_a_reminder_goes_to_whose_turn_it_is_and_once(house: House) -> None:
    ticket = await house.desk.seen("HD-1", KATO)
    for changes in (ticket.changes, ticket.changes):
        await house.store.lines.remind(house.line, changes)
        for line in await house.relay.reminders("slack"):
            await house.relay.remind(line)
    assert house.wall.told == [TEAM_REMINDED]
    asked = await house.desk.ask("HD-1", "Since when?", KATO, key="2")
    await house.store.lines.remind(house.line, asked.changes)
    for line in await house.relay.reminders("slack"):
        await house.relay.remind(line)
    assert house.wall.told == [TEAM_REMINDED, "sato: HD-1 waits for your answer. Please write it here."]


@pytest.mark.parametrize(
    ("words", "stays"), [("// 前にも", True), ("  //x", True), ("／／前", True), ("http://x", False), ("/x", False)]
)
def test_words_that_begin_with_two_strokes_stay_in_the_team(words: str, stays: bool) -> None:
    assert stays_in_team(words) is stays
