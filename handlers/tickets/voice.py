"""What is said at both ends of a line, whatever the platform: copies of people's words, and the bot's own about
them."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from handlers.characters import cleaned, one_line
from handlers.earlier import CALLED
from handlers.files import names_of_files, without_files
from handlers.replies import Leaks, secrets_sentences
from handlers.tickets.desk import TicketDesk
from handlers.tickets.ends import End, Ends, Notice, Refusal, Spoken, Told
from handlers.tickets.note_lines import NAME
from handlers.wording_tickets import TicketWords
from handlers.wordings import Wording
from memory.errors import DeliveryUnknown
from memory.lines import Copy, Line, Side
from memory.model import Conversation, Turn
from memory.text.language import LanguageCode
from memory.tickets import UNSETTLED, State, Ticket


class Unpassed(Enum):
    """Why an agent's words do not reach who asked, or may not: nobody has the ticket, they cannot be said there, or the
    platform did not say whether it took them."""

    NOBODYS = auto()
    IMPOSSIBLE = auto()
    UNSURE = auto()


class Voice:
    """Speaks at the ends of the lines of one platform. Every method raises PlatformUnavailable where it may be said
    later."""

    def __init__(self, *, ends: Ends, desk: Callable[[], TicketDesk], wording: Callable[[], Wording]) -> None:
        self._ends = ends
        self._desk = desk
        self._wording = wording

    async def post(self, ticket: Ticket, line: Line, turn: Turn, side: Side, *, sure: bool) -> str | Refusal:
        """Say there what the turn says, and who says it. As `Ends.post`."""
        said = await self._spoken(ticket, turn, side)
        return await self._ends.post(_end(ticket, line, side), said, f"copy {turn.id}", sure=sure)

    async def change(self, ticket: Ticket, line: Line, turn: Turn, copy: Copy) -> None:
        """Have the copy say what the turn says now."""
        if copy.message:
            said = await self._spoken(ticket, turn, copy.side)
            await self._ends.change(_end(ticket, line, copy.side), said, copy.message)

    async def remove(self, ticket: Ticket, line: Line, copy: Copy) -> None:
        """Take the copy away."""
        if copy.message:
            end = _end(ticket, line, copy.side)
            instead = (await self._words(ticket, end.place)).copy_gone
            await self._ends.remove(end, copy.message, instead)

    async def not_passed(self, ticket: Ticket, line: Line, agent: str, why: Unpassed, message: str) -> None:
        """Tell the agent of this id that what they said, with this message, was not passed on."""
        language = await self._language(ticket, line.place)
        words, comebacks = self._wording().tickets(language), self._wording().comebacks(language)
        settled = ticket.state not in UNSETTLED
        patterns = {
            Unpassed.NOBODYS: comebacks.not_passed_over if settled else words.not_passed,
            Unpassed.IMPOSSIBLE: words.not_passable,
            Unpassed.UNSURE: words.passed_unsure,
        }
        said = patterns[why].format(ticket=ticket.name, state=words.states[ticket.state])
        end = End(place=line.place, person=agent)
        await self._ends.tell(Notice(end=end, words=said, about=f"unpassed {message}", aside=True))

    async def gone(self, line: Line, agent: str, words: str, message: str) -> None:
        """Tell the agent of this id, in the language of their words, that what they said with this message reached
        nobody, as the request was deleted."""
        language = (await self._ends.customs(line.place)).language or self._desk().language_of(words)
        said = self._wording().tickets(language).passed_gone.format(ticket=line.ticket)
        end = End(place=line.place, person=agent)
        await self._ends.tell(Notice(end=end, words=said, about=f"unpassed {message}", aside=True))

    async def unreached(self, ticket: Ticket, turn: Turn, why: Refusal) -> None:
        """Tell who wrote this that it did not reach the support team, or may not have."""
        words = await self._words(ticket, ticket.conversation)
        patterns = {
            Refusal.FOR_NOW: words.unreached,
            Refusal.FOR_GOOD: words.unreachable,
            Refusal.UNSURE: words.reached_unsure,
        }
        said, end = patterns[why].format(ticket=ticket.name), End(place=turn.conversation, person=turn.author)
        await self._ends.tell(Notice(end=end, words=said, about=f"unreached {turn.id}"))

    async def warn(self, ticket: Ticket, line: Line, turn: Turn, side: Side, leaks: Leaks) -> None:
        """Tell who wrote this, which goes to that side, that these secrets were taken out of it, and what to
        do about it."""
        # What came by a form is no message that could be deleted.
        platform = line.place.platform if turn.status is None else ""
        place = ticket.conversation if side is Side.SUPPORT else line.place
        words = secrets_sentences(leaks, platform, self._wording().secrets(await self._language(ticket, place)))
        end, about = End(place=place, person=turn.author), f"secrets {turn.id} {turn.revision}"
        await self._ends.tell(Notice(end=end, words=words, about=about, aside=True))

    async def explain(self, ticket: Ticket, line: Line) -> Told:
        """Tell who asked that words are passed on, where that was not said there before. Whether they know is never
        left open: it may be said twice. Raises DeliveryUnknown."""
        words = await self._words(ticket, ticket.conversation)
        said = [words.passed_on.format(ticket=ticket.name), *await self._by_name(ticket, words.call_me)]
        if not (await self._ends.customs(ticket.conversation)).threads:
            said.append(words.passed_on_else)
        end = _end(ticket, line, Side.REQUESTER)
        told = await self._ends.tell(Notice(end=end, words="\n".join(said), about=f"line {ticket.name}"))
        if told is Told.UNSURE:
            raise DeliveryUnknown
        return told

    async def remind(self, ticket: Ticket, line: Line, side: Side) -> None:
        """Say there, once, that the ticket waits for them."""
        end = _end(ticket, line, side)
        words = await self._words(ticket, end.place)
        pattern = words.remind_user if side is Side.REQUESTER else words.remind_support
        owner = one_line(ticket.assignee, NAME) if ticket.assignee else words.nobody
        said = [pattern.format(ticket=ticket.name, owner=owner)]
        said += await self._by_name(ticket, words.call_me) if side is Side.REQUESTER else []
        about = f"reminder {ticket.name} {ticket.changes}"
        await self._ends.tell(Notice(end=end, words="\n".join(said), about=about))

    async def tell(self, ticket: Ticket, words: str, about: str) -> None:
        """Tell who asked, once, what was done."""
        end = End(place=ticket.conversation, person=ticket.requester)
        await self._ends.tell(Notice(end=end, words=words, about=about))

    async def ended(self, ticket: Ticket, other: Turn) -> None:
        """Tell those who said something of the request, as the author of this turn did, that it is over now that who
        asked is forgotten. No word of anybody is in it."""
        language = (await self._ends.customs(other.conversation)).language or self._desk().language_of(other.text)
        said = self._wording().tickets(language).others_gone.format(ticket=ticket.name)
        end = End(place=other.conversation, person=other.author)
        await self._ends.tell(Notice(end=end, words=said, about=f"over {ticket.name}"))

    async def show(self, ticket: Ticket, line: Line) -> None:
        """Bring the note on the ticket up to date."""
        await self._ends.show(ticket, line)

    async def language(self, ticket: Ticket) -> LanguageCode:
        """In which language the ticket's conversation is spoken to."""
        return await self._language(ticket, ticket.conversation)

    async def _spoken(self, ticket: Ticket, turn: Turn, side: Side) -> Spoken:
        """Who speaks, and the words as they are."""
        language = await self.language(ticket)
        words = self._wording().tickets(language)
        said = "" if turn.text == CALLED else cleaned(without_files(turn.text).strip())
        if len(said) > self._ends.longest:
            said = f"{said[: self._ends.longest]}\n{self._wording().around(language).cut}"
        # What came by a form is as it was typed.
        typed = turn.status is not None
        spoken = [said] if said and typed else []
        if names := names_of_files(turn.text):
            spoken.append(words.files.format(names=", ".join(one_line(name, NAME) for name in names)))
        asks = side is Side.REQUESTER and turn.status == State.WAITING_FOR_USER
        if asks:
            spoken += await self._by_name(ticket, words.call_me)
        pattern = words.from_requester if side is Side.SUPPORT else words.asks if asks else words.from_support
        heading = pattern.format(name=one_line(turn.said_by, NAME), ticket=ticket.name)
        return Spoken(heading=heading, words="" if typed else said, plain=tuple(spoken))

    async def _by_name(self, ticket: Ticket, sentence: str) -> list[str]:
        """That who asked has to call the bot there, where that is so."""
        return [sentence] if (await self._ends.customs(ticket.conversation)).by_name else []

    async def _words(self, ticket: Ticket, place: Conversation) -> TicketWords:
        return self._wording().tickets(await self._language(ticket, place))

    async def _language(self, ticket: Ticket, place: Conversation) -> LanguageCode:
        return (await self._ends.customs(place)).language or self._desk().spoken(ticket)


def _end(ticket: Ticket, line: Line, side: Side) -> End:
    if side is Side.SUPPORT:
        return End(place=line.place)
    return End(place=ticket.conversation, person=ticket.requester)
