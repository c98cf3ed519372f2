"""Which episodes a pathway admits, and how well the best of what was found supports any answer at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from memory.recall.intent import Intent
from memory.recall.pathways import PATHWAY_OF, Channel, Findings, Pathway
from memory.recall.rerank import BEST_TURNS, Scored

#: From this share of its pathway's best value on, an episode is admitted by that pathway: a rank within the question's
#: own results, not a fixed similarity.
_NEAR_THE_BEST = 0.6
#: Support is a line over the best score: 0.3 (evidence at all) at 0.3, 0.5 (worth quoting without a model) at 1.0.
_AT_ZERO, _BY_SCORE = 0.2, 0.3
#: What is known of a turn beside its words says nothing about whether it is on the question's subject.
_BESIDE_THE_SUBJECT = frozenset(
    {Channel.SPEAKER, Channel.PERIOD, Channel.OWN, Channel.ASKS, Channel.GRAPH, Channel.SPREAD, Channel.RESOLVED}
)
_OWN_THEN = frozenset({Channel.OWN, Channel.PERIOD})
#: Support when a code that was asked for stands nowhere: enough for a master to look at what is near, too little for
#: quotes that speak for themselves. BL-66 is not BL-61.
_CODE_UNKNOWN = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """An episode that was let in, with its best turn, its score as a whole and the pathways that let it in."""

    scored: Scored
    score: float
    pathways: tuple[Pathway, ...]


def admitted(doors: Mapping[str, Set[Pathway]], scored: Sequence[Scored]) -> list[Admission]:
    """Episodes that any pathway admits (see `doors_of`), best first."""
    by_episode: dict[str, list[Scored]] = {}
    for one in scored:
        by_episode.setdefault(one.pointer.episode, []).append(one)
    entries = [
        Admission(scored=turns[0], score=_episode_score(turns[:BEST_TURNS]), pathways=tuple(sorted(doors[episode])))
        for episode, turns in by_episode.items()
        if episode in doors
    ]
    return sorted(entries, key=lambda entry: (-entry.score, entry.scored.pointer.said_at))


def _episode_score(best: Sequence[Scored]) -> float:
    """The mean of its best turns, with its meaning as a whole counted once more."""
    whole = best[0].parts.get(Channel.MEANING_EPISODE, 0.0)
    return sum(one.score for one in best) / len(best) + whole


def doors_of(findings: Findings) -> dict[str, set[Pathway]]:
    """By episode, the pathways that admit it."""
    doors: dict[str, set[Pathway]] = {}
    for channel, found in findings.channels.items():
        best = max((one.value for one in found), default=0.0)
        for one in found:
            if one.value > 0 and one.value >= _NEAR_THE_BEST * best:
                doors.setdefault(one.pointer.episode, set()).add(PATHWAY_OF[channel])
    return doors


def support(scored: Sequence[Scored], intent: Intent) -> float:
    """0 to 1: how well the best turn fits the question. Which is the best and how well it fits is told by the shipped
    weights, so that another order does not change what the bot thinks it knows."""
    if not scored:
        return 0.0
    best = max(scored, key=lambda one: sum(one.shipped.values()))
    fit = min(1.0, _AT_ZERO + _BY_SCORE * _on_the_subject(best, intent))
    named = any(one.shipped.get(Channel.EXACT, 0.0) > 0 for one in scored)
    return min(fit, _CODE_UNKNOWN) if intent.codes and not named else fit


def _on_the_subject(scored: Scored, intent: Intent) -> float:
    """Who speaks of a request of their own in a period means just that: whose it is and when says what it is about."""
    meant = intent.own and scored.shipped.keys() >= _OWN_THEN
    beside = _BESIDE_THE_SUBJECT - _OWN_THEN if meant else _BESIDE_THE_SUBJECT
    return sum(part for channel, part in scored.shipped.items() if channel not in beside)
