"""`kill -9` between any two steps of a flush loses nothing and doubles nothing."""

from __future__ import annotations

import asyncio
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.index_ports import Probe
from memory.model import DIRECT, KeyKind, Viewer
from memory.text.sparse import question_terms
from tests.fakes.flush_process import flush, opened, rebuild, run_process

#: Processes that live and die beside each other.
_AT_ONCE = 2
_FAR = datetime(9999, 1, 1, tzinfo=UTC)


async def state(folder: Path) -> dict[str, object]:
    """Everything that a flush leaves behind, by name."""
    async with opened(folder) as (store, index):
        episodes = await store.writing.episodes_after(None, 100)
        notes = await store.writing.newest_notes([episode.id for episode in episodes])
        probe = Probe(kind=KeyKind.TURN, terms=question_terms("printer"))
        [hits] = await index.search([probe], Viewer(user="sato", channel=DIRECT), _FAR, 100)
        return {
            "counts": dict(await store.writing.counts()),
            "rebuilt": await store.ledger.rebuilt(),
            "episodes": [(episode.id, episode.fingerprint) for episode in episodes],
            "facts": sorted(
                fact.id for fact in await store.fact_writing.facts_of([episode.id for episode in episodes])
            ),
            "notes": {name: (note.version, note.summary) for name, note in notes.items()},
            "keys": {kind: await index.count(kind) for kind in KeyKind},
            "found": sorted(hit.key for hit in hits),
        }


@pytest.mark.timeout(300)
async def test_a_flush_killed_at_any_step_is_finished_by_the_next_one(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    steps = await flush(whole, 0)
    expected = await state(whole)
    assert expected["keys"] == {
        KeyKind.TURN: 5,
        KeyKind.WINDOW: 5,
        KeyKind.WIDE: 5,
        KeyKind.SUMMARY: 2,
        KeyKind.STATEMENT: 0,
        KeyKind.FACT: 2,
    }

    beside = asyncio.Semaphore(_AT_ONCE)

    async def killed_and_finished(fatal: int) -> dict[str, object]:
        folder = tmp_path / str(fatal)
        folder.mkdir()
        async with beside:
            assert await run_process(flush, folder, fatal) == -signal.SIGKILL
            await flush(folder, 0)
            return await state(folder)

    # For each ticket store_episodes, remove, store_facts and store_note; put, mark_flushed …
    assert steps >= 10
    for finished in await asyncio.gather(*(killed_and_finished(fatal) for fatal in range(1, steps + 1))):
        assert finished == expected
    await _a_killed_rebuild_is_known_to_be_unfinished(whole, expected)


async def _a_killed_rebuild_is_known_to_be_unfinished(whole: Path, expected: dict[str, object]) -> None:
    """Right after the index was emptied, and in the middle."""
    for fatal in (2, 6):
        assert await run_process(rebuild, whole, fatal) == -signal.SIGKILL
        async with opened(whole) as (store, _):
            assert await store.ledger.rebuilt() == 0
        await flush(whole, 0)
        assert await state(whole) == expected
