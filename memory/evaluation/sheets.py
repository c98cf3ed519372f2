"""What a ranking found for one question, as numbers: enough to put it into another order by other weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from memory.evaluation.dataset import Asked
from memory.evaluation.metrics import ndcg_at
from memory.recall.pathways import Channel
from memory.recall.ranking import Candidates
from memory.recall.rerank import BEST_TURNS, WEIGHED, Scored, Weights

#: How far down the right tickets count.
DEPTH = 10
#: Turns that are kept of a ranking; what stands further down comes to the top by no weight that is tried.
KEPT = 200
#: As many episodes and turns as a ranking hands on.
_EPISODES, _TURNS = 40, 50
_WHOLE = WEIGHED.index(Channel.MEANING_EPISODE)

Numbers: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One question with the turns that were found, best first.

    `values` has a row for each turn and a column for each channel of `WEIGHED`, without the weights; `episodes` says of
    each turn which one it is of. `tickets` and `admitted` are by episode. No words are in it but the question's.
    """

    asked: Asked
    values: Numbers
    episodes: tuple[int, ...]
    tickets: tuple[str, ...]
    admitted: tuple[bool, ...]


def sheet_of(asked: Asked, candidates: Candidates, tickets: Mapping[str, str], weights: Weights) -> Sheet:
    """`tickets` are the names of the episodes by id; turns of others are left out. `weights` are those by which it was
    ranked; a channel that has none there stays without."""
    scored = [one for one in candidates.scored if one.pointer.episode in tickets][:KEPT]
    names = list(dict.fromkeys(one.pointer.episode for one in scored))
    places = {name: place for place, name in enumerate(names)}
    return Sheet(
        asked=asked,
        values=np.array([_row(one, weights) for one in scored], dtype=np.float32).reshape(len(scored), len(WEIGHED)),
        episodes=tuple(places[one.pointer.episode] for one in scored),
        tickets=tuple(tickets[name] for name in names),
        admitted=tuple(name in candidates.doors for name in names),
    )


def _row(scored: Scored, weights: Weights) -> list[float]:
    """A channel whose weight is 0 has no column: nothing that is tried from there gives it one."""
    return [scored.parts.get(channel, 0.0) / weights[channel] if weights[channel] else 0.0 for channel in WEIGHED]


def vector(weights: Weights) -> Numbers:
    """The weights as a column of numbers, in the order of `WEIGHED`."""
    return np.array([weights[channel] for channel in WEIGHED], dtype=np.float32)


def found(sheet: Sheet, weights: Numbers) -> tuple[str, ...]:
    """The tickets in the order that these weights give: those of the best episodes, then those that only have a good
    turn. A signal that depends on the order itself stays as it was, so this is near to what a ranking would find, and
    no more."""
    scores = (sheet.values @ weights).tolist()
    order = sorted(range(len(scores)), key=lambda row: -scores[row])
    rows: dict[int, list[int]] = {}
    for row in order:
        rows.setdefault(sheet.episodes[row], []).append(row)
    whole = float(weights[_WHOLE])
    worth = {
        episode: _mean([scores[row] for row in best[:BEST_TURNS]]) + whole * float(sheet.values[best[0], _WHOLE])
        for episode, best in rows.items()
        if sheet.admitted[episode]
    }
    episodes = sorted(worth, key=lambda episode: -worth[episode])[:_EPISODES]
    behind = (sheet.episodes[row] for row in order[:_TURNS])
    return tuple(dict.fromkeys(sheet.tickets[episode] for episode in (*episodes, *behind)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def place(asked: Asked, tickets: Sequence[str]) -> float:
    """How far up the right tickets stand: 1 at the top, 0 where none is among the first ten."""
    return ndcg_at(asked.gold, tickets, DEPTH)
