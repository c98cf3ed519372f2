"""`kill -9` between any two steps of a flush loses nothing and doubles nothing."""

from __future__ import annotations

import asyncio
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

from memory.model import DIRECT, KeyKind, Viewer
from memory.ports import Probe
from memory.text.sparse import question_terms
from tests.fakes.flush_process import flush, opened

#: More steps than a flush of two tickets takes: the loop ends at the first process that lives.
_MOST_STEPS = 80
_FAR = datetime(9999, 1, 1, tzinfo=UTC)


async def run_process(folder: Path, fatal: int) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.flush_process", str(folder), str(fatal)
    )
    async with asyncio.timeout(60):
        return await process.wait()


async def state(folder: Path) -> dict[str, object]:
    """Everything that a flush leaves behind, by name."""
    async with opened(folder) as (store, index):
        episodes = await store.writing.episodes_after(None, 100)
        notes = await store.writing.newest_notes([episode.id for episode in episodes])
        probe = Probe(kind=KeyKind.TURN, terms=question_terms("printer"))
        [hits] = await index.search([probe], Viewer(user="sato", channel=DIRECT), _FAR, 100)
        return {
            "counts": dict(await store.writing.counts()),
            "episodes": [(episode.id, episode.fingerprint) for episode in episodes],
            "notes": {name: (note.version, note.summary) for name, note in notes.items()},
            "keys": {kind: await index.count(kind) for kind in KeyKind},
            "found": sorted(hit.key for hit in hits),
        }


async def test_a_flush_killed_at_any_step_is_finished_by_the_next_one(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    await flush(whole, 0)
    expected = await state(whole)
    assert expected["keys"] == {KeyKind.TURN: 5, KeyKind.WINDOW: 5, KeyKind.WIDE: 5, KeyKind.SUMMARY: 2}

    deaths = 0
    for fatal in range(1, _MOST_STEPS):
        folder = tmp_path / str(fatal)
        folder.mkdir()
        if await run_process(folder, fatal) == 0:
            break
        deaths += 1
        await flush(folder, 0)
        assert await state(folder) == expected, f"died at step {fatal}"
    assert deaths >= 16


async def test_the_process_of_this_test_really_dies_by_signal(tmp_path: Path) -> None:
    assert await run_process(tmp_path, 1) == -signal.SIGKILL
