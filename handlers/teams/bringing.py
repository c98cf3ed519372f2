"""Bringing replies: from a received turn to messages in its conversation, whatever happens on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import structlog

from handlers.citing import allowed_links
from handlers.conversation import Desk
from handlers.files import Unreads, unread_of, unread_sentences
from handlers.markup.sources import Source
from handlers.messages import OutgoingReply
from handlers.ports import Manners, ToPerson
from handlers.quote_lines import speaker_of
from handlers.replies import link_of
from handlers.spoken import client_language
from handlers.teams.address import permalink
from handlers.teams.cards import answer_buttons, ask_person
from handlers.teams.errand import Errand, Writes
from handlers.teams.files import Files
from handlers.teams.live import Live
from handlers.teams.message import TeamsMessage, plain_message
from handlers.teams.outlet import Outlets
from handlers.teams.progress import Progress, Replies
from handlers.teams.records import PLATFORM, Said, Site, TeamsFile
from handlers.teams.render import rendered, with_thumbs
from handlers.teams.render_entities import Claim
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wording import Phrases
from handlers.wordings import Wording
from memory.answers import Answer, AnswerKind
from memory.errors import DeliveryUnknown, HelpdeskError, PlatformRefused, PlatformUnavailable
from memory.mailbox import Mailbox
from memory.model import Turn
from memory.ports import Clock

log = structlog.get_logger()

#: A body that is rendered in less time than handing it to another thread takes.
_SHORT = 400


class Bringing:
    """The outer loop of a reply: what fails is logged, and owed still."""

    def __init__(
        self,
        *,
        writes: Writes,
        desk: Callable[[], Desk],
        mailbox: Mailbox,
        rules: Rules,
        sites: Sites,
        replies: Replies,
        outlets: Outlets,
        files: Files,
        to_person: ToPerson,
        clock: Clock,
    ) -> None:
        self._writes = writes
        self._desk = desk
        self._mailbox = mailbox
        self._rules = rules
        self._sites = sites
        self._replies = replies
        self._outlets = outlets
        self._files = files
        self._to_person = to_person
        self._clock = clock

    async def bring(self, turn: Turn, *, files: Sequence[TeamsFile] = (), locale: str | None = None) -> None:
        """Answer a turn that was just received, by a client that is set to `locale`."""
        await self._carefully(turn, partial(self._answer, turn, Progress(), files, locale=locale))

    async def resume(self, turn: Turn) -> None:
        """Answer a turn whose reply is owed; where Teams may have a part of it already, say that instead."""
        await self._carefully(turn, partial(self._resume, turn))

    async def refuse(self, reply: OutgoingReply, said: Said) -> None:
        """Say why a message was not taken; nothing is owed."""
        errand = Errand(
            writes=self._writes,
            site=said.site,
            conversation=said.conversation,
            language=reply.language,
            wording=self._desk().wording,
        )
        try:
            await errand.post(plain_message(reply.body).content)
        except HelpdeskError as error:
            log.warning("teams_refusal_unsent", error=type(error).__name__)

    async def _carefully(self, turn: Turn, work: Callable[[], Awaitable[None]]) -> None:
        try:
            try:
                await work()
            except PlatformRefused as error:
                # What Teams refuses (the bot was removed, the chat is gone) it will refuse again: nothing is owed.
                log.warning("teams_reply_refused", turn=turn.id, error=type(error).__name__)
                await self._settle(turn)
        except (HelpdeskError, TimeoutError, OSError) as error:
            log.warning("teams_reply_owed", turn=turn.id, error=type(error).__name__)

    async def _settle(self, turn: Turn) -> None:
        await self._mailbox.replied(turn.id)
        await self._replies.drop(turn.id)

    async def _resume(self, turn: Turn) -> None:
        progress = await self._replies.of(turn.id)
        if not progress.unsure:
            await self._answer(turn, progress, unread=unread_of(turn))
            return
        if progress.due(self._clock()):
            await self._desk().instead(turn, partial(self._tell_unconfirmed, turn, progress))
            await self._tidy(turn)

    async def _tell_unconfirmed(self, turn: Turn, progress: Progress) -> None:
        """The answer may be there or not. A second one would confuse, silence would be worse: who asked can see it.
        This itself may be said twice, for the same reason."""
        errand = await self._errand(turn)
        if errand is None:
            return
        tried = progress.tried(self._clock())
        await self._replies.note(turn.id, tried)
        try:
            await errand.post(plain_message(errand.wording.teams(errand.language).unconfirmed).content)
        except DeliveryUnknown as error:
            log.warning("teams_reply_unconfirmed", turn=turn.id, tries=tried.tries, error=type(error).__name__)
            if not tried.tired:
                raise
        except PlatformUnavailable:
            await self._replies.note(turn.id, progress)
            raise

    async def _answer(
        self,
        turn: Turn,
        progress: Progress,
        files: Sequence[TeamsFile] = (),
        unread: Unreads | None = None,
        locale: str | None = None,
    ) -> None:
        errand = await self._errand(turn, locale)
        if errand is None:
            # The bot was removed: there is nobody left to answer, and others wait behind.
            log.warning("teams_reply_moot", turn=turn.id)
            await self._settle(turn)
            return
        if files:
            unread = await self._files.read_into(turn, files)
        manners = self._manners(errand.site, locale)
        write = partial(self._written, turn, errand, manners, unread or {})
        live = Live(errand, streams=self._rules.streaming)
        outlet = self._outlets.outlet(errand, turn.id, write, progress, live)
        await self._desk().handle(turn, outlet, manners, live.watch, self._to_person)
        await self._tidy(turn)

    async def _tidy(self, turn: Turn) -> None:
        """How far a reply came is of interest while it is owed."""
        if not await self._mailbox.waits(turn.id):
            await self._replies.drop(turn.id)

    def _manners(self, site: Site, locale: str | None) -> Manners:
        """Teams tells with each message how a client is set, which is not kept: of a reply that is owed still it is not
        known."""
        return replace(self._rules.manners(site), locale=client_language(locale))

    async def _errand(self, turn: Turn, locale: str | None = None) -> Errand | None:
        site = await self._sites.of(turn.conversation)
        if site is None:
            return None
        language = await self._desk().language(turn, self._manners(site, locale))
        return Errand(
            writes=self._writes,
            site=site,
            conversation=turn.conversation,
            language=language,
            wording=self._desk().wording,
        )

    async def _written(
        self, turn: Turn, errand: Errand, manners: Manners, unread: Unreads, reply: OutgoingReply
    ) -> Sequence[TeamsMessage]:
        notes = unread_sentences(unread, errand.wording.around(reply.language))
        if reply.answer is None:
            return await asyncio.to_thread(_without_answer, turn, reply, notes, errand.wording)
        cited = await self._desk().cited(turn, reply, manners)
        write = partial(
            rendered,
            reply.body,
            language=reply.language,
            sources=[Source(label=one.text, link=one.link or _link(cited.get(one.turn))) for one in reply.sources],
            claims=[*_claims(reply.answer, cited, errand.wording.phrases(reply.language))],
            notes=[*notes, *reply.notes],
            allowed_links=allowed_links(cited.values()),
            actions=answer_buttons(turn.id, reply, wording=errand.wording),
            wording=errand.wording,
            by_model=reply.answer.kind is AnswerKind.WRITTEN,
        )
        return with_thumbs(write() if len(reply.body) <= _SHORT else await asyncio.to_thread(write))


def _without_answer(turn: Turn, reply: OutgoingReply, notes: Sequence[str], wording: Wording) -> Sequence[TeamsMessage]:
    if not reply.to_person:
        return [plain_message("\n\n".join([reply.text, *notes]))]
    button = ask_person(reply.about or turn.id, reply.language, wording=wording)
    below = [*notes, *reply.notes]
    return rendered(reply.body, language=reply.language, notes=below, actions=[button], wording=wording)


def _claims(answer: Answer, cited: Mapping[str, Turn], said: Phrases) -> Iterator[Claim]:
    """What the numbers in a written answer cite; they count its evidence from one."""
    for number, one in enumerate(answer.cited, start=1):
        yield Claim(
            number=number,
            name=one.number or speaker_of(one, said),
            excerpt=one.quote,
            link=link_of(one) or _link(cited.get(one.turn_ids[0])),
        )


def _link(turn: Turn | None) -> str | None:
    """Where a turn that was said in Teams is."""
    if turn is None or turn.conversation.platform != PLATFORM:
        return None
    return permalink(turn.conversation, turn.message)
