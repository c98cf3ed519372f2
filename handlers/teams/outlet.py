"""Sending one reply into a conversation in Teams: signs of life until it comes, then its parts in order and once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import structlog

from handlers.messages import OutgoingReply
from handlers.ports import Send
from handlers.teams.errand import Errand
from handlers.teams.message import TeamsMessage
from handlers.teams.progress import Progress, Replies
from handlers.teams.recent import Recent
from handlers.teams.records import Place
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

#: Teams shows that somebody types for a few seconds.
_TYPING_SECONDS = 6.0
#: And nobody believes it for longer than this.
_MOST_TYPING = 100
_TYPING = {"type": "typing"}

Write = Callable[[OutgoingReply], Awaitable[Sequence[TeamsMessage]]]


class Outlets:
    """Makes the outlet of each reply. `answers` is where it is noted which message is the answer to which turn."""

    def __init__(self, replies: Replies, answers: Recent) -> None:
        self._replies = replies
        self._answers = answers

    @asynccontextmanager
    async def outlet(self, errand: Errand, turn: str, write: Write, progress: Progress) -> AsyncIterator[Send]:
        """Where the desk sends its reply, of which so much is there already. Sending raises as `Writes` does, and
        StoreUnavailable."""
        typing = asyncio.create_task(_type(errand), name="teams typing")
        try:

            async def send(reply: OutgoingReply) -> None:
                messages = await write(reply)
                # Before the first part: a sign that comes after it would stay.
                await _ended(typing)
                for part, message in enumerate(messages):
                    if part >= progress.sent:
                        posted = await self._post(errand, turn, message, part)
                        if reply.answer is not None and posted is not None:
                            await self._answers.note(errand.site, posted, turn)

            yield send
        finally:
            await _ended(typing)

    async def _post(self, errand: Errand, turn: str, message: TeamsMessage, part: int) -> str | None:
        """One part, noted before and after: in between nobody knows whether it is there."""
        await self._replies.note(turn, Progress(sent=part, unsure=True))
        try:
            posted = await errand.post(message.content)
        except DeliveryUnknown:
            raise
        except (PlatformRefused, PlatformUnavailable):
            await self._replies.note(turn, Progress(sent=part))
            raise
        await self._replies.note(turn, Progress(sent=part + 1))
        return posted


async def _type(errand: Errand) -> None:
    """A sign that fails must not cost the answer. Channels do not show it."""
    if errand.site.place is Place.CHANNEL:
        return
    for _ in range(_MOST_TYPING):
        try:
            await errand.post(_TYPING)
        except (PlatformRefused, PlatformUnavailable) as error:
            log.info("teams_typing_unsent", error=type(error).__name__)
            return
        await asyncio.sleep(_TYPING_SECONDS)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
