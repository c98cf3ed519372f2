"""The door: what Slack tells, on its way to the desk and the memory; and answers, on their way back.

`hear` returns when what was told is safe on the disk, which is when Slack may be told that it arrived. All work that
takes longer waits in the conversation's lane.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4
from weakref import WeakValueDictionary

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.changes import Changes
from handlers.citing import allowed_links
from handlers.conversation import Desk
from handlers.decision import QUIET, Kind
from handlers.files import unread_of
from handlers.lanes import Lanes
from handlers.markup.sources import Source
from handlers.messages import OutgoingReply
from handlers.ports import Manners
from handlers.slack.acts.answer_end import answer_end
from handlers.slack.address import address_of, filed, permalink
from handlers.slack.decision import decide
from handlers.slack.directory import Directory
from handlers.slack.errand import Errand
from handlers.slack.faults import code_of, passing, revoked, token_refused
from handlers.slack.files import with_files
from handlers.slack.inbound import channel_told, read_event
from handlers.slack.installations import Installation, Installations
from handlers.slack.intake import Intake
from handlers.slack.live import Live
from handlers.slack.outlet import outlet, parts_sent
from handlers.slack.records import PLATFORM, Deleted, Edited, Inbound, Said, SlackFile, Uninstalled
from handlers.slack.regrets import told_instead
from handlers.slack.render import SlackMessage, rendered
from handlers.slack.rules import Rules
from handlers.slack.sign import Sign
from handlers.slack.text import people_in, without_people
from handlers.turn_lanes import TurnLanes
from handlers.wording_actions import actions
from memory.errors import HelpdeskError, StoreUnavailable
from memory.mailbox import Mailbox
from memory.model import Conversation, Turn, turn_id

log = structlog.get_logger()

#: Messages that were not taken, and that are known when Slack tells them again: nothing else keeps them.
_REFUSED = 1000
#: Messages that one look for what is still owed takes up.
_OWED = 100


class Door:
    """One Slack app's events, for all workspaces in which it is installed."""

    def __init__(
        self,
        *,
        desk: Desk,
        changes: Changes,
        mailbox: Mailbox,
        lanes: Lanes,
        signs: Lanes,
        rules: Rules,
        directory: Directory,
        intake: Intake,
        installations: Installations,
    ) -> None:
        self._desk = desk
        self._changes = changes
        self._mailbox = mailbox
        self._lanes = lanes
        self._signs = signs
        self._rules = rules
        self._directory = directory
        self._intake = intake
        self._installations = installations
        self._loops = QUIET
        self._turns = TurnLanes(lanes)
        self._not_taken: deque[str] = deque(maxlen=_REFUSED)
        self._hearing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def hear(self, body: Mapping[str, Any], here: Installation) -> Inbound:
        """Take in one event: durable when this returns. What it was, for whoever acts on the rest.

        Raises StoreUnavailable where the memory cannot take it; Slack then tells it again.
        """
        if (channel := channel_told(body)) is not None:
            self._directory.told(channel)
        told = read_event(body, me=here.me)
        match told:
            case Said():
                await self._said(told, here)
            case Edited():
                await self._edited(told, here)
            case Deleted():
                await self._changes.deleted(filed(told.conversation), told.message)
            case Uninstalled():
                await self._uninstalled(told, here)
            case _:
                log.debug("slack_event", kind=type(told).__name__)
        return told

    async def resume(self) -> int:
        """Take up what is still owed a reply: of a process that died, or that Slack would not take. How many."""
        owed = [turn for turn in await self._desk.waiting(PLATFORM, _OWED) if not self._turns.holds(turn.id)]
        for turn in owed:
            here = await self._installations.of(turn.conversation.workspace)
            if here is None:
                # The app was removed: there is nobody left to answer, and others wait behind.
                log.warning("slack_reply_moot", turn=turn.id)
                await self._mailbox.replied(turn.id)
            else:
                self._turns.put(turn, partial(self._bring, turn, here, None, resumed=True))
        return len(owed)

    # --- in -----------------------------------------------------------------------------------------------------------

    async def _said(self, said: Said, here: Installation) -> None:
        conversation = filed(said.conversation)
        # One message of a thread after the other: whether a reply is for the bot depends on the one before it, which
        # may not be on the disk yet. A mention is told twice in the same breath; the second is then no news.
        alone = self._hearing.setdefault(conversation.id, asyncio.Lock())
        async with alone:
            await self._heard(said, conversation, here)

    async def _heard(self, said: Said, conversation: Conversation, here: Installation) -> None:
        engaged = said.threaded and await self._mailbox.engaged(conversation.id)
        policy = self._rules.policy(said.conversation.channel)
        decision = decide(said, policy, engaged=engaged, loops=self._loops)
        log.info("slack_message", decision=decision.kind.value, reason=decision.reason.value)
        if decision.kind is Kind.REMEMBER:
            await self._desk.overhear(await self._intake.message(said, here))
            await self._changes.caught_up(conversation, said.message)
        elif decision.kind is Kind.ANSWER:
            turn = turn_id(conversation, said.message)
            if not self._turns.holds(turn) and turn not in self._not_taken:
                await self._receive(said, here)

    async def _receive(self, said: Said, here: Installation) -> None:
        """Keep what is to be answered, show that it was seen, and have it answered in its turn."""
        if said.bot:
            self._loops = self._loops.after(said.conversation, said.said_at)
        received = await self._desk.receive(await self._intake.message(said, here))
        if isinstance(received, Turn):
            newer = await self._changes.caught_up(received.conversation, received.message)
            received = replace(received, text=newer) if newer else received
            sign = Sign(self._errand(received, here))
            if not self._turns.holds(received.id):
                self._turns.put(received, partial(self._bring, received, here, sign, files=said.files))
                self._signs.put(received.id, sign.early)
        elif received is not None:
            conversation = filed(said.conversation)
            self._not_taken.append(turn_id(conversation, said.message))
            self._lanes.put(conversation.id, partial(self._refused, received, said, here))

    async def _edited(self, edited: Edited, here: Installation) -> None:
        workspace = edited.conversation.workspace
        policy = self._rules.policy(edited.conversation.channel)
        if decide(edited, policy, engaged=False).kind is not Kind.REMEMBER:
            return
        names = await self._directory.names(here.client, workspace, people_in(edited.text))
        text = without_people(edited.text, names)
        await self._changes.edited(filed(edited.conversation), edited.message, edited.author, text)

    async def _uninstalled(self, told: Uninstalled, here: Installation) -> None:
        """Told late, it may be about an installation that was followed by another one."""
        if told.at is not None and here.installed is not None and told.at < here.installed:
            log.info("slack_uninstalled_before", workspace=told.workspace)
            return
        await self._installations.drop(here)

    # --- out ----------------------------------------------------------------------------------------------------------

    async def _bring(
        self,
        turn: Turn,
        here: Installation,
        sign: Sign | None,
        *,
        files: Sequence[SlackFile] = (),
        resumed: bool = False,
    ) -> None:
        """The outer loop of a reply: what fails is logged, and owed still."""
        errand = self._errand(turn, here)
        live = Live(errand, unsure=resumed)
        try:
            manners = await self._manners(turn, here)
            sent = await parts_sent(errand) if resumed else frozenset[int]()
            unread = unread_of(turn) if resumed else await with_files(files, turn, here.client, self._changes)
            write = partial(self._written, turn, errand, manners, here, unread)
            await self._desk.handle(turn, outlet(errand, write, sent, live, sign), manners, live.watch)
        except SlackApiError as error:
            await self._refused_reply(turn, errand, here, error)
        except (HelpdeskError, SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_reply_owed", turn=turn.id, error=type(error).__name__)

    async def _refused_reply(self, turn: Turn, errand: Errand, here: Installation, error: SlackApiError) -> None:
        """What Slack refuses (the channel is archived, the bot was removed) it will refuse again: the asker is told so
        in another way, and if Slack refuses that too nothing is owed."""
        try:
            if token_refused(error):
                await (self._installations.drop(here) if revoked(error) else self._installations.doubt(here))
            if token_refused(error) or passing(error) or not await told_instead(errand, error):
                log.warning("slack_reply_owed", turn=turn.id, error=code_of(error))
                return
            await self._mailbox.replied(turn.id)
        except StoreUnavailable as failure:
            log.warning("slack_reply_owed", turn=turn.id, error=type(failure).__name__)

    async def _manners(self, turn: Turn, here: Installation) -> Manners:
        channel = address_of(turn.conversation).channel
        room, person = await asyncio.gather(
            self._intake.room(channel, here), self._directory.person(here.client, here.workspace, turn.author)
        )
        return self._rules.manners(channel, room, guest=person.guest)

    def _errand(self, turn: Turn, here: Installation) -> Errand:
        """Made without asking Slack anything."""
        address = address_of(turn.conversation)
        rules = self._rules.of(address.channel)
        return Errand(
            client=here.client,
            address=address,
            message=turn.message,
            asker=turn.author,
            turn=turn.id,
            language=rules.language or self._desk.language(turn.text),
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
        unread: Sequence[str],
        reply: OutgoingReply,
    ) -> Sequence[SlackMessage]:
        cited = await self._desk.cited(turn, reply, manners)
        sources = [Source(label=one.text, link=one.link or _link(cited.get(one.turn), here)) for one in reply.sources]
        return await asyncio.to_thread(
            rendered,
            reply.body,
            sources=sources,
            notes=[*unread, *reply.notes],
            allowed_links=allowed_links(cited.values()),
            last=answer_end(turn.id, reply),
            cut_note=actions(reply.language).cut,
        )

    async def _refused(self, reply: OutgoingReply, said: Said, here: Installation) -> None:
        """Say why a message was not taken; nothing is owed."""
        errand = Errand(
            client=here.client,
            address=address_of(filed(said.conversation)),
            message=said.message,
            asker=said.author,
            turn=uuid4().hex,
            language=reply.language,
        )
        try:
            async with outlet(errand, _plain) as send:
                await send(reply)
        except (SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_refusal_unsent", error=type(error).__name__)


async def _plain(reply: OutgoingReply) -> Sequence[SlackMessage]:
    return rendered(reply.body)


def _link(turn: Turn | None, here: Installation) -> str | None:
    """The permalink of a turn that was said in this workspace."""
    if turn is None or turn.conversation.platform != PLATFORM or turn.conversation.workspace != here.workspace:
        return None
    return permalink(here.home, address_of(turn.conversation), turn.message)
