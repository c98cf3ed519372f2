"""Replies on their way back into Slack: whatever happens on the way, each is brought, told otherwise, or owed still."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from uuid import uuid4

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.changes import Changes
from handlers.citing import allowed_links
from handlers.conversation import Desk
from handlers.files import Unreads, unread_of, unread_sentences
from handlers.lanes import Lanes
from handlers.markup.sources import Source
from handlers.messages import OutgoingReply
from handlers.ports import Manners, ToPerson
from handlers.replies import unchecked
from handlers.slack.acts.answer_end import answer_end
from handlers.slack.address import address_of, filed, permalink
from handlers.slack.directory import UNKNOWN_PERSON, Directory
from handlers.slack.errand import Errand
from handlers.slack.faults import code_of, passing, revoked, token_refused
from handlers.slack.fields import is_timestamp
from handlers.slack.files import with_files
from handlers.slack.installations import Installation, Installations
from handlers.slack.intake import Intake
from handlers.slack.live import Live
from handlers.slack.outlet import outlet, parts_sent
from handlers.slack.patience import Patience
from handlers.slack.records import PLATFORM, Said, SlackFile
from handlers.slack.regrets import told_in_its_place, told_instead
from handlers.slack.render import SlackMessage, rendered
from handlers.slack.rules import Rules
from handlers.slack.sign import Sign
from handlers.tickets.records import Proposal
from memory.errors import HelpdeskError, ReplyNotTaken, StoreUnavailable
from memory.mailbox import Mailbox
from memory.model import Turn

log = structlog.get_logger()

#: A body that is rendered in less time than handing it to another thread takes.
_SHORT = 400


class Bringing:
    """Brings replies to where their messages were said."""

    def __init__(
        self,
        *,
        desk: Callable[[], Desk],
        changes: Changes,
        mailbox: Mailbox,
        rules: Rules,
        directory: Directory,
        intake: Intake,
        installations: Installations,
        to_person: ToPerson,
        lanes: Lanes,
        propose: Callable[[str], Proposal],
    ) -> None:
        self._desk = desk
        self._changes = changes
        self._mailbox = mailbox
        self._rules = rules
        self._directory = directory
        self._intake = intake
        self._installations = installations
        self._to_person = to_person
        self._lanes = lanes
        self._propose = propose

    async def bring(
        self,
        turn: Turn,
        here: Installation,
        sign: Sign | None = None,
        *,
        files: Sequence[SlackFile] = (),
        resumed: bool = False,
    ) -> bool:
        """The outer loop of a reply: what fails is logged, and owed still. Whether nothing is owed any more. `sign` is
        the one that may be shown already; `resumed` says that a process which died may have brought some of the reply.
        """
        errand = await self.errand(turn, here)
        live = Live(errand, unsure=resumed)
        try:
            manners = await self._manners(turn, here)
            sent = await parts_sent(errand) if resumed else frozenset[int]()
            unread = await self._unread(turn, errand, files, resumed=resumed)
            write = partial(self._written, turn, errand, manners, here, unread)
            way = outlet(errand, write, sent, live, sign, self._patience(turn))
            settled = await self._desk().handle(turn, way, manners, live.watch, self._to_person)
            await self._tidy(turn, sign)
        except SlackApiError as error:
            return await self._refused_reply(turn, errand, here, error)
        except ReplyNotTaken as error:
            return await self._told(turn, told_in_its_place(errand, error))
        except (HelpdeskError, SlackClientError, TimeoutError, OSError) as error:
            return _owed(turn, type(error).__name__)
        else:
            return settled

    async def _tidy(self, turn: Turn, sign: Sign | None) -> None:
        """Where another process answers, the sign of this one goes with that reply; it may have come after it."""
        if sign is not None and await sign.idle() and not await self._mailbox.waits(turn.id):
            await sign.end()

    def _patience(self, turn: Turn) -> Patience:
        """Who waits for Slack keeps nobody from answering, but for those who wait behind."""
        made = partial(self._lanes.leave, turn.conversation.id)
        return Patience(seconds=self._rules.wait_seconds, made=made, pause=self._lanes.pause)

    async def take_files(self, turn: Turn, here: Installation, files: Sequence[SlackFile]) -> None:
        """Read the files of a turn that is answered later. Raises StoreUnavailable."""
        if files:
            await self._unread(turn, await self.errand(turn, here), files, resumed=False)

    async def _unread(self, turn: Turn, errand: Errand, files: Sequence[SlackFile], *, resumed: bool) -> Unreads:
        """The files that were not read, when the others were."""
        return unread_of(turn) if resumed else await with_files(files, turn, errand.client, self._changes)

    async def _refused_reply(self, turn: Turn, errand: Errand, here: Installation, error: SlackApiError) -> bool:
        """What Slack refuses (the channel is archived, the bot was removed) it will refuse again: the asker is told so
        in another way, and if Slack refuses that too nothing is owed."""
        try:
            if token_refused(error):
                await (self._installations.drop(here) if revoked(error) else self._installations.doubt(here))
        except StoreUnavailable as failure:
            return _owed(turn, type(failure).__name__)
        if token_refused(error) or passing(error):
            return _owed(turn, code_of(error))
        return await self._told(turn, told_instead(errand, error))

    async def _told(self, turn: Turn, telling: Awaitable[bool]) -> bool:
        """Whether the asker is told something in the place of the reply, after which nothing is owed."""
        try:
            if not await telling:
                return _owed(turn, "not told")
            await self._mailbox.replied(turn.id)
        except StoreUnavailable as failure:
            return _owed(turn, type(failure).__name__)
        return True

    async def _manners(self, turn: Turn, here: Installation) -> Manners:
        channel = address_of(turn.conversation).channel
        # One after the other: both are mostly known, and a task for each would cost more than to ask for them.
        room = await self._intake.room(channel, here)
        person = await self._directory.person(here.client, here.workspace, turn.author)
        return replace(self._rules.manners(channel, room, guest=person.guest), locale=person.language)

    async def errand(self, turn: Turn, here: Installation) -> Errand:
        """Made without asking Slack anything. Never raises."""
        address = address_of(turn.conversation)
        rules = self._rules.of(address.channel)
        locale = self._directory.person_at_hand(here.workspace, turn.author).language
        return Errand(
            client=here.client,
            address=address,
            message=turn.message,
            asker=turn.author,
            turn=turn.id,
            language=await self._desk().language(turn, Manners(confined=True, language=rules.language, locale=locale)),
            wording=self._desk().wording,
            ephemeral=rules.ephemeral and not address.direct,
            me=here.me.user,
            stream=self._rules.stream and address.direct,
        )

    async def _written(
        self,
        turn: Turn,
        errand: Errand,
        manners: Manners,
        here: Installation,
        unread: Unreads,
        reply: OutgoingReply,
    ) -> Sequence[SlackMessage]:
        if self._directory.person_at_hand(here.workspace, turn.author) is UNKNOWN_PERSON:
            reply = unchecked(reply, errand.wording.around(reply.language).unchecked)
        cited = await self._desk().cited(turn, reply, manners)
        sources = [Source(label=one.text, link=one.link or _link(cited.get(one.turn), here)) for one in reply.sources]
        said = errand.wording.around(reply.language)
        write = partial(
            rendered,
            reply.body,
            sources=sources,
            notes=[*unread_sentences(unread, said), *reply.notes],
            allowed_links=allowed_links(cited.values()),
            last=answer_end(turn.id, reply, offer=self._offer(reply), wording=errand.wording),
            cut_note=said.cut,
        )
        return write() if len(reply.body) <= _SHORT else await asyncio.to_thread(write)

    def _offer(self, reply: OutgoingReply) -> Proposal | None:
        """What this would be as a ticket, where there is something to make one of and somebody to tell of it."""
        return self._propose(reply.matter) if reply.matter and self._rules.handover_channel else None

    async def refuse(self, reply: OutgoingReply, said: Said, here: Installation) -> None:
        """Say why a message was not taken; nothing is owed."""
        errand = Errand(
            client=here.client,
            address=address_of(filed(said.conversation)),
            message=said.message,
            asker=said.author,
            turn=uuid4().hex,
            language=reply.language,
            wording=self._desk().wording,
        )
        try:
            async with outlet(errand, _plain) as send:
                await send(reply)
        except (SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_refusal_unsent", error=type(error).__name__)


async def _plain(reply: OutgoingReply) -> Sequence[SlackMessage]:
    return rendered(reply.body)


def _owed(turn: Turn, why: str) -> bool:
    """The reply is owed still, and that is logged."""
    log.warning("slack_reply_owed", turn=turn.id, error=why)
    return False


def _link(turn: Turn | None, here: Installation) -> str | None:
    """The permalink of a turn that was said in this workspace."""
    if turn is None or turn.conversation.platform != PLATFORM or turn.conversation.workspace != here.workspace:
        return None
    where = address_of(turn.conversation)
    # What was done to a ticket, or said at the support team's end, is no message of this thread.
    message = turn.message if is_timestamp(turn.message) else where.thread
    return permalink(here.home, where, message)
