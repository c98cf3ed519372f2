"""What an evaluation needs from the memory that it measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memory.model import Answer, Question, RankedTurn, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRefs:
    """Turns best first, and what people call them: `refs` maps each turn's id to its `Turn.ref`."""

    turns: tuple[RankedTurn, ...] = ()
    refs: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.refs[turn.turn_id] for turn in self.turns)


class Ranker(Protocol):
    """A memory under measurement."""

    async def load(self, turns: Sequence[Turn]) -> None:
        """Forget everything and hold exactly these turns, flushed and searchable when this returns."""
        ...

    async def rank(self, question: Question) -> RankedRefs:
        """The 50 best turns, best first; fewer only where the memory holds fewer. No model is asked."""
        ...

    async def answer(self, question: Question) -> Answer | None:
        """The whole read path; None when no model is configured."""
        ...
