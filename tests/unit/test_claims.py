"""Claims: whose a message is to answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from handlers.claims import LEASE_SECONDS, Claims
from memory.stores.in_memory_words import InMemoryStore

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def clock() -> datetime:
    return NOON


def later() -> datetime:
    return NOON + timedelta(seconds=LEASE_SECONDS)


async def test_a_message_is_one_callers_at_a_time_in_one_process_too() -> None:
    leases = InMemoryStore(clock=clock).leases
    claims = Claims(leases, clock, "here")
    async with claims.claimed("m1") as first, claims.claimed("m1") as second, claims.claimed("m2") as other:
        assert (first, second, other) == (True, False, True)
        async with Claims(leases, clock, "elsewhere").claimed("m1") as elsewhere:
            assert not elsewhere
    async with claims.claimed("m1") as again:
        assert again


async def test_a_process_knows_what_another_one_has_in_its_hands() -> None:
    leases = InMemoryStore(clock=clock).leases
    here, there = Claims(leases, clock, "here"), Claims(leases, clock, "there")
    async with there.claimed("m1"), here.claimed("m2"):
        assert (await here.elsewhere("m1"), await here.elsewhere("m2")) == (True, False)
        assert (await here.elsewhere("m3"), await there.elsewhere("m3")) == (False, False)
    assert not await here.elsewhere("m1")


async def test_what_a_process_had_claimed_when_it_died_is_free_at_once_to_the_one_that_takes_its_place() -> None:
    leases = InMemoryStore(clock=clock).leases
    died = Claims(leases, clock, "here").claimed("m1")
    assert await died.__aenter__()
    async with Claims(leases, clock, "elsewhere").claimed("m1") as elsewhere:
        assert not elsewhere
    async with Claims(leases, later, "elsewhere").claimed("m2") as unrelated:
        assert unrelated
    async with Claims(leases, clock, "here").claimed("m1") as next_one:
        assert next_one
    await died.__aexit__(None, None, None)


async def test_elsewhere_it_is_free_when_the_lease_has_run_out() -> None:
    leases = InMemoryStore(clock=clock).leases
    died = Claims(leases, clock, "here").claimed("m1")
    assert await died.__aenter__()
    async with Claims(leases, later, "elsewhere").claimed("m1") as elsewhere:
        assert elsewhere
    await died.__aexit__(None, None, None)
