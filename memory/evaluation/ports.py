"""What an evaluation needs from the memory that it measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memory.answers import Answer
from memory.model import Question, Turn
from memory.recall.ranking import Ranking


class Ranker(Protocol):
    """A memory under measurement."""

    async def load(self, turns: Sequence[Turn]) -> None:
        """Forget everything and hold exactly these turns, flushed and searchable when this returns."""
        ...

    async def rank(self, question: Question) -> Ranking:
        """The 50 best turns, fewer only where the memory holds fewer, and the episodes; best first, without a model."""
        ...

    async def answer(self, question: Question) -> Answer | None:
        """The whole read path; None when no model is configured."""
        ...
