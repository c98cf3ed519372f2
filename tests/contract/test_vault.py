"""The port `Vault`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, opened

SEALED = bytes(range(256))


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def test_what_was_kept_comes_back_byte_for_byte(store: Store) -> None:
    await store.vault.keep({"bot/T1": SEALED}, NOON)
    await store.vault.keep({"bot/T2": b""}, NOON)
    assert await store.vault.sealed("bot/T1") == SEALED
    assert await store.vault.sealed("bot/T1") == SEALED
    assert await store.vault.sealed("bot/T2") == b""


async def test_there_is_nothing_under_a_name_that_nobody_used(store: Store) -> None:
    assert await store.vault.sealed("bot/T1") is None
    assert await store.vault.take("bot/T1") is None
    assert await store.vault.names("") == []


async def test_a_name_keeps_what_was_put_there_last(store: Store) -> None:
    await store.vault.keep({"bot/T1": b"old"}, NOON)
    await store.vault.keep({"bot/T1": b"new"}, NOON - timedelta(days=1))
    assert await store.vault.sealed("bot/T1") == b"new"
    assert await store.vault.names("") == ["bot/T1"]


async def test_several_are_kept_in_one_step_and_replace_what_was_there(store: Store) -> None:
    await store.vault.keep({"bot/T1": b"old"}, NOON)
    await store.vault.keep({"bot/T1": b"new", "bot/T2": SEALED}, NOON)
    assert await store.vault.sealed("bot/T1") == b"new"
    assert await store.vault.sealed("bot/T2") == SEALED
    assert await store.vault.names("") == ["bot/T1", "bot/T2"]


async def test_what_was_taken_is_gone(store: Store) -> None:
    await store.vault.keep({"state/1": SEALED}, NOON)
    await store.vault.keep({"state/2": b"other"}, NOON)
    assert await store.vault.take("state/1") == SEALED
    assert await store.vault.take("state/1") is None
    assert await store.vault.sealed("state/1") is None
    assert await store.vault.names("state/") == ["state/2"]


async def test_of_many_that_take_at_once_one_gets_it(store: Store) -> None:
    for number in range(5):
        await store.vault.keep({f"state/{number}": SEALED}, NOON)
        taken = await asyncio.gather(*(store.vault.take(f"state/{number}") for _ in range(10)))
        assert sorted(one is None for one in taken) == [False] + [True] * 9


async def test_what_was_dropped_is_gone_and_dropping_again_is_no_error(store: Store) -> None:
    await store.vault.keep({"bot/T1": SEALED}, NOON)
    await store.vault.drop("bot/T1")
    await store.vault.drop("bot/T1")
    assert await store.vault.sealed("bot/T1") is None


async def test_names_are_found_by_their_beginning_letter_for_letter(store: Store) -> None:
    names = ["bot/T2", "bot/T1", "Bot/T3", "bo%/T4", "b_t/T5", "ボット/T6", "other"]
    for name in names:
        await store.vault.keep({name: SEALED}, NOON)
    assert await store.vault.names("bot/") == ["bot/T1", "bot/T2"]
    assert await store.vault.names("b_t") == ["b_t/T5"]
    assert await store.vault.names("bo%") == ["bo%/T4"]
    assert await store.vault.names("%") == []
    assert await store.vault.names("ボット") == ["ボット/T6"]
    assert await store.vault.names("") == ["Bot/T3", "b_t/T5", "bo%/T4", "bot/T1", "bot/T2", "other", "ボット/T6"]


async def test_a_name_that_no_database_holds_is_one_name_all_the_same(store: Store) -> None:
    await store.vault.keep({"a\x00b": SEALED}, NOON)
    assert await store.vault.sealed("a\x00b") == SEALED
    assert await store.vault.names("a\x00") == ["a\ufffdb"]
    assert await store.vault.take("a\x00b") == SEALED
