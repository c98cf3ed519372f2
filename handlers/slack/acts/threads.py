"""Reading a whole thread into the memory, as it was said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from slack_sdk.errors import SlackApiError

from handlers.conversation import Desk
from handlers.ports import Soon
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.faults import code_of
from handlers.slack.installations import Installation
from handlers.slack.intake import Intake
from handlers.slack.thread import said_in
from handlers.wording_acts import ActWords

log = structlog.get_logger()

_SECONDS = 300.0
#: Pages of two hundred messages.
_MOST_PAGES = 5
_MOST = 1000
#: What Slack says of a channel that the bot may not read.
_CLOSED = frozenset({"channel_not_found", "not_in_channel", "missing_scope", "no_permission"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """How many messages of a thread are remembered, and whether there may be more of it."""

    messages: int
    cut: bool


class Threads:
    """Remembers threads that somebody points at. Repeats do no harm."""

    def __init__(self, *, desk: Callable[[], Desk], intake: Intake, asked: Asked, soon: Soon) -> None:
        self._desk = desk
        self._intake = intake
        self._asked = asked
        self._soon = soon

    async def pointed_at(self, scene: Scene) -> None:
        """Somebody called "remember this thread" on a message. Raises StoreUnavailable and SlackClientError."""
        channel, thread = scene.acted.channel, scene.acted.thread
        if not channel or not thread:
            said = scene.words.gone
        else:
            said = await self._came_of(scene, channel, thread)
        await tell(scene.acted, scene.here, message(paragraph(said)))

    async def _came_of(self, scene: Scene, channel: str, thread: str) -> str:
        try:
            if not await self._asked.lets_in(scene, channel):
                return scene.words.not_seen
            return _worded(await self.remember(scene.here, channel, thread), scene.words)
        except SlackApiError as error:
            if not is_closed(error):
                raise
            return scene.words.thread_closed

    async def remember(self, here: Installation, channel: str, thread: str) -> Read:
        """Keep what people said in this thread; whoever asks for it has been let in. Raises SlackClientError and
        StoreUnavailable; what was kept until then stays, and the next try finds it."""
        kept: dict[str, str] = {}
        seen = 0
        async with asyncio.timeout(_SECONDS):
            async for said in said_in(here, channel, thread, pages=_MOST_PAGES):
                seen += 1
                if said is None or said.bot is not None:
                    continue
                heard = await self._intake.message(said, here)
                if await self._desk().overhear(heard):
                    kept[said.message] = heard.conversation.id
        for conversation in dict.fromkeys(kept.values()):
            self._soon(conversation)
        log.info("slack_thread_remembered", messages=len(kept))
        return Read(messages=len(kept), cut=seen >= _MOST)


def is_closed(error: SlackApiError) -> bool:
    """Whether Slack says that the bot may not read there."""
    return code_of(error) in _CLOSED


def _worded(read: Read, words: ActWords) -> str:
    if not read.messages:
        return words.thread_empty
    said = words.thread_remembered.format(count=read.messages)
    return f"{said}\n{words.thread_cut.format(count=_MOST)}" if read.cut else said
