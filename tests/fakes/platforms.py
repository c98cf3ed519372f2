"""A chat platform in the words of the people on it: what they do there, and what they see the bot say."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Protocol

from bot.application import Application
from bot.desks import incidents_over, pace_over, reminders_over
from config.incidents import IncidentSettings
from config.limits import LimitSettings
from config.schema import AccessSettings
from handlers.pace import Windows
from handlers.ports import Answers, Paced, unpaced
from memory.feedback import Tally
from memory.model import Viewer
from memory.tickets import State, Ticket, TicketFilter
from tests.fakes.desks import desk_over
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Answering
from tests.fakes.small_application import deciding


class Person(Enum):
    """Aya and Ken read Japanese, Bob English. All are in the channel of the helpdesk, as the bot is."""

    AYA = "aya"
    KEN = "ken"
    BOB = "bob"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What somebody wrote: its id, the id of the message that began its thread, and whether it was said to the bot
    alone, or in the support team's channel."""

    by: Person
    id: str
    root: str
    private: bool
    team: bool = False


class House(Protocol):
    """The strict platform with the bot in it."""

    app: Application

    @property
    def answers(self) -> Answering: ...

    def running(self) -> AbstractAsyncContextManager[None]: ...

    async def owed(self) -> int: ...


class Place(ABC):
    """A platform with the bot in it, which is not running yet. What waits raises TimeoutError after ten seconds."""

    def __init__(self, house: House) -> None:
        self._house = house

    @property
    def answering(self) -> Answering:
        """The answers that the bot gives unless it answers from memory."""
        return self._house.answers

    def answer_from_memory(self, agents: Sequence[Person] = ()) -> None:
        """From the next process on the bot looks into its memory, and these are the support agents."""
        self._decide(self._house.app.recall, agents)

    @abstractmethod
    def hear_all(self) -> None:
        """From the next process on the bot can know what people say to each other in the thread that it is called
        into."""

    def with_agents(self, *agents: Person) -> None:
        """From the next process on these are the support agents."""
        self._decide(self.answering, agents)

    def notice_incidents(self, people: int, *agents: Person) -> None:
        """From the next process on so many people who report the same make an incident, and these are the agents."""
        app = self._house.app
        settings = app.settings.model_copy(update={"incidents": IncidentSettings(people=people)})
        incidents = incidents_over(
            settings, app.clock, store=app.store, index=app.index, encoder=app.encoder, tickets=app.tickets
        )
        self._house.app = deciding(app, settings=settings, incidents=incidents)
        self._decide(app.recall, agents)

    def limit_messages(self, a_minute: int, *agents: Person) -> None:
        """From the next process on a person may send the bot so many messages a minute, and these are the agents."""
        app = self._house.app
        limits = LimitSettings(person_messages_a_minute=a_minute)
        settings = app.settings.model_copy(update={"limits": limits})
        pace = pace_over(settings, app.clock, Windows(), store=app.store, held=app.tickets.held)
        self._decide(self.answering, agents, pace.refused)

    def _decide(self, answers: Answers, agents: Sequence[Person], refused: Paced = unpaced) -> None:
        app, ids = self._house.app, tuple(map(self.id_of, agents))
        settings = app.settings.model_copy(update={"access": AccessSettings(agents=ids)})
        desk = desk_over(
            app.store,
            answers,
            app.clock,
            agents=ids,
            held=app.tickets.held,
            noticed=app.incidents.noticed,
            refused=refused,
            under_way=app.tickets.under_way,
        )
        self._house.app = deciding(app, settings=settings, desk=desk)

    @abstractmethod
    def open_to_all(self) -> None:
        """From the next process on everybody may read what is said in channels, where that is not so anyway."""

    async def tickets(self, which: TicketFilter, viewer: Viewer) -> list[str]:
        """The names of such tickets."""
        return [one.name for one in await self._house.app.store.tickets.listed(viewer, which, None, 100)]

    async def days_go_by(self, days: int) -> None:
        """So much later it is decided who is to be reminded; the next process does it."""
        app = self._house.app
        later = app.clock() + timedelta(days=days)
        await reminders_over(app.settings, lambda: later, app.store).decide()

    async def state(self, ticket: str) -> State:
        """Where the ticket stands."""
        return (await self._ticket(ticket)).state

    async def title(self, ticket: str) -> str:
        """What the ticket is called."""
        return (await self._ticket(ticket)).title

    async def _ticket(self, name: str) -> Ticket:
        [found] = await self._house.app.store.tickets.named([name], Viewer(user="", agent=True))
        return found

    async def remember(self) -> None:
        """Take all that was said into the memory now."""
        await self._house.app.jobs.run("flush")

    async def tally(self) -> Tally:
        """What people said of answers."""
        return await self._house.app.store.feedback.tally(datetime(2000, 1, 1, tzinfo=UTC))

    async def cut_off(self) -> None:
        """The process dies in the midst of whatever it has under way."""
        under_way = lanes()
        for task in under_way:
            task.cancel()
        await asyncio.wait(under_way)

    async def settled(self) -> None:
        """Wait until all that happened has reached the bot, and nothing is owed or under way."""
        await self.delivered()
        await _until(self._nothing_owed)
        await idle()

    async def _nothing_owed(self) -> bool:
        return await self._house.owed() == 0

    def running(self) -> AbstractAsyncContextManager[None]:
        """A process of the bot; the next one is a restart."""
        return self._house.running()

    # --- what people do ---

    @abstractmethod
    async def ask_privately(self, person: Person, text: str) -> Message:
        """To the bot alone."""

    @abstractmethod
    async def ask_in_channel(self, person: Person, text: str) -> Message:
        """With a mention of the bot, at the top of the channel."""

    @abstractmethod
    async def say_in_channel(self, person: Person, text: str) -> Message:
        """To colleagues, at the top of the channel."""

    @abstractmethod
    async def follow_up(self, message: Message, person: Person, text: str) -> Message:
        """To the bot, in the thread of a message."""

    @abstractmethod
    async def reply_among(self, message: Message, person: Person, text: str) -> Message:
        """To colleagues, in the thread of a message."""

    @abstractmethod
    async def call(self, message: Message, person: Person, text: str) -> Message:
        """To the bot by name, in the thread of a message."""

    @abstractmethod
    async def edit(self, message: Message, text: str) -> None:
        """Its author gives it other words."""

    @abstractmethod
    async def delete(self, message: Message) -> None:
        """Its author takes it back."""

    @abstractmethod
    async def judge(self, message: Message, person: Person, helpful: bool) -> None:
        """Press what says whether the answer helped."""

    @abstractmethod
    async def ask_a_person(self, message: Message, person: Person) -> None:
        """Press the button under the answer that calls a person."""

    @abstractmethod
    async def wish(self, person: Person, words: str) -> str:
        """Ask for what is one's own, where nobody else sees it; what is shown."""

    @abstractmethod
    async def confirm_forgetting(self, asked: Person, person: Person) -> str:
        """`person` presses what was shown to `asked` when asked whether to forget; what `person` is shown."""

    @abstractmethod
    async def forget_pasted(self, message: Message, person: Person) -> str:
        """Press the button under the answer that has the message forgotten; what `person` is shown."""

    @abstractmethod
    def has_thumbs(self, message: Message) -> bool:
        """Whether the last answer to this message can be called helpful or not."""

    @abstractmethod
    def has_buttons(self, message: Message) -> bool:
        """Whether anything can be pressed under the first answer to this message."""

    @abstractmethod
    def offers_to_forget(self, message: Message) -> bool:
        """Whether there is that button."""

    @abstractmethod
    async def confirm_pasted(self, message: Message, person: Person) -> str:
        """`person` presses what was asked last of the message's author there, which may be answered already; what
        `person` is shown."""

    @abstractmethod
    async def take(self, person: Person) -> None:
        """Take the ticket of the first note to the support team, with its button."""

    @abstractmethod
    async def hand_back(self, person: Person) -> None:
        """Hand back the ticket of that note."""

    @abstractmethod
    async def ask_user(self, person: Person, words: str) -> None:
        """Ask who made the request, with the form of that note."""

    @abstractmethod
    async def say_to_team(self, person: Person, words: str) -> Message:
        """Write in the thread of that note, such that the bot hears it."""

    @abstractmethod
    async def subscribe(self, message: Message, person: Person) -> str:
        """Press the button under the answer that says when it is over; what is shown to that."""

    @abstractmethod
    async def end_incident(self, person: Person) -> None:
        """Say that it is over, with the button of the note about an incident, which is the first."""

    @abstractmethod
    async def resolve(self, person: Person, cause: str, fix: str) -> None:
        """Open the form of that note, fill it in and send it off."""

    @abstractmethod
    async def approve(self, person: Person, symptom: str, learned: str) -> None:
        """Have everybody read this of the resolved ticket, with the button of that note and its form."""

    # --- what the platform does ---

    @abstractmethod
    async def deliver_again(self, message: Message, times: int) -> None:
        """Tell the bot of a message so many times more, all at once."""

    @abstractmethod
    def refuse_for_a_second(self) -> None:
        """The bot's next message is refused with status 429; it is to come again after a second."""

    @abstractmethod
    def refusals(self) -> int:
        """How often the bot was told to come again later."""

    @abstractmethod
    async def delivered(self) -> None:
        """Wait until the bot has acknowledged all that it was told."""

    # --- what is seen ---

    async def answered(self, message: Message, count: int = 1) -> list[str]:
        """Wait for so many messages of the bot after this one where it was said, and until nothing is under way; what
        all of them say, oldest first."""

        async def enough() -> bool:
            return len(self.answers(message)) >= count

        await _until(enough)
        await self.settled()
        return self.answers(message)

    @abstractmethod
    def answers(self, message: Message) -> list[str]:
        """What the bot has said so far after a message where it was said."""

    @abstractmethod
    def live(self, message: Message) -> list[str]:
        """What in those answers is more than words: whom they call, and where a click leads."""

    @abstractmethod
    def id_of(self, person: Person) -> str:
        """By which the platform knows a person."""

    @abstractmethod
    def support(self) -> list[str]:
        """What the support team was told in its channel."""

    @abstractmethod
    def told_aside(self, agent: Person) -> str:
        """What an agent was told last about what they wrote in the thread of the first note."""

    @abstractmethod
    def team_thread(self) -> list[str]:
        """What stands in the thread of the first note, by the bot."""


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Look for up to ten seconds whether this holds. Raises TimeoutError."""
    for _ in range(500):
        if await holds():
            return
        await asyncio.sleep(0.02)
    raise TimeoutError


def nodes(content: Any) -> Iterator[dict[str, Any]]:
    """Every object inside what was sent, in the order in which it is read."""
    if isinstance(content, dict):
        yield content
        content = content.values()
    elif not isinstance(content, list | tuple):
        return
    for part in content:
        yield from nodes(part)


def words(content: Any) -> str:
    """All text that is shown, without its styles."""
    return "".join(node["text"] for node in nodes(content) if isinstance(node.get("text"), str))


def lanes() -> list[asyncio.Task[Any]]:
    """What the bot has under way."""
    return [task for task in asyncio.all_tasks() if task.get_name() == "lane"]
