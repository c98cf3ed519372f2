"""What was said in a thread before the bot was called into it: read once, and kept as it was said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.conversation import Desk
from handlers.slack.address import Address, address_of
from handlers.slack.directory import Directory
from handlers.slack.faults import code_of
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.records import Said
from handlers.slack.rules import Rules
from handlers.slack.text import people_in
from handlers.slack.thread import said_in
from memory.errors import StoreUnavailable
from memory.mailbox import Mailbox
from memory.model import Turn

log = structlog.get_logger()

#: So long an answer may wait for it. Slack may let an app ask once in a minute: that is not waited for.
_SECONDS = 3.0
#: One call, but for threads of more than two hundred messages.
_MOST_PAGES = 3


class Above:
    """Reads threads into the memory. What of them is known already changes nothing."""

    def __init__(
        self, *, desk: Callable[[], Desk], mailbox: Mailbox, intake: Intake, directory: Directory, rules: Rules
    ) -> None:
        self._desk = desk
        self._mailbox = mailbox
        self._intake = intake
        self._directory = directory
        self._rules = rules

    async def read(self, turn: Turn, here: Installation) -> None:
        """Have the memory know what stands above this turn, if the turn calls the bot into a thread; the answer comes
        without where that fails. Never raises."""
        try:
            if await self._calls_into(turn):
                said = await self._said(address_of(turn.conversation), turn.message, here)
                log.info("slack_thread_read", messages=await self._kept(said, here))
        except StoreUnavailable as error:
            log.warning("slack_thread_unread", error=type(error).__name__)

    async def _calls_into(self, turn: Turn) -> bool:
        """Of a direct message the bot knows all from the start; what the support team says among itself stays there."""
        where = address_of(turn.conversation)
        if where.direct or where.thread == turn.message or where.channel == self._rules.handover_channel:
            return False
        return not await self._mailbox.engaged(turn.conversation.id, turn.said_at)

    async def _said(self, where: Address, before: str, here: Installation) -> Sequence[Said]:
        """As much as Slack tells in time."""
        said: list[Said] = []
        try:
            async with asyncio.timeout(_SECONDS):
                async for one in said_in(here, where.channel, where.thread, pages=_MOST_PAGES, before=before):
                    said += [one] if one is not None and one.message != before else []
        except SlackApiError as error:
            log.warning("slack_thread_unread", error=code_of(error))
        except (SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_thread_unread", error=type(error).__name__)
        return said

    async def _kept(self, said: Sequence[Said], here: Installation) -> int:
        """How many messages are remembered now. Other programs are kept as what they are."""
        people = {one.author for one in said}.union(*(people_in(one.text) for one in said))
        await self._directory.names(here.client, here.workspace, people)
        kept = 0
        for one in said:
            message = await self._intake.message(one, here)
            kept += await self._desk().overhear(replace(message, program=one.bot is not None))
        return kept
