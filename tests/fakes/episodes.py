"""Episodes for tests, and the facts that the rules make of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory.facts import Fact
from memory.model import Episode, Turn
from memory.remember.extraction.facts import facts_of
from memory.remember.rules import RuleEnricher
from memory.scope import narrowest


def episode_of(turns: Sequence[Turn]) -> Episode:
    return Episode(
        id="episode-1",
        conversation=turns[0].conversation,
        ticket=turns[0].ticket,
        turns=tuple(turns),
        scope=narrowest(turns),
        tokens=100,
    )


async def facts_by_rule(turns: Sequence[Turn]) -> list[Fact]:
    """From messages to facts, without a model."""
    episode = episode_of(turns)
    return facts_of(episode, await RuleEnricher().enrich(episode))


def at(moment: str) -> datetime:
    return datetime.fromisoformat(moment)
