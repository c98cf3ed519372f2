"""The door: what Slack tells, on its way to the desk and the memory; and answers, on their way back.

`hear` returns when what was told is safe on the disk, which is when Slack may be told that it arrived. All work that
takes longer waits in the conversation's lane.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import structlog

from handlers.acts.wishes import wish_in
from handlers.changes import Changes
from handlers.conversation import Desk
from handlers.decision import QUIET, Kind
from handlers.lanes import Lanes, Work
from handlers.rush import Rush
from handlers.slack.above import Above
from handlers.slack.acts.acting import Acts
from handlers.slack.address import filed
from handlers.slack.bringing import Bringing
from handlers.slack.census import Census
from handlers.slack.decision import decide
from handlers.slack.directory import Directory
from handlers.slack.inbound import channel_told, read_event
from handlers.slack.installations import Installation, Installations
from handlers.slack.intake import Intake
from handlers.slack.owed import Owed
from handlers.slack.records import PLATFORM, Deleted, Edited, Inbound, Invited, Said, SlackFile, Uninstalled
from handlers.slack.rules import Rules
from handlers.slack.sign import Sign
from handlers.slack.text import people_in, without_people
from handlers.tickets.support_end import SupportEnd
from handlers.turn_lanes import TurnLanes
from memory.mailbox import Mailbox
from memory.membership import Circle, Membership, Move
from memory.model import IMPORTED, Conversation, Turn, turn_id

log = structlog.get_logger()

#: Messages that one look for what is still owed takes up.
_OWED = 100


class Door:
    """One Slack app's events, for all workspaces in which it is installed."""

    def __init__(
        self,
        *,
        desk: Callable[[], Desk],
        changes: Changes,
        mailbox: Mailbox,
        membership: Membership,
        lanes: Lanes,
        turns: TurnLanes,
        signs: Lanes,
        rules: Rules,
        directory: Directory,
        intake: Intake,
        installations: Installations,
        bringing: Bringing,
        acts: Acts,
        rush: Rush,
        support: SupportEnd,
        owed: Owed,
        census: Census,
        above: Above,
        held: Callable[[Conversation], Awaitable[object]],
    ) -> None:
        self._desk = desk
        self._changes = changes
        self._mailbox = mailbox
        self._membership = membership
        self._lanes = lanes
        self._signs = signs
        self._rules = rules
        self._directory = directory
        self._intake = intake
        self._installations = installations
        self._bringing = bringing
        self._acts = acts
        self._rush = rush
        self._support = support
        self._held = held
        self._loops = QUIET
        self._turns = turns
        self._owed = owed
        self._census = census
        self._above = above
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
                await self._deleted(told)
            case Move():
                # What was imported from Slack goes by the same ids.
                await self._membership.note([told, replace(told, platform=IMPORTED)])
            case Invited():
                self._lanes.put(_lane(told), partial(self._looked, told))
            case Uninstalled():
                await self._uninstalled(told, here)
            case _:
                log.debug("slack_event", kind=type(told).__name__)
        return told

    async def resume(self) -> int:
        """Take up what is still owed a reply: of a process that died, or that Slack would not take. How many."""
        owed = [turn for turn in await self._desk().waiting(PLATFORM, _OWED) if not self._turns.holds(turn.id)]
        for turn in owed:
            here = await self._installations.of(turn.conversation.workspace)
            if here is None:
                # The app was removed: there is nobody left to answer, and others wait behind.
                log.warning("slack_reply_moot", turn=turn.id)
                await self._mailbox.replied(turn.id)
            else:
                self._turns.put(turn, partial(self._brought, turn, here, resumed=True))
        await self._support.resume()
        return len(owed)

    async def _looked(self, invited: Invited) -> None:
        """Slack may take its time: no answer has to wait for that."""
        self._lanes.leave(_lane(invited))
        await self._census.look(Circle(workspace=invited.workspace, channel=invited.channel))

    # --- in -----------------------------------------------------------------------------------------------------------

    async def _said(self, said: Said, here: Installation) -> None:
        conversation = filed(said.conversation)
        # One message of a thread after the other: whether a reply is for the bot depends on the one before it, which
        # may not be on the disk yet. A mention is told twice in the same breath; the second is then no news.
        alone = self._hearing.setdefault(conversation.id, asyncio.Lock())
        with self._rush.one():
            async with alone:
                await self._heard(said, conversation, here)

    async def _heard(self, said: Said, conversation: Conversation, here: Installation) -> None:
        # Who calls the bot by name wants the bot.
        if not said.mentioned and await self._support.heard(said, partial(self._intake.message, said, here)):
            return
        # Who speaks to the bot alone, or calls it by name, is answered whatever came before.
        called = said.direct or said.mentioned
        engaged = said.threaded and not called and await self._engaged(conversation)
        policy = self._rules.policy(said.conversation.channel)
        decision = decide(said, policy, engaged=engaged, loops=self._loops)
        log.info("slack_message", decision=decision.kind.value, reason=decision.reason.value)
        if decision.kind is Kind.REMEMBER and engaged and await self._held(conversation):
            # A person answers there, to whom everything is worth telling.
            await self._receive(said, here)
        elif decision.kind is Kind.REMEMBER:
            await self._desk().overhear(await self._intake.message(said, here))
            await self._changes.caught_up(conversation, said.message)
        elif decision.kind is Kind.ANSWER:
            if self._turns.holds(turn_id(conversation, said.message)):
                return
            if await self._wishes(said, conversation):
                # Nobody's request, and not to be remembered.
                await self._acts.wished(said, here)
            else:
                await self._receive(said, here)

    async def _wishes(self, said: Said, conversation: Conversation) -> bool:
        """Whether somebody wants something of the bot itself. What is said to nobody by name in a thread that a person
        has taken over is for that person."""
        if said.bot or said.files or not wish_in(said.text):
            return False
        return said.direct or said.mentioned or not await self._held(conversation)

    async def _engaged(self, conversation: Conversation) -> bool:
        """Whether it is a talk that the bot is part of, or that a person has taken over."""
        return await self._mailbox.engaged(conversation.id) or bool(await self._held(conversation))

    async def _receive(self, said: Said, here: Installation) -> None:
        """Keep what is to be answered, show that it was seen, and have it answered in its turn."""
        if said.bot:
            self._loops = self._loops.after(said.conversation, said.said_at)
        received = await self._desk().receive(await self._intake.message(said, here))
        if isinstance(received, Turn):
            newer = await self._changes.caught_up(received.conversation, received.message)
            received = replace(received, text=newer) if newer else received
            if not self._turns.holds(received.id):
                sign = Sign(await self._bringing.errand(received, here))
                self._turns.put(received, partial(self._brought, received, here, sign, files=said.files))
                self._signs.put(received.id, partial(self._shown, sign.early()))
        elif received is not None and await self._acts.refused(said):
            self._lanes.put(filed(said.conversation).id, partial(self._bringing.refuse, received, said, here))

    async def _brought(
        self,
        turn: Turn,
        here: Installation,
        sign: Sign | None = None,
        *,
        files: Sequence[SlackFile] = (),
        resumed: bool = False,
    ) -> None:
        """Its reply, unless an earlier one of the thread is owed; then the next round brings both."""
        if await self._owed.before(turn):
            await self._bringing.take_files(turn, here, files)
            return
        await self._above.read(turn, here)
        settled = await self._bringing.bring(turn, here, sign, files=files, resumed=resumed)
        self._owed.note(turn, owed=not settled)

    async def _shown(self, early: Work) -> None:
        """A sign belongs to the taking in: answers wait for it."""
        with self._rush.one():
            await early()

    async def _edited(self, edited: Edited, here: Installation) -> None:
        workspace = edited.conversation.workspace
        policy = self._rules.policy(edited.conversation.channel)
        if decide(edited, policy, engaged=False).kind is not Kind.REMEMBER:
            return
        names = await self._directory.names(here.client, workspace, people_in(edited.text))
        text = without_people(edited.text, names)
        if not await self._support.edited(edited.conversation, edited.message, edited.author, text):
            await self._changes.edited(filed(edited.conversation), edited.message, edited.author, text)
        await self._support.resume()

    async def _deleted(self, deleted: Deleted) -> None:
        await self._changes.deleted(filed(deleted.conversation), deleted.message)
        await self._support.deleted(deleted.conversation, deleted.message)
        await self._support.resume()

    async def _uninstalled(self, told: Uninstalled, here: Installation) -> None:
        """Told late, it may be about an installation that was followed by another one."""
        if told.at is not None and here.installed is not None and told.at < here.installed:
            log.info("slack_uninstalled_before", workspace=told.workspace)
            return
        await self._installations.drop(here)


def _lane(invited: Invited) -> str:
    return f"members {invited.channel}"
