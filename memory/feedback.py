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
class Correction:
    """Somebody says that an answer was wrong: `turn` is the id of the message that says so, `about` that of the message
    that was answered, `sources` those of the turns on which the answer stood. `stated` is the id of the turn that says
    in one sentence what is right, None where there is none."""

    turn: str
    about: str
    author: str
    at: datetime
    sources: tuple[str, ...] = ()
    stated: str | None = None

    def __post_init__(self) -> None:
        require_aware(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many answers were called helpful, and how many not."""

    helpful: int = 0
    unhelpful: int = 0


class FeedbackBox(Protocol):
    """Keeps the last word of each person on each answer, and what people say is right instead. Raises
    StoreUnavailable."""

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

    async def helpful(self, limit: int) -> list[str]:
        """Up to `limit` messages whose answers somebody called helpful and nobody the opposite; the newest first, by
        what was said last."""
        ...

    async def correct(self, correction: Correction) -> None:
        """Keep it; the same message again replaces what was kept of it."""
        ...

    async def correction(self, turn: str) -> Correction | None:
        """What this message put right."""
        ...

    async def corrections(self, limit: int) -> list[Correction]:
        """Up to `limit` of them, the newest first."""
        ...

    async def forget(self, author: str) -> None:
        """Nothing that this person said of answers is kept any longer."""
        ...
