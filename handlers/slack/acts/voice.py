"""How the bot speaks at both ends of a line in Slack: in the thread of who asked, and in that of the team's note."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain
from typing import TypeVar

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.characters import cleaned, one_line
from handlers.files import names_of_files, without_files
from handlers.markup.parts import Span
from handlers.replies import secrets_sentences
from handlers.slack.acts.once import posted, said_once, standing
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.ticket_note import note_at, show_standing
from handlers.slack.address import Address, address_of
from handlers.slack.faults import closed, code_of, passing, token_refused
from handlers.slack.installations import Installation, Installations
from handlers.slack.records import PLATFORM
from handlers.slack.render import SlackMessage
from handlers.slack.rules import Rules
from handlers.tickets.desk import TicketDesk
from handlers.tickets.voice import Explained, Refusal, Unpassed
from handlers.wording_tickets import TicketWords
from handlers.wordings import Wording
from memory.errors import PlatformUnavailable
from memory.lines import Copy, Line, Side
from memory.model import Conversation, Turn
from memory.text.language import LanguageCode
from memory.tickets import State, Ticket

log = structlog.get_logger()

_SECONDS = 60.0
#: A message of Slack's holds less than 10,000; names and the rest need room, too.
_CHARACTERS, _NAME = 8_000, 60
_BOLD = frozenset(("bold",))
#: What only one person sees cannot be changed or found again; it has no timestamp by which anything could be done.
_PASSED_BY = ""
_REMEMBERED = 1_000

Done = TypeVar("Done")


class SlackVoice:
    """The port `Voice` for Slack. A copy is known again by its metadata."""

    def __init__(
        self,
        *,
        installations: Installations,
        rules: Rules,
        tickets: Callable[[], TicketDesk],
        wording: Callable[[], Wording],
    ) -> None:
        self._installations = installations
        self._rules = rules
        self._tickets = tickets
        self._wording = wording
        #: What somebody was told did not reach the team: what only they see cannot be looked for.
        self._told: deque[str] = deque(maxlen=_REMEMBERED)

    async def post(self, ticket: Ticket, line: Line, turn: Turn, side: Side, *, sure: bool) -> str | Refusal:
        here = await self._here(line)
        where = _end(ticket, line, side)
        said = self._copied(ticket, turn, side)
        if side is Side.REQUESTER and self._alone(where):
            return await _taken(self._whispered(here, where, ticket.requester, said))
        about = f"copy {turn.id}"
        there = None if sure else await _tried(standing(here.client, where, about, since=where.thread))
        return await _taken(posted(here.client, where, said, about)) if there is None else there

    async def change(self, ticket: Ticket, line: Line, turn: Turn, copy: Copy) -> None:
        if not copy.message:
            return
        here, where, said = await self._here(line), _end(ticket, line, copy.side), self._copied(ticket, turn, copy.side)
        blocks = [dict(block) for block in said.blocks]
        await _tried(here.client.chat_update(channel=where.channel, ts=copy.message, text=said.text, blocks=blocks))

    async def remove(self, ticket: Ticket, line: Line, copy: Copy) -> None:
        if not copy.message:
            return
        here, where = await self._here(line), _end(ticket, line, copy.side)
        await _tried(here.client.chat_delete(channel=where.channel, ts=copy.message))

    async def not_passed(self, ticket: Ticket, line: Line, agent: str, why: Unpassed) -> None:
        here, words = await self._here(line), self._team_words(ticket, line)
        pattern = words.not_passed if why is Unpassed.NOBODYS else words.not_passable
        said = message(paragraph(pattern.format(ticket=ticket.name)))
        await _tried(self._whispered(here, address_of(line.place), agent, said))

    async def unreached(self, ticket: Ticket, turn: Turn, why: Refusal) -> None:
        if turn.id in self._told:
            return
        here, where, words = await self._at(ticket.conversation), address_of(ticket.conversation), self._words(ticket)
        pattern = words.unreached if why is Refusal.FOR_NOW else words.unreachable
        said = message(paragraph(pattern.format(ticket=ticket.name)))
        if self._alone(where):
            await _tried(self._whispered(here, where, turn.author, said))
        else:
            await _tried(said_once(here.client, where, said, f"unreached {turn.id}", since=where.thread))
        self._told.append(turn.id)

    async def warn(self, ticket: Ticket, line: Line, turn: Turn, side: Side, kinds: Sequence[str]) -> None:
        # What came by a form is no message that could be deleted.
        platform = PLATFORM if turn.status is None else ""
        where = address_of(ticket.conversation if side is Side.SUPPORT else line.place)
        words = self._wording().secrets(self._language(ticket, where))
        here, said = await self._here(line), message(paragraph(secrets_sentences(kinds, platform, words)))
        if where.direct:
            about = f"secrets {turn.id} {turn.revision}"
            await _tried(said_once(here.client, where, said, about, since=where.thread))
        else:
            await _tried(self._whispered(here, where, turn.author, said))

    async def explain(self, ticket: Ticket, line: Line) -> Explained:
        here, where = await self._here(line), address_of(ticket.conversation)
        said = message(paragraph(self._words(ticket).passed_on.format(ticket=ticket.name)))
        if self._alone(where):
            whispered = await _tried(self._whispered(here, where, ticket.requester, said))
            return Explained.IMPOSSIBLE if whispered is None else Explained.NOW
        about = f"line {ticket.name}"
        only_now = await _tried(said_once(here.client, where, said, about, since=where.thread))
        if only_now is None:
            return Explained.IMPOSSIBLE
        return Explained.NOW if only_now else Explained.BEFORE

    async def remind(self, ticket: Ticket, line: Line, side: Side) -> None:
        here, where = await self._here(line), _end(ticket, line, side)
        words = self._words(ticket) if side is Side.REQUESTER else self._team_words(ticket, line)
        pattern = words.remind_user if side is Side.REQUESTER else words.remind_support
        owner = one_line(ticket.assignee, _NAME) if ticket.assignee else words.nobody
        said = message(paragraph(pattern.format(ticket=ticket.name, owner=owner)))
        if side is Side.REQUESTER and self._alone(where):
            await _tried(self._whispered(here, where, ticket.requester, said))
            return
        about = f"reminder {ticket.name} {ticket.changes}"
        await _tried(said_once(here.client, where, said, about, since=where.thread))

    async def show(self, ticket: Ticket, line: Line) -> None:
        here, where = await self._here(line), address_of(line.place)
        note = await _tried(note_at(here, where.channel, where.thread))
        if note is not None:
            await _tried(show_standing(here, note, ticket, self._wording().tickets(note.language)))

    def _copied(self, ticket: Ticket, turn: Turn, side: Side) -> SlackMessage:
        """Who speaks, and the words as they are: nothing in them is parsed."""
        words, said = self._words(ticket), cleaned(without_files(turn.text).strip())
        if len(said) > _CHARACTERS:
            cut = self._wording().around(self._language(ticket, address_of(ticket.conversation))).cut
            said = f"{said[:_CHARACTERS]}\n{cut}"
        if side is Side.SUPPORT:
            pattern = words.from_requester
        else:
            pattern = words.asks if turn.status == State.WAITING_FOR_USER else words.from_support
        heading = pattern.format(name=one_line(turn.said_by, _NAME), ticket=ticket.name)
        spoken = [said] if said else []
        if names := names_of_files(turn.text):
            spoken.append(words.files.format(names=", ".join(one_line(name, _NAME) for name in names)))
        return message([*paragraph(Span(text=heading, styles=_BOLD)), *chain.from_iterable(map(paragraph, spoken))])

    def _words(self, ticket: Ticket) -> TicketWords:
        """In which language the ticket's conversation is spoken to."""
        return self._wording().tickets(self._language(ticket, address_of(ticket.conversation)))

    def _team_words(self, ticket: Ticket, line: Line) -> TicketWords:
        return self._wording().tickets(self._language(ticket, address_of(line.place)))

    def _language(self, ticket: Ticket, where: Address) -> LanguageCode:
        return self._rules.of(where.channel).language or self._tickets().spoken(ticket)

    def _alone(self, where: Address) -> bool:
        """Whether answers in this place are for one person alone."""
        return self._rules.of(where.channel).ephemeral and not where.direct

    async def _whispered(self, here: Installation, where: Address, user: str, said: SlackMessage) -> str:
        blocks = [dict(block) for block in said.blocks]
        async with asyncio.timeout(_SECONDS):
            await here.client.chat_postEphemeral(
                channel=where.channel, thread_ts=where.thread, user=user, text=said.text, blocks=blocks
            )
        return _PASSED_BY

    async def _here(self, line: Line) -> Installation:
        return await self._at(line.place)

    async def _at(self, place: Conversation) -> Installation:
        """Raises PlatformUnavailable where the app is not installed just now."""
        here = await self._installations.of(place.workspace)
        if here is None:
            raise PlatformUnavailable
        return here


def _end(ticket: Ticket, line: Line, side: Side) -> Address:
    return address_of(line.place if side is Side.SUPPORT else ticket.conversation)


async def _tried(call: Awaitable[Done]) -> Done | None:
    """What came of it; None where Slack refuses it. Raises PlatformUnavailable."""
    done = await _taken(call)
    return None if isinstance(done, Refusal) else done


async def _taken(call: Awaitable[Done]) -> Done | Refusal:
    """What came of it, or how Slack refuses it. Raises PlatformUnavailable."""
    try:
        async with asyncio.timeout(_SECONDS):
            return await call
    except SlackApiError as error:
        if passing(error) or token_refused(error):
            raise PlatformUnavailable from error
        log.warning("slack_line_refused", error=code_of(error))
        return Refusal.FOR_NOW if closed(error) else Refusal.FOR_GOOD
    except (SlackClientError, TimeoutError, OSError) as error:
        raise PlatformUnavailable from error
