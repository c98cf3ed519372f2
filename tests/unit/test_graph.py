"""A walk along edges from the first hits."""

from __future__ import annotations

import math

import pytest

from config.recall import GraphSettings
from memory.facts import Telling
from memory.index_ports import Pointer
from memory.recall.graph import Edges, linked, neighbouring, shared, told_together, walk
from memory.recall.rerank import Place
from tests.fakes.facts import link
from tests.fakes.turns import NOON

SETTINGS = GraphSettings(restart=0.34)


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


def nodes(*names: str) -> list[Pointer]:
    """Turns by their names, each of which begins with that of its episode."""
    return [
        Pointer(
            episode=name[0],
            turn=name,
            position=int(name[1]),
            length=9,
            speaker="sato",
            requester="sato",
            language="en",
            said_at=NOON,
        )
        for name in names
    ]


def told(event: str, *turns: str) -> list[Telling]:
    return [Telling(event=event, turn=name, episode=name[0]) for name in turns]


def strengths(found: Edges) -> dict[tuple[int, int], float]:
    links = {(one, other): strength for one, other, strength in found.links}
    assert len(links) == len(found.links)
    return links


def test_an_event_connects_an_episode_with_what_others_tell_of_it() -> None:
    """A tells it in its first turn; its second one leads to B all the same, but B leads to the first one only."""
    found = told_together(nodes("A0", "A1", "B0", "C0"), told("E", "A0", "B0"), 0.3)
    assert strengths(found) == {(0, 2): 1.0, (1, 2): 1.0, (2, 0): 1.0}
    assert (found.kind, found.weight) == ("event", 0.3)


def test_the_more_turns_tell_an_event_the_less_it_connects_whether_in_the_walk_or_not() -> None:
    """1 / ((n - 1) * log2(n)): four turns a sixth, eight a twenty-first; what one episode alone tells
    connects nothing."""
    of_four = told_together(nodes("A0", "B0", "C0"), told("E", "A0", "B0", "C0", "D0"), 1.0)
    assert strengths(of_four) == pytest.approx(
        {(one, other): 1 / 6 for one in range(3) for other in range(3) if one != other}
    )
    of_eight = told_together(nodes("A0", "B0"), told("E", *(f"{name}0" for name in "ABCDEFGH")), 1.0)
    assert strengths(of_eight) == pytest.approx({(0, 1): 1 / 21, (1, 0): 1 / 21})
    assert told_together(nodes("A0", "A1"), told("E", "A0", "A1"), 1.0).links == []
    assert told_together(nodes("A0", "B0"), told("E", "A0"), 1.0).links == []


def test_a_link_is_followed_both_ways_and_shared_by_the_turns_of_the_episode_it_leads_to() -> None:
    found = linked(nodes("A0", "A1", "B0", "C0"), [link("A", "B", 0.8), link("A", "X", 0.9)], 0.3)
    assert strengths(found) == {(0, 2): 0.8, (1, 2): 0.8, (2, 0): 0.4, (2, 1): 0.4}
    assert (found.kind, found.weight) == ("link", 0.3)


def test_a_walk_over_an_event_and_a_link_is_worked_out_by_hand() -> None:
    """From A half of each step goes to B (event) and half to C (link), and from both all comes back: A is visited v =
    .34 + .66 (b + c) with b = c = .33 v; into A flows .66 * .66 v, into B and C .33 v each."""
    turns = nodes("A0", "B0", "C0")
    kinds = [told_together(turns, told("E", "A0", "B0"), 0.3), linked(turns, [link("A", "C", 0.5)], 0.3)]
    by_event_and_link = walk([1.0, 0.0, 0.0], kinds, SETTINGS)
    assert by_event_and_link == pytest.approx([1.0, 0.33 / 0.4356, 0.33 / 0.4356], abs=1e-3)


def test_in_a_large_event_a_step_goes_on_to_the_small_one() -> None:
    """From A a step goes to B, with which it shares an event of two, 21 times as likely as to each of the seven with
    which it shares one of eight."""
    turns = nodes("A0", "B0", *(f"{name}0" for name in "CDEFGHI"))
    events = [*told("E", "A0", "B0"), *told("F", "A0", *(f"{name}0" for name in "CDEFGHI"))]
    found = strengths(told_together(turns, events, 1.0))
    assert found[0, 1] / found[0, 2] == pytest.approx(21)
    values = walk([1.0, *[0.0] * 8], [told_together(turns, events, 1.0)], SETTINGS)
    assert values[1] > 2 * max(values[2:]) > 0


def test_a_walk_comes_by_what_is_connected_to_its_start_and_by_nothing_else() -> None:
    values = walk([1.0, 0.0, 0.0, 0.0], [edges((0, 1), (1, 2))], SETTINGS)
    assert values[1] == 1.0
    assert 0 < values[2] < values[0] < 1
    assert values[3] == 0


def test_what_flows_in_is_worked_out_by_hand() -> None:
    """Two nodes, one edge, restart .34 at the first: v0 = .34 + .66 v1, v1 = .66 v0, so v0 = .34 / (1 - .66 ** 2);
    what flows into the first is .66 v1."""
    v0 = 0.34 / (1 - 0.66**2)
    inward = 0.66 * 0.66 * v0
    assert walk([1.0, 0.0], [edges((0, 1))], SETTINGS) == pytest.approx([inward / (0.66 * v0), 1.0], abs=1e-3)


def test_better_hits_send_more_of_the_walk() -> None:
    values = walk([2.0, 1.0, 0.0, 0.0], [edges((0, 2), (1, 3))], SETTINGS)
    assert values[2] == 1.0
    assert values[3] == pytest.approx(1 / 8, rel=1e-3)  # third power of the scores


def test_kinds_of_edges_share_a_step_by_their_weights() -> None:
    values = walk([1.0, 0.0, 0.0], [edges((0, 1), weight=0.6), edges((0, 2), weight=0.2)], SETTINGS)
    assert values[2] / values[1] == pytest.approx(1 / 3, rel=1e-2)


@pytest.mark.parametrize(("scores", "links"), [([], ()), ([1.0, 1.0], ()), ([0.0, 0.0], ((0, 1),))])
def test_where_nothing_is_connected_nothing_is_found(scores: list[float], links: tuple[tuple[int, int], ...]) -> None:
    assert walk(scores, [edges(*links)], SETTINGS) == [0.0] * len(scores)
