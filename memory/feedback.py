"""The port of what people say about the bot's answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import require_aware


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """One person's word on the answer to a message; `turn` is the message's id, not the answer's."""

    turn: str
    author: str
    helpful: bool
    at: datetime

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many answers were called helpful, and how many not."""

    helpful: int = 0
    unhelpful: int = 0


class FeedbackBox(Protocol):
    """Keeps the last word of each person on each answer. Raises StoreUnavailable."""

    async def give(self, feedback: Feedback) -> None:
        """Keep it; it replaces an earlier word of the same person on the same answer, and a repeat changes nothing. A
        word that is older than the one that is kept changes nothing either."""
        ...

    async def tally(self, since: datetime) -> Tally:
        """What was said from `since` on, everybody's together."""
        ...

    async def unhelpful(self, since: datetime) -> frozenset[str]:
        """The messages whose answers somebody called not helpful, by what was said from `since` on."""
        ...

    async def forget(self, author: str) -> None:
        """Nothing that this person said of answers is kept any longer."""
        ...
