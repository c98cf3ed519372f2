"""The associative pathway: from the first hits along what connects turns, by personalised PageRank.

It walks over the best turns and over what events and links connect with them, some hundred in all, so that its cost
does not grow with the memory. Each kind of edge is one `Edges` record; whatever else connects turns becomes another.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from config.recall import GraphSettings
from memory.facts import Link, Telling
from memory.index_ports import Pointer
from memory.recall.rerank import Place

#: The better a first hit, the likelier the walk starts there: by this power of its score.
_POWER = 3.0
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


def told_together(nodes: Sequence[Pointer], told: Iterable[Telling], weight: float) -> Edges:
    """Edges from each turn of an episode to the turns of other episodes that tell the same event. The more turns tell
    it, the less it says of any two: one of two counts 1, one of four a sixth, one of eight a twenty-first."""
    numbers = {node.turn: number for number, node in enumerate(nodes)}
    here = _by_episode(nodes)
    links = []
    for telling in _by_event(told):
        strength = 1 / ((len(telling) - 1) * math.log2(len(telling))) if len(telling) > 1 else 0.0
        there = [(numbers[one.turn], one.episode) for one in telling if one.turn in numbers]
        for episode in {one.episode for one in telling}:
            others = [number for number, name in there if name != episode]
            links += [(one, other, strength) for one in here.get(episode, ()) for other in others]
    return Edges(kind="event", weight=weight, links=links)


def linked(nodes: Sequence[Pointer], notes: Iterable[Link], weight: float) -> Edges:
    """Edges between the turns of two episodes whose notes are linked, both ways; an episode's turns share the strength
    of the link."""
    here = _by_episode(nodes)
    links = [
        (one, other, link.strength / len(here[there]))
        for link in notes
        for start, there in ((link.episode, link.other), (link.other, link.episode))
        for one in here.get(start, ())
        for other in here.get(there, ())
    ]
    return Edges(kind="link", weight=weight, links=links)


def _by_episode(nodes: Sequence[Pointer]) -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = {}
    for number, node in enumerate(nodes):
        found.setdefault(node.episode, []).append(number)
    return found


def _by_event(told: Iterable[Telling]) -> Iterable[Sequence[Telling]]:
    found: dict[str, list[Telling]] = {}
    for one in told:
        found.setdefault(one.event, []).append(one)
    return found.values()


def walk(scores: Sequence[float], sources: Iterable[Edges], settings: GraphSettings) -> list[float]:
    """How much of a walk from the best nodes comes by each node, without what starts there: 1 for the most visited.

    `scores` has one for each node, best first. All 0 where nothing is connected.
    """
    steps = _steps(len(scores), sources)
    start = np.zeros(len(scores))
    start[: settings.seeds] = np.maximum(np.array(scores[: settings.seeds]), 0.0) ** _POWER
    if not start.any() or not steps.any():
        return [0.0] * len(scores)
    start /= start.sum()
    came = _converged(start, steps, settings.restart)
    return [float(value) for value in came / max(float(came.max()), _TOLERANCE)]


def _converged(start: Matrix, steps: Matrix, restart: float) -> Matrix:
    """What flows in at each node once the walk has settled."""
    visits = start
    for _ in range(_STEPS):
        flown = (1 - restart) * (visits @ steps)
        settled = float(np.abs(restart * start + flown - visits).sum()) < _TOLERANCE
        visits = restart * start + flown
        if settled:
            break
    return np.asarray(visits - restart * start)


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
