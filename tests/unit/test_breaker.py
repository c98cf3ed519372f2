"""The breaker leaves a failing model alone, then lets exactly one call try."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.breaker import Breaker
from memory.errors import ModelRefused, ModelReplyUnusable, ModelTimeout, ModelUnavailable


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(failures=3, seconds=30, now=clock)


def fail(breaker: Breaker, error: BaseException) -> None:
    with suppress(type(error)), breaker.guard():
        raise error


def succeed(breaker: Breaker) -> None:
    with breaker.guard():
        pass


def is_open(breaker: Breaker) -> bool:
    try:
        breaker.check()
    except ModelUnavailable:
        return True
    return False


def test_it_opens_at_the_limit_of_failures_in_a_row(breaker: Breaker) -> None:
    fail(breaker, ModelTimeout())
    fail(breaker, ModelUnavailable())
    assert not is_open(breaker)
    fail(breaker, ModelTimeout())
    assert is_open(breaker)
    with pytest.raises(ModelUnavailable, match="failed 3 times in a row"), breaker.guard():
        pytest.fail("nothing may run while the breaker is open")


def test_a_success_between_failures_starts_the_count_again(breaker: Breaker) -> None:
    for _ in range(4):
        fail(breaker, ModelTimeout())
        fail(breaker, ModelTimeout())
        succeed(breaker)
    assert not is_open(breaker)


@pytest.mark.parametrize("answer", [ModelRefused(), ModelReplyUnusable()])
def test_an_answer_of_any_kind_shows_that_the_model_is_there(breaker: Breaker, answer: ModelUnavailable) -> None:
    for error in (ModelTimeout(), ModelTimeout(), answer, ModelTimeout(), ModelTimeout(), answer):
        fail(breaker, error)
    assert not is_open(breaker)


def test_being_given_up_on_is_a_failure(breaker: Breaker) -> None:
    for _ in range(3):
        fail(breaker, asyncio.CancelledError())
    assert is_open(breaker)


def test_after_the_pause_one_call_tries_and_the_others_wait_for_its_outcome(breaker: Breaker, clock: Clock) -> None:
    for _ in range(3):
        fail(breaker, ModelTimeout())
    clock.seconds += 29.9
    assert is_open(breaker)
    clock.seconds += 0.2
    with breaker.guard():
        assert is_open(breaker)
    assert not is_open(breaker)


def test_a_failed_trial_closes_the_door_for_another_pause(breaker: Breaker, clock: Clock) -> None:
    for _ in range(3):
        fail(breaker, ModelTimeout())
    clock.seconds += 31
    fail(breaker, ModelTimeout())
    assert is_open(breaker)
    clock.seconds += 29
    assert is_open(breaker)
    clock.seconds += 2
    succeed(breaker)
    assert not is_open(breaker)


def test_a_call_from_before_does_not_end_the_trial(breaker: Breaker, clock: Clock) -> None:
    old = breaker.guard()
    old.__enter__()
    for _ in range(3):
        fail(breaker, ModelTimeout())
    clock.seconds += 31
    with breaker.guard():
        with suppress(ModelTimeout):
            old.__exit__(ModelTimeout, ModelTimeout(), None)
        clock.seconds += 60
        assert is_open(breaker)
