"""A walk along edges from the first hits."""

from __future__ import annotations

import math

import pytest

from memory.recall.graph import Edges, neighbouring, shared, walk
from memory.recall.rerank import Place


def edges(*links: tuple[int, int], weight: float = 1.0, kind: str = "test") -> Edges:
    both = [(one, other, 1.0) for one, other in links] + [(other, one, 1.0) for one, other in links]
    return Edges(kind=kind, weight=weight, links=both)


def test_only_what_few_turns_name_connects_them_and_the_rarer_the_stronger() -> None:
    """Of thirty turns all say 1, three say 2, two say 3, one says 4."""
    names = [{"1"} for _ in range(30)]
    for node in (0, 1, 2):
        names[node].add("2")
    for node in (5, 6):
        names[node].add("3")
    names[9].add("4")
    links = {(one, other): strength for one, other, strength in shared(names, 1.0).links}
    assert set(links) == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1), (5, 6), (6, 5)}
    assert links[0, 1] == pytest.approx(math.log(10) ** 2 / 2)
    assert links[5, 6] == pytest.approx(math.log(15) ** 2)


def test_neighbours_are_those_of_the_same_episode_up_to_two_steps_away() -> None:
    places = [Place("a", 0), Place("a", 1), Place("a", 3), Place("b", 1)]
    links = {(one, other): strength for one, other, strength in neighbouring(places, 1.0).links}
    assert set(links) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert links[0, 1] == pytest.approx(math.exp(-0.5))
    assert links[1, 2] == pytest.approx(math.exp(-1))


def test_a_walk_comes_by_what_is_connected_to_its_start_and_by_nothing_else() -> None:
    values = walk([1.0, 0.0, 0.0, 0.0], [edges((0, 1), (1, 2))])
    assert values[1] == 1.0
    assert 0 < values[2] < values[0] < 1
    assert values[3] == 0


def test_what_flows_in_is_worked_out_by_hand() -> None:
    """Two nodes, one edge, restart .34 at the first: v0 = .34 + .66 v1, v1 = .66 v0, so v0 = .34 / (1 - .66 ** 2);
    what flows into the first is .66 v1."""
    v0 = 0.34 / (1 - 0.66**2)
    inward = 0.66 * 0.66 * v0
    assert walk([1.0, 0.0], [edges((0, 1))]) == pytest.approx([inward / (0.66 * v0), 1.0], abs=1e-3)


def test_better_hits_send_more_of_the_walk() -> None:
    values = walk([2.0, 1.0, 0.0, 0.0], [edges((0, 2), (1, 3))])
    assert values[2] == 1.0
    assert values[3] == pytest.approx(1 / 8, rel=1e-3)  # third power of the scores


def test_kinds_of_edges_share_a_step_by_their_weights() -> None:
    values = walk([1.0, 0.0, 0.0], [edges((0, 1), weight=0.6), edges((0, 2), weight=0.2)])
    assert values[2] / values[1] == pytest.approx(1 / 3, rel=1e-2)


@pytest.mark.parametrize(("scores", "links"), [([], ()), ([1.0, 1.0], ()), ([0.0, 0.0], ((0, 1),))])
def test_where_nothing_is_connected_nothing_is_found(scores: list[float], links: tuple[tuple[int, int], ...]) -> None:
    assert walk(scores, [edges(*links)]) == [0.0] * len(scores)
