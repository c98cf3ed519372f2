"""The port `Leases`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.ports import LEAP, Leases
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Watch, opened


@pytest.fixture(params=BACKENDS)
async def leases(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Leases]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store.leases


async def test_a_free_lease_is_given_to_one_holder_only(leases: Leases) -> None:
    assert await leases.acquire("flush", "a", NOON, 60)
    assert not await leases.acquire("flush", "b", NOON, 60)


async def test_of_many_who_ask_at_once_one_wins(leases: Leases) -> None:
    won = await asyncio.gather(*(leases.acquire("flush", str(n), NOON, 60) for n in range(12)))
    assert won.count(True) == 1


async def test_leases_of_other_names_are_independent(leases: Leases) -> None:
    assert await leases.acquire("flush", "a", NOON, 60)
    assert await leases.acquire("retention", "b", NOON, 60)


async def test_a_holder_extends_its_own_lease(leases: Leases) -> None:
    await leases.acquire("flush", "a", NOON, 60)
    assert await leases.acquire("flush", "a", NOON + timedelta(seconds=50), 60)
    assert not await leases.acquire("flush", "b", NOON + timedelta(seconds=100), 60)


async def test_a_lease_is_taken_over_when_its_time_is_up_and_not_before(leases: Leases) -> None:
    await leases.acquire("flush", "a", NOON, 60)
    assert not await leases.acquire("flush", "b", NOON + timedelta(seconds=59, microseconds=999_999), 60)
    assert await leases.acquire("flush", "b", NOON + timedelta(seconds=60), 60)
    assert not await leases.acquire("flush", "a", NOON + timedelta(seconds=61), 60)


async def test_a_released_lease_is_free(leases: Leases) -> None:
    await leases.acquire("flush", "a", NOON, 60)
    await leases.release("flush", "a")
    assert await leases.acquire("flush", "b", NOON, 60)


async def test_nobody_releases_the_lease_of_another(leases: Leases) -> None:
    await leases.acquire("flush", "a", NOON, 60)
    await leases.release("flush", "b")
    await leases.release("unheard-of", "b")
    assert not await leases.acquire("flush", "b", NOON, 60)


async def test_a_lease_of_a_clock_that_was_far_ahead_is_taken_over_and_one_of_a_clock_that_differs_is_not(
    leases: Leases,
) -> None:
    await leases.acquire("flush", "a", NOON, 60)
    assert not await leases.acquire("flush", "b", NOON - LEAP, 60)
    assert await leases.acquire("flush", "b", NOON - LEAP - timedelta(microseconds=1), 60)
