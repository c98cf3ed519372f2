"""Sending one reply into a conversation in Teams: its parts in order and once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import structlog

from handlers.messages import OutgoingReply
from handlers.ports import Send
from handlers.teams.errand import Errand
from handlers.teams.live import Live
from handlers.teams.message import TeamsMessage, in_plain_words
from handlers.teams.notebook import Notes
from handlers.teams.progress import Progress, Replies
from handlers.teams.recent import Recent
from memory.answers import Answer, AnswerKind
from memory.errors import DeliveryUnknown, MessageRefused, PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

#: Of an answer it is noted whether a model wrote it, or it is in the words of others.
AUTHOR, BY_MODEL, BY_OTHERS = "author", "model", "others"

Write = Callable[[OutgoingReply], Awaitable[Sequence[TeamsMessage]]]
Post = Callable[[Mapping[str, object]], Awaitable[str | None]]


class Outlets:
    """Makes the outlet of each reply. `answers` is where it is noted which message is the answer to which turn."""

    def __init__(self, replies: Replies, answers: Recent) -> None:
        self._replies = replies
        self._answers = answers

    @asynccontextmanager
    async def outlet(
        self, errand: Errand, turn: str, write: Write, progress: Progress, live: Live
    ) -> AsyncIterator[Send]:
        """Where the desk sends its reply, of which so much is there already; `live` shows that it is worked on, and
        becomes the first part. Sending raises as `Writes` does, and StoreUnavailable."""
        live.begin()
        try:

            async def send(reply: OutgoingReply) -> None:
                messages = await self._written(turn, write(reply), progress)
                posted = None
                for part, message in enumerate(messages[progress.sent :], start=progress.sent):
                    if part == progress.sent:
                        posted = await self._posted(live.become, message, turn, part)
                    else:
                        await self._replies.note(turn, Progress(sent=part, unsure=True))
                        posted = await self._posted(errand.post, message, turn, part)
                about = self._about(errand, turn, reply.answer, posted) if reply.answer and posted else {}
                await self._replies.note(turn, Progress(sent=len(messages)), along=about)
                if about:
                    await self._answers.make_room(errand.site)

            yield send
        finally:
            await live.stand_still()

    def _about(self, errand: Errand, turn: str, answer: Answer, posted: str) -> Notes:
        """Also who wrote it: whoever changes the message later knows nothing else of it."""
        author = BY_MODEL if answer.kind is AnswerKind.WRITTEN else BY_OTHERS
        return self._answers.entry(errand.site, posted, turn, **{AUTHOR: author})

    async def _written(
        self, turn: str, writing: Awaitable[Sequence[TeamsMessage]], progress: Progress
    ) -> Sequence[TeamsMessage]:
        """The messages. That the first of them is on its way is noted meanwhile: nobody waits for the disk alone, which
        is asked first, as it takes longest."""
        begun = self._replies.note(turn, Progress(sent=progress.sent, unsure=True))
        noted, messages = await asyncio.gather(begun, writing, return_exceptions=True)
        if isinstance(noted, BaseException):
            raise noted
        if isinstance(messages, BaseException):
            await self._replies.note(turn, progress)
            raise messages
        return messages

    async def _posted(self, post: Post, message: TeamsMessage, turn: str, part: int) -> str | None:
        """One part, of which it is noted that it may be there; where it certainly is not, that is noted."""
        try:
            return await taken(post, message, turn)
        except DeliveryUnknown:
            raise
        except (PlatformRefused, PlatformUnavailable):
            await self._replies.note(turn, Progress(sent=part))
            raise


async def taken(post: Post, message: TeamsMessage, turn: str) -> str | None:
    """Post it; where Teams does not take the card, once more as words alone."""
    try:
        return await post(message.content)
    except MessageRefused:
        if "attachments" not in message.content:
            raise
        log.warning("teams_card_refused", turn=turn)
        return await post(in_plain_words(message).content)
