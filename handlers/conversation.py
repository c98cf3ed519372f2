"""One message in, one reply out: record it, answer it, remember the answer as the bot's own words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from config.schema import AccessSettings, BotSettings
from handlers.messages import IncomingMessage, OutgoingReply
from memory.model import Answer, Question, Turn
from memory.ports import Clock, Recorded


class Answers(Protocol):
    """Answers a question from memory (`memory.recall.pipeline.Recall`)."""

    async def answer(self, question: Question) -> Answer: ...


class Recorder(Protocol):
    """The one narrow write that a handler may do. Durable when it returns; raises StoreUnavailable."""

    async def record(self, turns: Sequence[Turn]) -> Recorded: ...


class Desk:
    """The bot's conversation with one person at a time, the same on every platform."""

    def __init__(
        self, *, recall: Answers, recorder: Recorder, access: AccessSettings, bot: BotSettings, clock: Clock
    ) -> None: ...

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        """The reply to a message; None when the same message was handled before. Never raises an Exception."""
        raise NotImplementedError

    async def ask(
        self,
        question_text: str,
        *,
        user: str,
        channel: str,
        now: datetime,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Answer:
        """Answer one question and record nothing. Raises InputRefused, StoreUnavailable and its kin."""
        raise NotImplementedError
