"""Exports of one Slack that overlap: a message that has its first reply only in the later one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC
from pathlib import Path

import pytest

from bot.importers.slack_export import read
from bot.importers.slack_threads import OneTurnEach, Places
from bot.telling import JsonObject, unheard
from bot.use_cases import perform
from memory.errors import StoreUnavailable
from memory.model import Turn, Viewer
from memory.stores.in_memory_index import InMemoryIndex
from tests.fakes.exports import said, slack_folder, stamp
from tests.fakes.remembering import HOUSES, Remembering, remembering

BEFORE = [said("U1", 0, "The VPN drops."), said("U2", 60, "Lunch at noon.")]
AFTER = [
    said("U1", 0, "The VPN drops.", thread_ts=stamp(0)),
    said("U2", 60, "Lunch at noon."),
    said("U2", 120, "Install the certificate again.", thread_ts=stamp(0)),
]


@pytest.fixture
def exports(tmp_path: Path) -> Callable[[str, Sequence[object]], Path]:
    """Writes an export of that name with these messages in one channel."""
    return lambda name, messages: slack_folder(tmp_path / name, {"general/2026-03-02.json": list(messages)})


@pytest.fixture(params=HOUSES)
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    (folder := tmp_path / "data").mkdir()
    async with remembering(request.param, folder, index=InMemoryIndex()) as opened:
        yield opened


async def take_in(memory: Remembering, path: Path) -> tuple[int, int, int]:
    """How many rows were new, repeated and revised."""
    done: JsonObject | None = await perform(memory.app, "import", {"path": str(path), "source": "acme"}, unheard)
    assert done is not None
    return done["new"], done["repeated"], done["revised"]


async def episodes(memory: Remembering) -> list[list[str]]:
    """The words of each episode."""
    found = await memory.app.store.writing.episodes_after(None, 10)
    return sorted([turn.text for turn in episode.turns] for episode in found)


THREAD = ["The VPN drops.", "Install the certificate again."]
WHOLE = [["Lunch at noon."], THREAD]


async def test_a_message_moves_into_its_thread_with_its_first_reply(
    memory: Remembering, exports: Callable[[str, Sequence[object]], Path]
) -> None:
    first, later = exports("first", BEFORE), exports("later", AFTER)
    assert await take_in(memory, first) == (2, 0, 0)
    assert await episodes(memory) == [["The VPN drops.", "Lunch at noon."]]
    assert await take_in(memory, later) == (1, 2, 0)
    assert await episodes(memory) == WHOLE
    assert await take_in(memory, later) == (0, 3, 0)
    assert await take_in(memory, first) == (0, 2, 0)
    assert await episodes(memory) == WHOLE


async def test_the_earlier_export_may_come_last(
    memory: Remembering, exports: Callable[[str, Sequence[object]], Path]
) -> None:
    assert await take_in(memory, exports("later", AFTER)) == (3, 0, 0)
    assert await take_in(memory, exports("first", BEFORE)) == (0, 2, 0)
    assert await episodes(memory) == WHOLE


async def test_a_message_that_moves_with_other_words_is_revised(
    memory: Remembering, exports: Callable[[str, Sequence[object]], Path]
) -> None:
    await take_in(memory, exports("first", BEFORE))
    edited = [said("U1", 0, "The VPN drops at 9.", thread_ts=stamp(0)), *AFTER[1:]]
    assert await take_in(memory, exports("later", edited)) == (1, 1, 1)
    assert await episodes(memory) == [["Lunch at noon."], ["The VPN drops at 9.", THREAD[1]]]


@pytest.mark.parametrize("again", [BEFORE, AFTER], ids=["first", "later"])
async def test_what_was_taken_in_twice_is_mended_by_either_export(
    memory: Remembering, exports: Callable[[str, Sequence[object]], Path], again: Sequence[object]
) -> None:
    for name, messages in (("first", BEFORE), ("later", AFTER)):
        rows = read(exports(name, messages), default_zone=UTC, now=memory.watch.now, source="acme")
        await memory.remember(*[row for row in rows if isinstance(row, Turn)])
    assert (await memory.stored())["turns"] == 4
    assert await take_in(memory, exports("again", again)) == (0, len(again), 0)
    assert await episodes(memory) == WHOLE


async def test_an_import_that_is_broken_off_before_a_message_left_its_old_place_is_completed_by_the_next(
    memory: Remembering, exports: Callable[[str, Sequence[object]], Path]
) -> None:
    async def broken_off(*turns: str) -> None:
        raise StoreUnavailable

    async def known(ids: Sequence[str]) -> list[Turn]:
        return await memory.app.store.reading.turns(ids, Viewer(user="", agent=True), memory.watch.now)

    await take_in(memory, exports("first", BEFORE))
    places: dict[str, Places] = {}
    record = OneTurnEach(memory.app.store.writing.record, places=places, known=known, withdraw=broken_off)
    now = memory.watch.now
    rows = read(exports("later", AFTER), default_zone=UTC, now=now, source="acme", places=places)
    with pytest.raises(StoreUnavailable):
        await record([row for row in rows if isinstance(row, Turn)])
    assert (await memory.stored())["turns"] == 4
    assert await take_in(memory, exports("later", AFTER)) == (0, 3, 0)
    assert await episodes(memory) == WHOLE
