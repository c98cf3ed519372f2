"""What the router hands on: the best turns and the episodes worth reading, each with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.answers import Degraded, RankedTurn, RoutedEpisode
from memory.model import Episode, Question
from memory.recall.moment import moment_of
from memory.recall.pathways import Pathway
from memory.recall.rerank import Scored

#: From this share of the best score on, a turn may be what is asked for, whatever was said of it later.
_NEARLY = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """All that was ranked, best first, with the parts of each score, and by episode the pathways that admit it: by
    other weights it can be put into another order without another search."""

    scored: Sequence[Scored] = ()
    doors: Mapping[str, Set[Pathway]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Turns and episodes, best first. `support` (0 to 1) says how well the best hits fit the question at all: near 0
    means that the memory has nothing on it. `degraded` names what was missing while searching. `read` are episodes that
    were read for the ranking, by id: whoever goes on with them need not read them again. `candidates` are all among
    which the best were chosen. `meant` are the ids of the episodes that the question speaks of as the asker's own."""

    turns: tuple[RankedTurn, ...] = ()
    episodes: tuple[RoutedEpisode, ...] = ()
    support: float = 0.0
    degraded: tuple[Degraded, ...] = field(default=())
    read: Mapping[str, Episode] = field(default_factory=dict)
    candidates: Candidates = field(default=Candidates())
    meant: Set[str] = frozenset()

    def said_by(self, moment: datetime) -> Ranking:
        """Of the turns whose episodes were read those that were said by then and fit nearly as well as the best of all,
        best first."""
        then = {turn.id for episode in self.read.values() for turn in episode.turns if turn.said_at <= moment}
        least = _NEARLY * max((turn.score for turn in self.turns), default=0.0)
        return replace(self, turns=tuple(turn for turn in self.turns if turn.turn_id in then and turn.score >= least))


def at_the_time(question: Question, ranking: Ranking) -> tuple[Ranking, ...]:
    """The ranking, and before it that of what had been said at a past moment that is asked about."""
    at = moment_of(question).at
    return (ranking,) if at >= question.now else (ranking.said_by(at), ranking)
