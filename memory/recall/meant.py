"""The request that its asker means who speaks of one of their own: what they said in the time that they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from memory.answers import Evidence, RankedTurn
from memory.model import Episode
from memory.recall.evidence import SUPPORT, sure_evidence
from memory.recall.intent import Intent
from memory.recall.pathways import Channel
from memory.recall.ranking import Ranking

#: From this share of the best score on, something of one's own of that time is what is meant. What is about something
#: else than the question has little more than whose it is and when.
_LIKELY = 0.5
#: Support where the question does not say what it was about and something is there.
_POINTED_AT = 0.8
#: How much others' words are trusted beside it: too little to be quoted with it, enough for a master to look at.
_BESIDE = 0.9 * SUPPORT


def meant_first(ranking: Ranking, intent: Intent) -> Ranking:
    """The ranking with what is meant before all else. Words that only point at a request are like others by chance: it
    is told by whose it is and when alone, and where none is there nothing supports an answer."""
    if not intent.own:
        return ranking
    if intent.open:
        meant = frozenset(one.episode for one in ranking.turns if Channel.OWN in one.channels)
        return _supported(meant, ranking)
    if intent.topic:
        return _led_by(_meant(ranking.turns, _LIKELY), ranking)
    return _supported(_meant(_nearest(ranking.turns), 0.0), ranking)


def sure_of(ranking: Ranking, limit: int, episodes: Mapping[str, Episode]) -> list[Evidence]:
    """The best turns as evidence, at most `limit` with their neighbours. What is meant is trusted as the best is, and
    all of it supports an answer if anything does: what helped may have no word of the question."""
    best = ranking.turns[:limit]
    first = [one for one in best if one.episode in ranking.meant]
    others = [one for one in best if one.episode not in ranking.meant]
    beside = sure_evidence(others, episodes, ranking.support)
    least = min(SUPPORT, ranking.support)
    meant = sure_evidence(first, episodes, ranking.support)
    raised = [replace(one, confidence=max(one.confidence, least)) for one in meant]
    return [*raised, *set_apart(beside, ranking.meant)]


def set_apart(found: Iterable[Evidence], meant: Set[str]) -> list[Evidence]:
    """The evidence, of which what was said elsewhere is trusted less, if anything is meant."""
    if not meant:
        return list(found)
    return [one if one.episode in meant else replace(one, confidence=one.confidence * _BESIDE) for one in found]


def _meant(turns: Sequence[RankedTurn], likely: float) -> frozenset[str]:
    least = likely * max((one.score for one in turns), default=0.0)
    both = (one for one in turns if Channel.OWN in one.channels and Channel.PERIOD in one.channels)
    return frozenset(one.episode for one in both if one.score >= least)


def _nearest(turns: Sequence[RankedTurn]) -> list[RankedTurn]:
    """The asker's own that are nearest to the time that is named: what is a day off counts where nothing is nearer."""
    own = [one for one in turns if Channel.OWN in one.channels]
    nearest = max((one.channels.get(Channel.PERIOD, 0.0) for one in own), default=0.0)
    return [one for one in own if one.channels.get(Channel.PERIOD, 0.0) >= nearest]


def _supported(meant: frozenset[str], ranking: Ranking) -> Ranking:
    return replace(_led_by(meant, ranking), support=max(ranking.support, _POINTED_AT) if meant else 0.0)


def _led_by(meant: frozenset[str], ranking: Ranking) -> Ranking:
    turns = sorted(ranking.turns, key=lambda one: one.episode not in meant)
    episodes = sorted(ranking.episodes, key=lambda one: one.episode not in meant)
    return replace(ranking, turns=tuple(turns), episodes=tuple(episodes), meant=meant)
