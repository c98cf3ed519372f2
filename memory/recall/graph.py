"""The associative pathway: from the first hits along what connects turns, by personalised PageRank.

It walks over the best turns only, so that its cost does not grow with the memory. Each kind of edge is one `Edges`
record; whatever else connects turns becomes another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memory.recall.rerank import Place

#: Most turns in the walk.
MOST_NODES = 180
#: First hits, from which the walk starts; the better, the likelier, by this power of the score.
_SEEDS, _POWER = 10, 3.0
#: How often the walk goes back to where it started.
_RESTART = 0.34
_STEPS, _TOLERANCE = 20, 1e-6
#: What more than this share of the turns say connects nothing, and neither does what only one says.
_TOO_COMMON = 0.1
_NEIGHBOURS = 2

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """One kind of edge: `links` are (from, to, strength) between nodes by number, and `weight` is how much of a step
    goes this way at a node that has such edges."""

    kind: str
    weight: float
    links: Sequence[tuple[int, int, float]]


def shared(names: Sequence[Set[str]], weight: float) -> Edges:
    """Edges between turns that name the same rare things, stronger for what is rarer. `names` has a set a node."""
    having = Counter(name for named in names for name in named)
    holders: dict[str, list[int]] = {}
    for node, named in enumerate(names):
        for name in named:
            if 1 < having[name] <= max(2.0, _TOO_COMMON * len(names)):
                holders.setdefault(name, []).append(node)
    links = [
        (one, other, math.log(len(names) / len(nodes)) ** 2 / (len(nodes) - 1))
        for nodes in holders.values()
        for one in nodes
        for other in nodes
        if one != other
    ]
    return Edges(kind="entity", weight=weight, links=links)


def neighbouring(places: Sequence[Place], weight: float) -> Edges:
    """Edges between turns of one episode that stand close together, weaker with each step."""
    nodes: Mapping[Place, int] = {place: node for node, place in enumerate(places)}
    steps = [step for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1) if step]
    links = [
        (node, nodes[place.beside(step)], math.exp(-abs(step) / 2))
        for place, node in nodes.items()
        for step in steps
        if place.beside(step) in nodes
    ]
    return Edges(kind="turn", weight=weight, links=links)


def walk(scores: Sequence[float], sources: Iterable[Edges]) -> list[float]:
    """How much of a walk from the best nodes comes by each node, without what starts there: 1 for the most visited.

    `scores` has one for each node, best first. All 0 where nothing is connected.
    """
    steps = _steps(len(scores), sources)
    start = np.zeros(len(scores))
    start[:_SEEDS] = np.maximum(np.array(scores[:_SEEDS]), 0.0) ** _POWER
    if not start.any() or not steps.any():
        return [0.0] * len(scores)
    start /= start.sum()
    came = _converged(start, steps)
    return [float(value) for value in came / max(float(came.max()), _TOLERANCE)]


def _converged(start: Matrix, steps: Matrix) -> Matrix:
    """What flows in at each node once the walk has settled."""
    visits = start
    for _ in range(_STEPS):
        flown = (1 - _RESTART) * (visits @ steps)
        settled = float(np.abs(_RESTART * start + flown - visits).sum()) < _TOLERANCE
        visits = _RESTART * start + flown
        if settled:
            break
    return np.asarray(visits - _RESTART * start)


def _steps(size: int, sources: Iterable[Edges]) -> Matrix:
    """From each node to each, as shares of a step; the kinds of edges that a node lacks leave theirs to the others."""
    total = np.zeros((size, size))
    for source in sources:
        if not source.links:
            continue
        matrix = np.zeros((size, size))
        ones, others, strengths = zip(*source.links, strict=True)
        np.add.at(matrix, (np.array(ones), np.array(others)), np.array(strengths))
        total += source.weight * _rows_to_one(matrix)
    return _rows_to_one(total)


def _rows_to_one(matrix: Matrix) -> Matrix:
    sums = matrix.sum(axis=1, keepdims=True)
    shares: Matrix = np.divide(matrix, sums, out=np.zeros_like(matrix), where=sums > 0)
    return shares
