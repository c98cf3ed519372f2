"""A person's own, feedback and the vault in SQL: databases from before there were any, and several processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert

from memory.feedback import Feedback, Tally
from memory.model import Viewer
from memory.redaction import RedactedTurn
from memory.stores.sql import open_store
from memory.stores.sql_rows import row_of
from memory.stores.tables import turns
from tests.fakes import postgres
from tests.fakes.old_database import migrated_to
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

SATO = Viewer(user="sato")
LATER = NOON + timedelta(days=1)


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.db'}"
        return
    postgres.require()
    async with postgres.database() as address_of_new:
        yield address_of_new


async def test_what_was_recorded_before_is_a_persons_own_too(url: str) -> None:
    said = [turn(1, "VPN is down"), turn(2, author="mori", minutes=1)]
    rows = [
        {name: value for name, value in row_of(RedactedTurn(each), NOON).items() if name not in ("speaker", "room")}
        for each in said
    ]
    await migrated_to(url, "0003", [insert(turns).values(row) for row in rows])
    async with open_store(url, busy_seconds=5, clock=Watch()) as store:
        assert await store.personal.written(SATO, None, 10) == [said[0]]
        await store.feedback.give(Feedback(turn=said[0].id, author="sato", helpful=True, at=NOON))
        assert await store.feedback.tally(NOON) == Tally(helpful=1)
        await store.vault.keep({"bot/T1": b"sealed"}, NOON)
    async with open_store(url, busy_seconds=5, clock=Watch()) as store:
        assert await store.feedback.tally(NOON) == Tally(helpful=1)
        assert await store.vault.sealed("bot/T1") == b"sealed"


async def test_of_two_processes_that_take_one_gets_it(url: str) -> None:
    async with (
        open_store(url, busy_seconds=20, clock=Watch()) as one,
        open_store(url, busy_seconds=20, clock=Watch()) as other,
    ):
        for number in range(5):
            name = f"state/{number}"
            await one.vault.keep({name: b"sealed"}, NOON)
            taken = await asyncio.gather(*(store.vault.take(name) for store in (one, other) for _ in range(4)))
            assert sorted(each is None for each in taken) == [False] + [True] * 7
