"""The index in a folder: what it survives, what it notices, and who may open it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from bot.renewable_index import RenewableIndex
from memory.errors import IndexDamaged, IndexInUse, IndexOutdated, IndexUnavailable
from memory.model import DIRECT, KeyKind, Scope, Visibility
from memory.stores.qdrant_edge import EdgeIndex, open_edge_index
from memory.stores.qdrant_edge_process import EdgeProcess
from memory.stores.qdrant_edge_state import LAYOUT
from memory.stores.qdrant_filters import KINDS
from tests.fakes.folders import copied
from tests.fakes.index_writer import BATCH
from tests.fakes.keys import ANYBODY, NOON, STAMP, key, key_id, later, near, saying

ROOT = Path(__file__).parents[2]
WRITTEN = 300


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed index with keys in it; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("edge") / "index"

    async def write() -> None:
        async with open_edge_index(folder) as index:
            await index.reset(STAMP)
            await index.put(
                [key(f"k{n}", dense=(1, n, 0), terms={7: 1.0, n + 100: 2.0}, episode=f"e{n}") for n in range(WRITTEN)]
            )

    asyncio.run(write())
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy of an index with keys."""
    return copied(written, tmp_path / "index")


async def test_reopening_keeps_everything(folder: Path) -> None:
    for _ in range(2):
        async with open_edge_index(folder) as index:
            assert await index.stamp() == STAMP
            assert await index.count(KeyKind.TURN) == WRITTEN
            [by_meaning, by_words] = await index.search([near(1, 5, 0), saying(105)], ANYBODY, NOON, 1)
            assert [hit.key for hit in (*by_meaning, *by_words)] == [key_id("k5")] * 2


async def test_the_best_are_those_of_the_whole_vectors_though_each_is_read_roughly(tmp_path: Path) -> None:
    drawn = np.random.default_rng(0)
    # Alike, as texts in the same language are to the built-in encoder.
    vectors = drawn.standard_normal(96) + drawn.standard_normal((1_000, 96)) * 0.4
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors[0]
    best = [int(place) for place in np.argsort(-cosines)[:20]]
    async with open_edge_index(tmp_path / "index") as index:
        await index.reset(replace(STAMP, size=96))
        await index.put([key(f"k{number}", dense=tuple(vectors[number])) for number in range(1_000)])
        [hits] = await index.search([near(*vectors[0])], ANYBODY, NOON, 20)
    assert [hit.key for hit in hits] == [key_id(f"k{number}") for number in best]
    assert [hit.score for hit in hits] == pytest.approx(cosines[best], abs=1e-3)


async def test_after_reopening_a_later_word_is_not_there_yet(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        await index.put([key("later", dense=(1, 0, 0), terms={1: 1.0}, said_at=later(9))])
    async with open_edge_index(folder) as index:
        assert await index.search([saying(1)], ANYBODY, later(8), 5) == [[]]
        [hits] = await index.search([saying(1)], ANYBODY, later(9), 5)
        assert len(hits) == 1


async def test_a_killed_process_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    command = [sys.executable, "-m", "tests.fakes.index_writer", str(folder)]
    writer = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert writer.stdout is not None
    for _ in range(12):
        await writer.stdout.readline()
    writer.kill()
    acknowledged = 12 + (await writer.stdout.read()).count(b"\n")
    await writer.wait()
    async with open_edge_index(folder) as index:
        [hits] = await index.search([saying(7)], ANYBODY, NOON, 100_000)
    found = {hit.key for hit in hits}
    assert {key_id(f"{batch}-{n}") for batch in range(acknowledged) for n in range(BATCH)} <= found
    assert len(found) % BATCH == 0  # no batch is there in part


async def test_an_engine_that_was_killed_is_started_again(folder: Path) -> None:
    process = EdgeProcess(folder)
    index = EdgeIndex(process, STAMP)
    try:
        await process.open()
        await index.put([key("new", terms={1: 1.0})])
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)
        asking = asyncio.create_task(index.count(KeyKind.TURN))
        await asyncio.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(IndexUnavailable):
            await asking
        assert await index.count(KeyKind.TURN) == WRITTEN + 1
    finally:
        await process.aclose()


async def test_an_opening_that_was_given_up_can_be_tried_again(folder: Path) -> None:
    process = EdgeProcess(folder)
    try:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.open(), 0.03)  # starting Python alone takes longer
        assert process.pid is None
        assert await EdgeIndex(process, STAMP).count(KeyKind.TURN) == WRITTEN
    finally:
        await process.aclose()


async def test_signals_for_the_bot_do_not_end_the_engine(folder: Path) -> None:
    process = EdgeProcess(folder)
    try:
        await process.open()
        assert process.pid is not None
        for wish in (signal.SIGINT, signal.SIGTERM):
            os.kill(process.pid, wish)
        assert await EdgeIndex(process, STAMP).count(KeyKind.TURN) == WRITTEN
    finally:
        await process.aclose()


async def test_a_folder_has_one_owner(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        with pytest.raises(IndexInUse):
            async with open_edge_index(folder):
                pass
        assert await index.count(KeyKind.TURN) == WRITTEN
    async with open_edge_index(folder) as index:
        assert await index.count(KeyKind.TURN) == WRITTEN


async def test_a_deleted_folder_is_a_new_index(folder: Path) -> None:
    shutil.rmtree(folder)
    async with open_edge_index(folder) as index:
        assert await index.stamp() is None
        assert await index.count(KeyKind.TURN) == 0


async def test_a_reset_that_was_cut_short_leaves_a_new_index(folder: Path) -> None:
    (folder / "index.json").unlink()
    async with open_edge_index(folder) as index:
        assert await index.stamp() is None
        assert await index.count(KeyKind.TURN) == 0
        await index.reset(STAMP)
        await index.put([key("a", dense=(1, 0, 0))])
    async with open_edge_index(folder) as index:
        assert await index.stamp() == STAMP
        assert await index.count(KeyKind.TURN) == 1


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garble(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def lose(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize(
    ("harm", "where"),
    [
        (cut, "index.json"),
        (garble, "index.json"),
        (lose, "shard"),
        (cut, "shard/turn/edge_config.json"),
        (lose, "shard/turn/segments"),
        (lose, "shard/turn/segments/*"),
        (cut, "shard/turn/segments/*/segment.json"),
        (garble, "shard/turn/segments/*/segment.json"),
        (lose, "shard/turn"),
    ],
)
async def test_damage_is_noticed_on_opening(folder: Path, harm: Callable[[Path], None], where: str) -> None:
    for path in list(folder.glob(where)):
        harm(path)
    with pytest.raises(IndexDamaged) as told:
        async with open_edge_index(folder):
            pass
    assert str(told.value) == str(IndexDamaged())


async def test_what_the_engine_says_of_damage_is_for_the_log(folder: Path) -> None:
    garble(next(folder.glob("shard/turn/segments/*/segment.json")))
    with capture_logs() as logged, pytest.raises(IndexDamaged) as told:
        async with open_edge_index(folder):
            pass
    [failed] = [entry for entry in logged if entry["event"] == "index_call_failed"]
    assert failed["call"] == "open"
    assert failed["engine"]
    assert failed["engine"] not in str(told.value)


async def test_a_state_of_the_wrong_form_is_damage(folder: Path) -> None:
    for said in (
        "[]",
        '{"stamp": null}',
        '{"stamp": {"name": "x"}, "at_least": 0}',
        '{"stamp": null, "at_least": "x"}',
        json.dumps({"layout": LAYOUT, "kinds": KINDS, "stamp": None}),
        json.dumps({"layout": LAYOUT, "kinds": KINDS, "stamp": {"name": "x"}, "at_least": 0}),
    ):
        (folder / "index.json").write_text(said)
        with pytest.raises(IndexDamaged):
            async with open_edge_index(folder):
                pass


@pytest.mark.parametrize(
    "said",
    [
        {"layout": None},  # as before there were layouts
        {"layout": 1},
        {"kinds": ["turn", "window", "wide"]},
        {"kinds": ["turn", "window", "wide", "summary", "picture"]},
    ],
)
async def test_a_folder_of_another_version_has_to_be_rebuilt(folder: Path, said: dict[str, object]) -> None:
    state = folder / "index.json"
    told = {**json.loads(state.read_text()), **said}
    state.write_text(json.dumps({name: value for name, value in told.items() if value is not None}))
    index = RenewableIndex(folder, open_edge_index)
    await index.open()
    try:
        with pytest.raises(IndexOutdated, match=r"another version.*helpdesk jobs run reindex"):
            await index.count(KeyKind.TURN)
        await index.reset(STAMP)
        assert await index.count(KeyKind.TURN) == 0
    finally:
        await index.aclose()


async def test_whoever_asks_while_a_damaged_folder_is_exchanged_hears_of_the_damage_until_there_is_another(
    folder: Path,
) -> None:
    (folder / "index.json").write_text("{", encoding="utf-8")
    index = RenewableIndex(folder, open_edge_index)
    await index.open()
    heard: list[int | str] = []
    try:
        async with asyncio.TaskGroup() as group:
            resetting = group.create_task(index.reset(STAMP))
            while not resetting.done():
                await asyncio.sleep(0.01)
                try:
                    heard.append(await index.count(KeyKind.TURN))
                except IndexDamaged:
                    heard.append("damaged")
        assert {*heard} <= {"damaged", 0}
        assert "damaged" in heard
        assert await index.stamp() == STAMP
    finally:
        await index.aclose()


async def test_vectors_of_a_kind_that_seldom_has_them_are_there_after_reopening(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        await index.put([key("words", terms={7: 1.0}, kind=KeyKind.WINDOW)])
        await index.put([key("meant", dense=(1, 0, 0), kind=KeyKind.WINDOW)])
    async with open_edge_index(folder) as index:
        [hits] = await index.search([near(1, 0, 0, kind=KeyKind.WINDOW)], ANYBODY, NOON, 5)
        assert [hit.key for hit in hits] == [key_id("meant")]


async def test_a_narrowing_that_was_cut_short_and_repeated_leaves_nothing_open(folder: Path) -> None:
    own = Scope(visibility=Visibility.PRIVATE, channel=DIRECT, requester="u1")
    narrowed = [key(f"k{n}", dense=(1, n, 0), terms={7: 1.0}, episode=f"e{n}", scope=own) for n in range(WRITTEN)]
    process = EdgeProcess(folder)
    index = EdgeIndex(process, STAMP)
    try:
        await process.open()
        writing = asyncio.create_task(index.put(narrowed))
        await asyncio.sleep(0.02)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        await asyncio.gather(writing, return_exceptions=True)
        await index.put(narrowed)
        found = await index.search([near(1, 5, 0), saying(7), saying(105)], ANYBODY, NOON, 10)
        assert found == [[], [], []]
        assert await index.count(KeyKind.TURN) == WRITTEN
    finally:
        await process.aclose()


async def test_removed_keys_are_not_missed_on_opening(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        await index.remove([f"e{n}" for n in range(WRITTEN // 2)])
    async with open_edge_index(folder) as index:
        assert await index.count(KeyKind.TURN) == WRITTEN - WRITTEN // 2


async def test_answers_go_to_whoever_asked_although_others_gave_up(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        impatient = [asyncio.create_task(index.search([saying(7)], ANYBODY, NOON, 300)) for _ in range(20)]
        patient = [asyncio.create_task(index.search([saying(100 + n)], ANYBODY, NOON, 5)) for n in range(20)]
        await asyncio.sleep(0)
        for task in impatient:
            task.cancel()
        found = await asyncio.gather(*patient)
        assert [[hit.key for hit in hits] for [hits] in found] == [[key_id(f"k{n}")] for n in range(20)]
        await asyncio.gather(*impatient, return_exceptions=True)


async def test_reads_and_writes_at_once_are_all_served(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        await asyncio.gather(
            *(index.put([key(f"new{n}-{m}", dense=(1, n, m), terms={7: 1.0}) for m in range(50)]) for n in range(8)),
            *(index.search([near(1, n, 0), saying(7)], ANYBODY, NOON, 50) for n in range(20)),
        )
        assert await index.count(KeyKind.TURN) == WRITTEN + 8 * 50


async def test_a_closed_index_says_so(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        pass
    with pytest.raises(IndexUnavailable, match="closed"):
        await index.count(KeyKind.TURN)


async def test_a_place_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("something else")
    with pytest.raises(IndexUnavailable, match="cannot be read or written"):
        async with open_edge_index(tmp_path / "index"):
            pass
