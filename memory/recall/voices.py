"""The two voices of an answer, as ports: assistants that each read one episode, and the master that merges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memory.answers import Evidence
from memory.model import Episode, Question, TokenUse, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Consultation:
    """What the assistants found, in time order. `silent` counts assistants that failed or came too late."""

    evidence: tuple[Evidence, ...] = ()
    tokens: TokenUse = field(default_factory=TokenUse)
    silent: int = 0


class Assistants(Protocol):
    """Reads whole episodes in parallel, one voice each. Never raises for one voice: that voice is silent."""

    def tokens(self, episode: Episode) -> int:
        """About how many tokens it takes to have this episode read."""
        ...

    async def consult(self, question: Question, episodes: Sequence[Episode]) -> Consultation: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The master's word: `body` is None when the quotes are to speak for themselves. `cited` are indexes into the
    evidence it was given, in time order. `abstained` means that nothing supports an answer. `tokens` are what asking
    took, filled in by who asked: it also counts where no verdict came."""

    abstained: bool
    body: str | None = None
    cited: tuple[int, ...] = ()
    tokens: TokenUse = field(default_factory=TokenUse)


class Master(Protocol):
    """Merges evidence that is in time order into one cited answer. Raises ModelUnavailable and its kin."""

    async def answer(
        self, question: Question, language: str, recent: Sequence[Turn], evidence: Sequence[Evidence]
    ) -> Verdict: ...
