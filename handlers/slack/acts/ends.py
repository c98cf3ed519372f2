"""How the bot writes at both ends of a line in Slack: in the thread of who asked, and in that of the team's note."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import chain
from typing import TypeVar

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.markup.parts import Span
from handlers.slack.acts.note_words import NoteWords, reworded
from handlers.slack.acts.once import posted, said_once, standing
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.ticket_note import note_at, show_deleted, show_standing
from handlers.slack.acts.wanted_note import words_about, words_note
from handlers.slack.address import Address, address_of
from handlers.slack.faults import closed, code_of, passing, token_refused
from handlers.slack.installations import Installation, Installations
from handlers.slack.looks import parts_in
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import blocks_of
from handlers.slack.rules import Rules
from handlers.tickets.ends import Customs, End, Notice, Refusal, Spoken, Told
from handlers.wordings import Wording
from memory.errors import DeliveryUnknown, PlatformUnavailable
from memory.lines import Line
from memory.model import Conversation
from memory.tickets import Ticket

log = structlog.get_logger()

_SECONDS = 60.0
#: A message of Slack's holds less than 10,000; names and the rest need room, too.
_CHARACTERS = 8_000
_BOLD = frozenset(("bold",))
#: What only one person sees cannot be changed or found again; it has no timestamp by which anything could be done.
_PASSED_BY = ""
_REMEMBERED = 1_000

Done = TypeVar("Done")


class SlackEnds:
    """The port `Ends` for Slack. What stands there is known again by its metadata."""

    longest = _CHARACTERS

    def __init__(
        self, *, installations: Installations, rules: Rules, words: NoteWords, wording: Callable[[], Wording]
    ) -> None:
        self._installations = installations
        self._rules = rules
        self._words = words
        self._wording = wording
        #: What somebody was told lately: what only they see cannot be looked for.
        self._told: deque[str] = deque(maxlen=_REMEMBERED)

    async def customs(self, place: Conversation) -> Customs:
        return Customs(language=self._rules.of(address_of(place).channel).language)

    async def post(self, end: End, said: Spoken, about: str, *, sure: bool) -> str | Refusal:
        here, where, shown = await self._at(end.place), address_of(end.place), _copied(said)
        if end.person and self._alone(where):
            return await _taken(self._whispered(here, where, end.person, shown))
        there = None if sure else await _tried(standing(here.client, where, about, since=where.thread))
        return await _taken(posted(here.client, where, shown, about)) if there is None else there

    async def change(self, end: End, said: Spoken, message: str) -> None:
        here, where, shown = await self._at(end.place), address_of(end.place), _copied(said)
        await _tried(_changed(here, where, message, shown))

    async def remove(self, end: End, message: str, instead: str) -> None:
        await _removed(await self._at(end.place), address_of(end.place), message, instead)

    async def tell(self, notice: Notice) -> Told:
        if notice.about in self._told:
            return Told.BEFORE
        end = notice.end
        here, where, said = await self._at(end.place), address_of(end.place), message(paragraph(notice.words))
        if end.person and not where.direct and (notice.aside or self._alone(where)):
            told = await _tried(self._whispered(here, where, end.person, said)) is not None
            now = True
        else:
            only_now = await _tried(said_once(here.client, where, said, notice.about, since=where.thread))
            told, now = only_now is not None, only_now is True
        if not told:
            return Told.IMPOSSIBLE
        self._told.append(notice.about)
        return Told.NOW if now else Told.BEFORE

    async def show(self, ticket: Ticket, line: Line) -> None:
        here, where = await self._at(line.place), address_of(line.place)
        note = await _tried(note_at(here, where.channel, where.thread))
        if note is not None:
            await _tried(show_standing(here, note, ticket, self._wording().tickets(note.language)))

    async def reword(self, ticket: Ticket, line: Line) -> None:
        here, where, request = await self._at(line.place), address_of(line.place), line.request or ""
        note = await _tried(note_at(here, where.channel, where.thread))
        if note is None:
            return
        wording, there = self._wording(), await self._words.there(request)
        asked = await self._words.asked(request, here, where.channel) if there else None
        behind = await self._words.behind(asked, ticket, here, where.channel, note.language)
        acts, words = wording.acts(note.language), wording.tickets(note.language)
        now = reworded(note, ticket, asked, behind, gone=there is None, wording=wording)
        await _tried(show_standing(here, now, ticket, words))
        await self._agreed(here, where, request, words_note(there.text, acts) if there else words.asked_gone)

    async def retire(self, line: Line) -> None:
        here, where = await self._at(line.place), address_of(line.place)
        note = await _tried(note_at(here, where.channel, where.thread))
        words = self._wording().tickets(note.language if note else "en")
        if note is not None:
            await _tried(show_deleted(here, note, words.deleted.format(ticket=line.ticket)))
        await self._agreed(here, where, line.request or "", words.asked_gone)

    async def _agreed(self, here: Installation, where: Address, request: str, said: SlackMessage | str) -> None:
        """What stands below the note as who asked wanted it follows the message, too; where that is gone, `said` is
        what is said where Slack does not let it go."""
        shown = await _tried(standing(here.client, where, words_about(request), since=where.thread))
        if shown is None:
            return
        if isinstance(said, str):
            await _removed(here, where, shown, said)
        else:
            await _tried(_changed(here, where, shown, said))

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

    async def _at(self, place: Conversation) -> Installation:
        """Raises PlatformUnavailable where the app is not installed just now."""
        here = await self._installations.of(place.workspace)
        if here is None:
            raise PlatformUnavailable
        return here


async def _removed(here: Installation, where: Address, ts: str, instead: str) -> None:
    """One of our messages goes, or its words do."""
    if await _tried(here.client.chat_delete(channel=where.channel, ts=ts)) is None:
        await _tried(_changed(here, where, ts, message(paragraph(instead))))


async def _changed(here: Installation, where: Address, ts: str, said: SlackMessage) -> object:
    blocks = [dict(block) for block in said.blocks]
    return await here.client.chat_update(channel=where.channel, ts=ts, text=said.text, blocks=blocks)


def _copied(said: Spoken) -> SlackMessage:
    """Who speaks, and the words with the looks that they have in Slack: they call nobody and lead nowhere."""
    heading = paragraph(Span(text=said.heading, styles=_BOLD))
    words = blocks_of(parts_in(said.words))
    return message([*heading, *words, *chain.from_iterable(map(paragraph, said.plain))])


async def _tried(call: Awaitable[Done]) -> Done | None:
    """What came of it; None where Slack refuses it. Raises DeliveryUnknown."""
    done = await _taken(call)
    return None if isinstance(done, Refusal) else done


async def _taken(call: Awaitable[Done]) -> Done | Refusal:
    """What came of it, or how Slack refuses it. Raises DeliveryUnknown: whatever stands there can be looked for."""
    try:
        async with asyncio.timeout(_SECONDS):
            return await call
    except SlackApiError as error:
        if passing(error) or token_refused(error):
            raise DeliveryUnknown from error
        log.warning("slack_line_refused", error=code_of(error))
        return Refusal.FOR_NOW if closed(error) else Refusal.FOR_GOOD
    except (SlackClientError, TimeoutError, OSError) as error:
        raise DeliveryUnknown from error
