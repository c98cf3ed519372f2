"""`kill -9` at any statement: of a backup there is nothing under its name, and a restore has changed nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from memory.remember.reports import nobody
from memory.stores.archive import reading
from memory.stores.sql import open_store
from memory.stores.sql_backup import back_up
from memory.stores.sql_restore import Allowed, check, restore
from tests.fakes.flush_process import Steps, now, run_process
from tests.fakes.folders import copied
from tests.fakes.old_database import rows_in
from tests.fakes.turns import ticket_turns


@contextmanager
def dying(fatal: int) -> Iterator[Steps]:
    """Each statement, and each commit, is a step that has not been taken yet."""
    steps = Steps(fatal)

    def tick(*_: Any) -> None:
        steps.tick()

    for moment in ("before_cursor_execute", "commit"):
        event.listen(Engine, moment, tick)
    try:
        yield steps
    finally:
        for moment in ("before_cursor_execute", "commit"):
            event.remove(Engine, moment, tick)


def words(folder: Path) -> str:
    return f"sqlite:///{folder}/words.db"


async def backing_up(folder: Path, fatal: int) -> int:
    """The number of steps."""
    with dying(fatal) as steps:
        await back_up(words(folder), folder / "died.zip", busy_seconds=5, program="0.1.0", now=now(), watcher=nobody)
    return steps.taken


async def restoring(folder: Path, fatal: int) -> int:
    """The same."""
    with dying(fatal) as steps, reading(folder / "b.zip") as archive:
        await restore(words(folder), archive, busy_seconds=5, allowed=Allowed(replace=True), now=now(), watcher=nobody)
    return steps.taken


@pytest.fixture
async def filled(tmp_path: Path) -> Path:
    """A folder with a database, a backup of it, and something that was said later."""
    folder = tmp_path / "filled"
    folder.mkdir()
    async with open_store(words(folder), busy_seconds=5, clock=now) as store:
        await store.writing.record(ticket_turns(3, text="Before the backup"))
    await back_up(words(folder), folder / "b.zip", busy_seconds=5, program="0.1.0", now=now(), watcher=nobody)
    async with open_store(words(folder), busy_seconds=5, clock=now) as store:
        await store.writing.record(ticket_turns(4, thread="INC-2", text="After it"))
    return folder


def spread(steps: int, count: int) -> list[int]:
    """`count` of these steps, the first and the last among them."""
    return sorted({1 + (steps - 1) * place // (count - 1) for place in range(count)})


async def test_a_backup_that_was_killed_leaves_no_file_under_its_name(filled: Path, tmp_path: Path) -> None:
    steps = await backing_up(copied(filled, tmp_path / "whole"), 0)
    # A look at each table, and another one at each that has rows.
    assert steps > 60
    for fatal in spread(steps, 4):
        folder = copied(filled, tmp_path / str(fatal))
        assert await run_process(backing_up, folder, fatal) == -signal.SIGKILL
        # The last step comes when the file is whole.
        assert (folder / "died.zip").exists() == (fatal == steps)
        (folder / "died.zip").unlink(missing_ok=True)
        await backing_up(folder, 0)
        with reading(folder / "died.zip") as archive:
            check(archive, nobody)
            assert archive.manifest.rows_of("turns") == 7


async def test_a_restore_that_was_killed_has_changed_nothing_and_can_be_done_again(
    filled: Path, tmp_path: Path
) -> None:
    whole = copied(filled, tmp_path / "whole")
    steps = await restoring(whole, 0)
    before, after = await rows_in(words(filled)), await rows_in(words(whole))
    assert (len(before["turns"]), len(after["turns"])) == (7, 3)
    for fatal in spread(steps, 6):
        folder = copied(filled, tmp_path / str(fatal))
        assert await run_process(restoring, folder, fatal) == -signal.SIGKILL
        # The last step comes after the commit.
        left = after if fatal == steps else before
        assert (await rows_in(words(folder)))["turns"] == left["turns"]
        await restoring(folder, 0)
        assert (await rows_in(words(folder)))["turns"] == after["turns"]
