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

#: Who gets the answer within this time need not see that somebody types.
_QUICK_SECONDS = 0.5
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
                messages = await self._written(turn, write(reply), progress)
                # Before the first part: a sign that comes after it would stay.
                await _ended(typing)
                posted = None
                for part, message in enumerate(messages[progress.sent :], start=progress.sent):
                    if part > progress.sent:
                        await self._replies.note(turn, Progress(sent=part, unsure=True))
                    posted = await self._post(errand, turn, message, part)
                about = self._answers.entry(errand.site, posted, turn) if reply.answer and posted else {}
                await self._replies.note(turn, Progress(sent=len(messages)), along=about)
                if about:
                    await self._answers.make_room(errand.site)

            yield send
        finally:
            await _ended(typing)

    async def _written(
        self, turn: str, writing: Awaitable[Sequence[TeamsMessage]], progress: Progress
    ) -> Sequence[TeamsMessage]:
        """The messages. That the first of them is on its way is noted meanwhile: nobody waits for the disk alone."""
        begun = self._replies.note(turn, Progress(sent=progress.sent, unsure=True))
        messages, noted = await asyncio.gather(writing, begun, return_exceptions=True)
        if isinstance(noted, BaseException):
            raise noted
        if isinstance(messages, BaseException):
            await self._replies.note(turn, progress)
            raise messages
        return messages

    async def _post(self, errand: Errand, turn: str, message: TeamsMessage, part: int) -> str | None:
        """One part, of which it is noted that it may be there; where it certainly is not, that is noted."""
        try:
            return await errand.post(message.content)
        except DeliveryUnknown:
            raise
        except (PlatformRefused, PlatformUnavailable):
            await self._replies.note(turn, Progress(sent=part))
            raise


async def _type(errand: Errand) -> None:
    """A sign that fails must not cost the answer. Channels do not show it."""
    if errand.site.place is Place.CHANNEL:
        return
    await asyncio.sleep(_QUICK_SECONDS)
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
