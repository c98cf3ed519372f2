"""The disk of a SQLite database is full in the midst of something: it is said, nothing acknowledged is lost, and with
space it goes on. The limit is SQLite's own, which it meets as it meets the disk's: in the write that needs a page more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.application import Application
from bot.wiring import assembled
from config.loader import load_settings
from handlers.terminal.parse import Typist
from memory.errors import StoreUnavailable
from memory.model import DIRECT, Turn, Viewer
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.sql import open_store
from memory.stores.sql_engine import Database, address, connect
from memory.stores.sql_schema import known_revisions, prepare, revision_of
from tests.fakes.old_database import migrated_to
from tests.fakes.turns import NOON, turn

_FULL = "The disk of the ticket database is full"


def clock() -> datetime:
    return NOON


@asynccontextmanager
async def full(database: Database, pages: int) -> AsyncIterator[None]:
    """While the context is open the file can grow by so many pages and no more."""
    async with database.reading() as connection:
        limit = (await connection.execute(text("PRAGMA page_count"))).scalar_one() + pages

    def bound(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA max_page_count = {limit}")
        cursor.close()

    await database.engine.dispose()
    event.listen(database.engine.sync_engine, "connect", bound)
    try:
        yield
    finally:
        event.remove(database.engine.sync_engine, "connect", bound)
        await database.engine.dispose()


@asynccontextmanager
async def application(folder: Path) -> AsyncIterator[tuple[Application, Database]]:
    async with open_store(f"sqlite:///{folder}/helpdesk.db", busy_seconds=5, clock=clock) as store:
        app = assembled(
            load_settings(None, {}),
            folder,
            clock,
            store=store,
            index=InMemoryIndex(),
            encoder=HashingEncoder(),
            models={},
        )
        yield app, store.database


async def test_a_message_that_finds_no_space_is_not_acknowledged_and_is_taken_when_there_is_some(
    tmp_path: Path,
) -> None:
    typist = Typist(user="sato", clock=clock, zone=UTC)
    before, long = typist.message("VPN is down"), typist.message("word " * 3_000)
    async with application(tmp_path) as (app, database):
        assert isinstance(await app.desk.receive(before), Turn)
        async with full(database, 0):
            with pytest.raises(StoreUnavailable, match=_FULL):
                await app.desk.receive(long)
            reply = await app.desk.reply(long)
            assert reply is not None
            assert "NOT kept" in reply.text
            assert await messages(app) == [before.message]
        assert isinstance(await app.desk.receive(long), Turn)
        assert await messages(app) == [before.message, long.message]


async def messages(app: Application) -> list[str]:
    place = Typist(user="sato", clock=clock, zone=UTC).message("").conversation.id
    found = await app.store.reading.recent(place, Viewer(user="sato", channel=DIRECT), NOON, 10)
    return [turn.message for turn in found]


@pytest.mark.parametrize("pages", [0, 4, 12])
async def test_a_flush_that_finds_no_space_fails_by_name_and_the_next_one_does_the_rest_once(
    tmp_path: Path, pages: int
) -> None:
    said = [turn(number, f"Printer {number} jams. " * 20, thread=f"INC-{number}") for number in range(1, 81)]
    async with application(tmp_path) as (app, database):
        await app.store.writing.record(said)
        async with full(database, pages):
            with pytest.raises(StoreUnavailable, match=_FULL):
                await app.jobs.run("flush")
            assert (await app.store.writing.counts())["turns"] == len(said)
        await app.jobs.run("flush")
        counts = await app.store.writing.counts()
        assert (counts["turns"], counts["pending"], counts["episodes"]) == (len(said), 0, len(said))


@pytest.mark.parametrize("pages", [0, 5, 20])
async def test_a_migration_that_finds_no_space_changes_nothing_and_is_done_when_there_is_some(
    tmp_path: Path, pages: int
) -> None:
    url = f"sqlite:///{tmp_path}/helpdesk.db"
    first, *_, last = known_revisions()
    await migrated_to(url, first, [text("INSERT INTO leases VALUES ('a', 'b', '2026-01-01 00:00:00.000000')")])
    database = connect(address(url), 5)
    async with full(database, pages):
        with pytest.raises(StoreUnavailable, match=_FULL):
            await prepare(database)
        assert await revision(database) == first
    await prepare(database)
    assert await revision(database) == last
    assert len(await database.rows(text("SELECT * FROM leases"))) == 1
    await database.close()


async def revision(database: Database) -> str | None:
    async with database.reading() as connection:
        return await connection.run_sync(revision_of)
