"""The support team's end of the lines in Slack: what agents write in the thread of a note goes to who asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import structlog

from config.schema import Settings
from handlers.access import viewer_of
from handlers.changes import Changes
from handlers.conversation import Desk
from handlers.lanes import Lanes
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.records import PLATFORM, Deleted, Edited, Said
from handlers.slack.rules import Rules
from handlers.tickets.relay import Relay, stays_in_team, support_message
from memory.lines import Line, Side
from memory.model import DIRECT, Conversation, turn_id

log = structlog.get_logger()


class SupportEnd:
    """Hears what is said, edited and taken back there. What was heard is durable when a method returns, and each raises
    StoreUnavailable."""

    def __init__(
        self,
        *,
        relay: Relay,
        desk: Callable[[], Desk],
        changes: Changes,
        intake: Intake,
        rules: Rules,
        lanes: Lanes,
        settings: Callable[[], Settings],
    ) -> None:
        self._relay = relay
        self._desk = desk
        self._changes = changes
        self._intake = intake
        self._rules = rules
        self._lanes = lanes
        self._settings = settings

    async def heard(self, said: Said, here: Installation) -> bool:
        """Whether this is an agent's word about a ticket, which is passed on unless it is for the team alone. Who calls
        the bot by name wants the bot."""
        if said.bot is not None or said.mentioned or not said.threaded or not self._is_agent(said.author):
            return False
        line = await self._line(said.conversation)
        if line is None:
            return False
        if not stays_in_team(said.text):
            await self._pass_on(line, said, here)
        return True

    async def _pass_on(self, line: Line, said: Said, here: Installation) -> None:
        addressed = await self._relay.addressed(line, await self._intake.message(said, here))
        if addressed is None or not await self._desk().overhear(addressed):
            log.info("words_not_kept", ticket=line.ticket)
            return
        place, message = addressed.conversation, addressed.message
        await self._changes.caught_up(place, message)
        turn = turn_id(place, message)
        new = await self._relay.owe(line, turn, Side.REQUESTER)
        order = said.said_at.timestamp()
        self._lanes.put(line.conversation, partial(self._relay.catch_up, line, sure=turn if new else ""), order)

    async def edited(self, edited: Edited, text: str) -> bool:
        """Whether the message was said there; its copy follows, and goes where it is for the team alone now."""
        line = await self._line(edited.conversation)
        place = await self._relay.requester_end(line) if line else None
        if line is None or place is None:
            return False
        name = support_message(edited.message)
        if stays_in_team(text):
            await self._changes.deleted_if_known(place, name)
        else:
            await self._changes.edited(place, name, edited.author, text)
        return True

    async def deleted(self, deleted: Deleted) -> None:
        """Take back what was said there; any other message is left alone."""
        line = await self._line(deleted.conversation)
        place = await self._relay.requester_end(line) if line else None
        if place is not None:
            await self._changes.deleted(place, support_message(deleted.message))

    async def resume(self) -> None:
        """Take up what is still to be done on any line."""
        for line in await self._relay.waiting(PLATFORM):
            self._lanes.put(line.conversation, partial(self._relay.catch_up, line))
        for line in await self._relay.reminders(PLATFORM):
            self._lanes.put(line.conversation, partial(self._relay.remind, line))

    async def _line(self, place: Conversation) -> Line | None:
        """Only the team's channel has any."""
        return await self._relay.at(place) if place.channel == self._rules.handover_channel else None

    def _is_agent(self, user: str) -> bool:
        return viewer_of(user, DIRECT, self._settings().access).agent
