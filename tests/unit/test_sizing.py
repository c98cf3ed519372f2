"""The sizing, on cases whose results are known by hand or by queueing theory."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from bench.sizing import (
    SHARES,
    Company,
    Measured,
    arrivals,
    at_share,
    longest_queue,
    messages_by_hour,
    servers_for,
    size,
    waited,
)


def test_who_comes_first_is_served_first_and_the_others_wait() -> None:
    assert waited([0.0, 1.0, 2.0], [2.0, 2.0, 2.0], 1) == [0.0, 1.0, 2.0]
    assert waited([0.0, 1.0, 2.0], [2.0, 2.0, 2.0], 2) == [0.0, 0.0, 0.0]
    assert waited([0.0, 0.0, 0.0], [5.0, 1.0, 1.0], 2) == [0.0, 0.0, 1.0]


def test_the_longest_queue_is_of_those_who_wait_at_the_same_time() -> None:
    moments = [0.0, 1.0, 1.5, 9.0]
    assert longest_queue(moments, waited(moments, [4.0, 1.0, 1.0, 1.0], 1)) == 2
    assert longest_queue(moments, [0.0, 0.0, 0.0, 0.0]) == 0
    # One begins in the moment in which the next one comes.
    assert longest_queue([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]) == 1


def test_a_share_of_the_waits_is_counted_from_the_shortest() -> None:
    assert [at_share([4.0, 1.0, 3.0, 2.0], share) for share in (0.25, 0.5, 0.75, 1.0)] == [1.0, 2.0, 3.0, 4.0]
    assert at_share([], 0.99) == 0.0


@pytest.mark.parametrize(("servers", "rate", "wait"), [(1, 0.5, 1.0), (2, 1.5, 9 / 7), (3, 2.0, 4 / 9)])
def test_waits_are_those_of_the_theory(servers: int, rate: float, wait: float) -> None:
    """Erlang's formula, with a service of one second on average: for one server, two and three."""
    drawn = random.Random(3)
    moments = arrivals(drawn, rate, 200_000 / rate)
    waits = waited(moments, [drawn.expovariate(1.0) for _ in moments], servers)
    assert mean(waits) == pytest.approx(wait, rel=0.05)


def test_as_many_come_as_the_rate_says_and_the_same_with_the_same_seed() -> None:
    first, again = (arrivals(random.Random(5), 2.0, 10_000) for _ in range(2))
    assert first == again == sorted(first)
    assert len(first) == pytest.approx(20_000, rel=0.03)


def test_the_fewest_servers_are_found_that_keep_the_promise() -> None:
    moments, services = [0.0] * 4, [1.0] * 4
    found = [servers_for(moments, services, Company(promise=1.0, wait_seconds=wait))[0] for wait in (0.0, 1.0, 3.0)]
    assert found == [4, 2, 1]
    with pytest.raises(ValueError, match="too few"):
        servers_for(moments, services, Company(promise=1.0, wait_seconds=-1.0))


def test_the_day_of_a_company_by_hand() -> None:
    company = Company(employees=1000, write_a_day=0.1, threads=1.0, messages_a_thread=2.0, worst_day=5.0)
    by_hour = messages_by_hour(company)
    assert (len(by_hour), max(by_hour)) == (11, 150.0)  # 1,000 messages, of which 15 % come from ten to eleven
    assert sum(SHARES) == pytest.approx(0.98)
    found = size(company, Measured(), seed=1)
    assert (found.messages_in_the_peak_hour, found.messages_a_second) == (150, 0.04)
    # 196 messages on a usual day's eleven hours, each with its answer, of 90 days.
    assert (found.turns_kept, found.keys) == (35_280, 141_120)
    assert (found.bots, found.connections) == (2, 10)


def test_slower_models_need_more_slots_and_more_employees_more_bots() -> None:
    usual = size(Company(), Measured(), seed=1)
    slower = size(Company(), Measured(model_seconds=16.0), seed=1)
    larger = size(Company(employees=1_000_000), Measured(), seed=1)
    assert usual.model_slots < slower.model_slots < larger.model_slots
    assert usual.bots < larger.bots
