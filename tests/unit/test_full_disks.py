"""A full disk is named for what it is: the database's, or the index's."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.jobs import Job, Jobs
from bot.metrics import Metrics
from memory.errors import IndexDamaged, IndexFull, StoreUnavailable
from memory.remember.reports import Watcher
from memory.stores.in_memory_words import InMemoryLeases
from memory.stores.qdrant_edge_process import EdgeProcess
from memory.stores.sql_engine import remedy
from tests.fakes.turns import NOON


@pytest.mark.parametrize(
    ("name", "words"),
    [("SQLITE_FULL", "database or disk is full"), ("SQLITE_IOERR_SHMSIZE", "disk I/O error")],
)
def test_a_database_that_finds_no_space_says_so_when_it_writes_and_when_it_opens(name: str, words: str) -> None:
    error = sqlite3.OperationalError(words)
    error.sqlite_errorname = name
    assert (remedy(error) or "").startswith("The disk of the ticket database is full; make space")


@pytest.mark.parametrize(("space", "kind"), [(0, IndexDamaged), (sys.maxsize, IndexFull)])
async def test_what_fails_for_want_of_space_is_not_called_damage(
    tmp_path: Path, space: int, kind: type[Exception]
) -> None:
    (tmp_path / "index.json").write_text("[]")
    process = EdgeProcess(tmp_path, space=space)
    with pytest.raises(kind) as failed:
        await process.open()
    await process.aclose()
    assert type(failed.value) is kind


class StuckLeases(InMemoryLeases):
    """The disk is full by the time that a lease is let go."""

    async def release(self, name: str, holder: str) -> None:
        raise StoreUnavailable("The disk of the ticket database is full.")


async def test_a_lease_that_cannot_be_let_go_does_not_hide_what_became_of_the_job() -> None:
    async def fill(watcher: Watcher) -> Mapping[str, int]:
        raise IndexFull

    job = Job(name="flush", about="", work=fill, by_hand=fill, lease="flush", lease_seconds=60, every_seconds=None)
    jobs = Jobs([job], leases=StuckLeases(), holder="us", metrics=Metrics(), clock=lambda: NOON)
    with capture_logs() as logged, pytest.raises(IndexFull):
        await jobs.run("flush")
    assert "lease_not_released" in [entry["event"] for entry in logged]
