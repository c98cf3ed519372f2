"""Which whole episodes are read under a budget."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memory.answers import RoutedEpisode
from memory.model import Episode
from memory.recall.select import select
from memory.remember.segments import cut
from tests.fakes.turns import ticket_turns


def episode(name: str, tokens: int) -> Episode:
    made = cut(ticket_turns(1, thread=name), silence=timedelta(hours=1), max_tokens=4000)[0]
    return replace(made, tokens=tokens)


def names(sizes: dict[str, int], *, budget: int, most: int = 10) -> list[str]:
    episodes = [episode(name, size) for name, size in sizes.items()]
    routed = [RoutedEpisode(episode=e.id, ticket=e.name, score=1.0, pathways=("words",)) for e in episodes]
    return [e.name for e in select(routed, reversed(episodes), tokens=lambda one: one.tokens, budget=budget, most=most)]


def test_episodes_come_in_the_order_of_their_routes() -> None:
    assert names({"A": 10, "B": 10, "C": 10}, budget=100) == ["A", "B", "C"]


def test_one_that_does_not_fit_is_passed_over_for_a_smaller_one() -> None:
    assert names({"A": 50, "B": 60, "C": 50}, budget=100) == ["A", "C"]


def test_the_best_is_read_even_when_it_alone_is_over_the_budget() -> None:
    assert names({"A": 500, "B": 10}, budget=100) == ["A"]


def test_no_more_than_asked_are_read() -> None:
    assert names({"A": 1, "B": 1, "C": 1}, budget=100, most=2) == ["A", "B"]
