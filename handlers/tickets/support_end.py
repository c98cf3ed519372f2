"""The support team's end of the lines of one platform: what agents write in the thread of a note goes to who asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Protocol

import structlog

from config.schema import Settings
from handlers.access import viewer_of
from handlers.changes import Changes
from handlers.conversation import Desk
from handlers.lanes import Lanes
from handlers.messages import IncomingMessage
from handlers.tickets.changes import support_message
from handlers.tickets.copies import Copies
from handlers.tickets.notes import Notes
from handlers.tickets.relay import Relay, stays_in_team
from memory.lines import Line, Side
from memory.model import DIRECT, Conversation, turn_id

log = structlog.get_logger()


class SaidThere(Protocol):
    """A message, as far as it matters here: the `Said` of each platform."""

    @property
    def conversation(self) -> Conversation: ...
    @property
    def author(self) -> str: ...
    @property
    def bot(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def said_at(self) -> datetime: ...
    @property
    def threaded(self) -> bool: ...


class SupportEnd:
    """Hears what is said, edited and taken back there. What was heard is durable when a method returns, and each raises
    StoreUnavailable."""

    def __init__(
        self,
        *,
        platform: str,
        channel: Callable[[], str | None],
        relay: Relay,
        copies: Copies,
        desk: Callable[[], Desk],
        changes: Changes,
        lanes: Lanes,
        settings: Callable[[], Settings],
        notes: Notes,
    ) -> None:
        """`channel` is the support team's, None where it has none."""
        self._platform = platform
        self._channel = channel
        self._relay = relay
        self._copies = copies
        self._desk = desk
        self._changes = changes
        self._lanes = lanes
        self._settings = settings
        self._notes = notes

    async def heard(self, said: SaidThere, message: Callable[[], Awaitable[IncomingMessage]]) -> bool:
        """Whether this is an agent's word about a ticket, which is passed on unless it is for the team alone. `message`
        makes a message for the desk of it."""
        if said.bot is not None or not said.threaded or not self._is_agent(said.author):
            return False
        line = await self._line(said.conversation)
        if line is None:
            return False
        if not stays_in_team(said.text):
            await self._pass_on(line, await message(), said.said_at.timestamp())
        return True

    async def _pass_on(self, line: Line, said: IncomingMessage, order: float) -> None:
        addressed = await self._relay.addressed(line, said)
        if addressed is None or not await self._desk().overhear(addressed):
            log.info("words_not_kept", ticket=line.ticket)
            self._lanes.put(line.conversation, partial(self._relay.not_kept, line, said))
            return
        place, name = addressed.conversation, addressed.message
        await self._changes.caught_up(place, name)
        await self._relay.owe(line, turn_id(place, name), Side.REQUESTER)
        self._lanes.put(line.conversation, partial(self._copies.catch_up, line), order)

    async def edited(self, place: Conversation, message: str, author: str, text: str) -> bool:
        """Whether this message was said there and passed on; its copy follows, and goes where it is for the team alone
        now."""
        end = await self._requester_end(place)
        if end is None:
            return False
        name = support_message(message)
        if stays_in_team(text):
            return await self._changes.deleted_if_known(end, name)
        return await self._changes.edited(end, name, author, text)

    async def deleted(self, place: Conversation, message: str) -> None:
        """Take back what was said there; any other message is left alone."""
        end = await self._requester_end(place)
        if end is not None:
            await self._changes.deleted(end, support_message(message))

    async def deleted_if_known(self, place: Conversation, message: str) -> None:
        """The same where it was passed on; what was not may still be said."""
        end = await self._requester_end(place)
        if end is not None:
            await self._changes.deleted_if_known(end, support_message(message))

    async def resume(self) -> None:
        """Take up what is still to be done on any line."""
        for line in await self._copies.waiting(self._platform):
            self._lanes.put(line.conversation, partial(self._copies.catch_up, line))
        for line in await self._relay.reminders(self._platform):
            self._lanes.put(line.conversation, partial(self._relay.remind, line))
        for line in await self._notes.stale(self._platform):
            self._lanes.put(line.conversation, partial(self._notes.follow, line))

    async def _requester_end(self, place: Conversation) -> Conversation | None:
        line = await self._line(place)
        return await self._relay.requester_end(line) if line else None

    async def _line(self, place: Conversation) -> Line | None:
        """Only the team's channel has any."""
        return await self._relay.at(place) if place.channel == self._channel() else None

    def _is_agent(self, user: str) -> bool:
        return viewer_of(user, DIRECT, self._settings().access).agent
