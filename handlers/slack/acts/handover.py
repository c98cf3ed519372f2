"""Telling the support team in its channel that somebody wants a person."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.claims import Claims
from handlers.handover import Handed, Wanted
from handlers.slack.acts.note_words import NoteWords
from handlers.slack.acts.once import said_once
from handlers.slack.acts.pages import is_marked, paged
from handlers.slack.acts.ticket_note import is_on, note_mark, of_form
from handlers.slack.acts.wanted_note import form_note, wanted_note, words_about, words_note
from handlers.slack.address import Address
from handlers.slack.directory import Directory
from handlers.slack.faults import code_of, passing
from handlers.slack.installations import Installation, Installations
from handlers.slack.records import PLATFORM
from handlers.slack.render import SlackMessage
from handlers.slack.rules import Rules
from handlers.tickets.desk import TicketDesk
from handlers.tickets.requests import Lay, Settled, handed_to
from handlers.wordings import Wording
from memory.errors import Busy, PlatformUnavailable
from memory.model import Conversation, turn_id
from memory.text.language import LanguageCode

log = structlog.get_logger()

_SECONDS = 60.0
#: So far back the channel is looked through for an earlier note on the same request.
_PAGE, _MOST_PAGES = 200, 10


class SlackHandOver:
    """The hook `HandOver` that writes to one channel.

    That it was done is written in one place only: on the note itself, as its metadata. Whoever wants to know looks
    there, so that a process that died in between is no different from one that did not; a claim keeps others from
    looking at the same moment.
    """

    def __init__(
        self,
        *,
        installations: Installations,
        directory: Directory,
        rules: Rules,
        words: NoteWords,
        claims: Claims,
        wording: Callable[[], Wording],
        tickets: Callable[[], TicketDesk],
        settled: Settled,
        lay: Lay,
    ) -> None:
        self._installations = installations
        self._directory = directory
        self._rules = rules
        self._words = words
        self._claims = claims
        self._wording = wording
        self._tickets = tickets
        self._settled = settled
        self._lay = lay

    async def __call__(self, wanted: Wanted) -> Handed | None:
        """As `HandOver`; None without a channel, or where Slack does not let the bot write there. Raises Busy where
        somebody else is at the same request."""
        channel = self._rules.handover_channel
        here = await self._installations.of(wanted.conversation.workspace)
        if channel is None or here is None:
            return None
        request = turn_id(wanted.conversation, wanted.message)
        async with self._claims.claimed(f"handover {request}") as mine:
            if not mine:
                raise Busy
            handed = await handed_to(wanted, self._tickets(), self._settled)
            if handed.over:
                return handed
            return await self._told(wanted, handed, request, here, channel)

    async def _told(
        self, wanted: Wanted, handed: Handed, request: str, here: Installation, channel: str
    ) -> Handed | None:
        try:
            async with asyncio.timeout(_SECONDS):
                known = await self._note(wanted, handed, request, here, channel)
                note = str(known["ts"]) if known else await self._tell(wanted, handed, request, here, channel)
                await self._talked_of(handed, request, here, channel, note)
                more = known is not None and await self._filled_in(wanted, handed, known, here, channel)
                if wanted.words:
                    await self._show(wanted, request, here, channel, note)
        except SlackApiError as error:
            if passing(error):
                raise PlatformUnavailable from error
            log.warning("slack_handover_refused", channel=channel, error=code_of(error))
            return None
        except (SlackClientError, TimeoutError, OSError) as error:
            raise PlatformUnavailable from error
        return replace(handed, again=known is not None and not more, added=handed.added or more)

    async def _talked_of(self, handed: Handed, request: str, here: Installation, channel: str, note: str) -> None:
        """The thread of the note is where the team talks about the ticket."""
        if handed.ticket is not None:
            place = Conversation(platform=PLATFORM, workspace=here.workspace, channel=channel, thread=note)
            await self._lay(handed.ticket, place, request)

    async def _note(
        self, wanted: Wanted, handed: Handed, request: str, here: Installation, channel: str
    ) -> Mapping[str, Any] | None:
        """The note on this request and its ticket, if it is there: what was added to one that is over may be another
        one's now. It cannot be older than the message that it is about."""

        async def ask(cursor: str | None) -> object:
            return await here.client.conversations_history(
                channel=channel, oldest=wanted.message, include_all_metadata=True, limit=_PAGE, cursor=cursor
            )

        async for one in paged(ask, "messages", _MOST_PAGES):
            if is_marked(one, request) and (handed.ticket is None or is_on(one, handed.ticket)):
                found: Mapping[str, Any] = one
                return found
        return None

    async def _tell(self, wanted: Wanted, handed: Handed, request: str, here: Installation, channel: str) -> str:
        person, asked = await asyncio.gather(
            self._directory.person(here.client, here.workspace, wanted.user), self._words.asked(request, here, channel)
        )
        language, wording = self._language(wanted, channel), self._wording()
        behind = await self._words.behind(asked, handed.ticket, here, channel, language)
        note = wanted_note(wanted, handed, person.name, asked, behind, language=language, wording=wording)
        said = await _post(here, channel, note, note_mark(request, handed.ticket, language, form=_form(wanted)))
        log.info("slack_handed_over", request=request)
        return said

    async def _filled_in(
        self, wanted: Wanted, handed: Handed, note: Mapping[str, Any], here: Installation, channel: str
    ) -> bool:
        """What came by a form about a request that the team had been told of goes below the note, once. Whether it was
        new."""
        form = _form(wanted)
        if not form or of_form(note) == form:
            return False
        person = await self._directory.person(here.client, here.workspace, wanted.user)
        said = form_note(wanted, handed, person.name, language=self._language(wanted, channel), wording=self._wording())
        return await said_once(here.client, _below(here, channel, str(note["ts"])), said, form, since=str(note["ts"]))

    async def _show(self, wanted: Wanted, request: str, here: Installation, channel: str, note: str) -> None:
        """The words go below the note, once."""
        said = words_note(wanted.words, self._wording().acts(self._language(wanted, channel)))
        await said_once(here.client, _below(here, channel, note), said, words_about(request), since=note)

    def _language(self, wanted: Wanted, channel: str) -> LanguageCode:
        return self._rules.of(channel).language or wanted.language


def _below(here: Installation, channel: str, note: str) -> Address:
    return Address(workspace=here.workspace, channel=channel, thread=note)


def _form(wanted: Wanted) -> str:
    """By what it is known again what somebody filled in; empty where nobody did. None of the words is in it."""
    if not (wanted.title or wanted.note):
        return ""
    return f"form {sha256(json.dumps([wanted.user, wanted.title, wanted.note]).encode()).hexdigest()[:32]}"


async def _post(here: Installation, channel: str, said: SlackMessage, metadata: dict[str, object]) -> str:
    """The timestamp of the message, which is known again by its metadata."""
    posted = await here.client.chat_postMessage(
        channel=channel,
        text=said.text,
        blocks=[dict(block) for block in said.blocks],
        unfurl_links=False,
        unfurl_media=False,
        metadata=metadata,
    )
    return str(posted["ts"])
