"""A memory that somebody has to look after: what is wrong with it is found, mended, and stays mended."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.telling import Step, Told, unheard
from bot.use_cases import perform
from bot.wiring import assembled
from config.loader import load_settings
from memory.errors import StoreUnavailable
from memory.index_ports import KeyIndex, Pointer
from memory.model import KeyKind
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.qdrant_edge import open_edge_index
from tests.fakes.facts import fact
from tests.fakes.folders import contents
from tests.fakes.keys import EVERYONE, key
from tests.fakes.leaks import PASSWORD, SAID, leaky
from tests.fakes.remembering import Remembering, remembering
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Store, Watch

CLEAN = {"secrets": 0, "stray": 0, "unfound": 0, "duplicates": 0, "echoes": 0, "orphans": 0}
BADGE = turn(1, SAID)
SCREEN = turn(1, "The screen E-4711 flickers", thread="INC-2", ticket="INC-2", author="mori", requester="mori")
LAMP = turn(1, "The lamp on floor 3 is dark", thread="INC-3", ticket="INC-3", author="abe", requester="abe")


async def found(house: Remembering, command: str = "memory audit", **arguments: Any) -> dict[str, int]:
    """What was found, without the count of what is unused."""
    done = await perform(house.app, command, arguments, unheard)
    assert done is not None
    return {name: count for name, count in done["counts"].items() if name != "unused"}


async def repaired(house: Remembering) -> dict[str, int]:
    return await found(house, "jobs run", name="repair")


@asynccontextmanager
async def house_over(store: Store, folder: Path, watch: Watch, index: KeyIndex) -> AsyncIterator[Remembering]:
    app = assembled(
        load_settings(None, {}), folder, watch, store=store, index=index, encoder=HashingEncoder(), models={}
    )
    yield Remembering(app, watch)


@pytest.fixture(params=["in-memory", "sqlite"])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Remembering]:
    async with remembering(request.param, tmp_path, index=InMemoryIndex()) as house:
        yield house


async def test_a_memory_that_is_as_it_should_be_is_sound(house: Remembering) -> None:
    await house.remember(SCREEN, LAMP)
    await house.say(turn(2, "Still dark", thread="INC-3", ticket="INC-3", author="abe", requester="abe", minutes=5))
    assert await found(house) == CLEAN
    assert await repaired(house) == CLEAN


async def test_what_no_answer_stood_on_is_counted(house: Remembering) -> None:
    await house.remember(SCREEN, LAMP)
    await house.answer("What about the screen E-4711?")
    await house.app.store.ledger.since(NOON)
    done = await perform(house.app, "memory audit", {}, unheard)
    assert done is not None
    assert done["counts"]["unused"] == 1


async def test_keys_that_are_missing_are_found_and_written_again(house: Remembering) -> None:
    await house.remember(SCREEN, LAMP)
    [episode] = [one.id for one in await house.app.store.writing.episodes_after(None, 9) if SCREEN in one.turns]
    await house.app.index.remove([episode])
    assert await house.hits("E-4711", "mori") == set()
    for _ in range(2):
        assert await found(house) == {**CLEAN, "unfound": 1}
    assert await repaired(house) == {**CLEAN, "unfound": 1}
    assert SCREEN.id in await house.hits("E-4711", "mori")
    assert await found(house) == CLEAN


async def test_keys_that_lead_nowhere_are_found_and_removed(house: Remembering) -> None:
    await house.remember(SCREEN)
    await house.app.index.put([key("ghost", terms={7: 1.0}, kind=KeyKind.WINDOW, episode="gone", scope=EVERYONE)])
    assert await found(house) == {**CLEAN, "stray": 1}
    await repaired(house)
    assert await found(house) == CLEAN
    assert SCREEN.id in await house.hits("E-4711", "mori")


async def test_a_key_of_a_turn_that_left_its_episode_is_stray_and_the_episode_is_found_again(
    house: Remembering,
) -> None:
    await house.remember(SCREEN, LAMP)
    screen, lamp = await house.app.store.writing.episodes_after(None, 9)
    pointer = Pointer(
        episode=screen.id,
        turn=lamp.turns[0].id,
        position=0,
        length=1,
        speaker="abe",
        requester="abe",
        language="en",
        said_at=NOON,
    )
    await house.app.index.put([replace(key("moved", terms={7: 1.0}, kind=KeyKind.WIDE), pointer=pointer)])
    assert await found(house) == {**CLEAN, "stray": 1}
    await repaired(house)
    assert await found(house) == CLEAN
    assert SCREEN.id in await house.hits("E-4711", "mori")


async def test_an_echo_of_the_bot_is_found_and_deleted(house: Remembering) -> None:
    said = turn("1-reply", "It is Mori", author="helpdesk", derived=True, minutes=1, thread="INC-2", ticket="INC-2")
    await house.remember(SCREEN, said)
    [episode] = await house.app.store.writing.episodes_after(None, 9)
    await house.app.store.fact_writing.store_facts(episode.id, [fact([said], "Mori", episode=episode.id)], NOON)
    assert await found(house) == {**CLEAN, "echoes": 1}
    await repaired(house)
    assert await found(house) == CLEAN
    assert [one["kind"] for one in await _entries(house)] == ["repaired"]


async def test_it_tells_how_far_it_is(house: Remembering) -> None:
    await house.remember(SCREEN, LAMP)
    told: list[Told] = []
    await perform(house.app, "memory audit", {}, told.append)
    steps = [one for one in told if isinstance(one, Step)]
    assert steps[-1].done == steps[-1].total
    assert [one.done for one in steps] == sorted(one.done for one in steps)


# --- what was remembered before anything was redacted -----------------------------------------------------------------


async def _entries(house: Remembering) -> list[dict[str, Any]]:
    done = await perform(house.app, "audit list", {}, unheard)
    assert done is not None
    return [dict(entry) for entry in done["entries"]]


async def _fill(store: Store, folder: Path, watch: Watch, index: KeyIndex) -> None:
    """Said, cut, noted and indexed, once edited, and one still pending."""
    async with house_over(store, folder, watch, index) as house:
        await house.remember(replace(BADGE, text=f"{SAID}!"), SCREEN)
        await house.remember(BADGE)
        await house.say(turn(2, f"password: {PASSWORD}", minutes=9))


@pytest.mark.parametrize("command", ["redact", "repair"])
@pytest.mark.parametrize("backend", ["in-memory", "sqlite"])
async def test_old_secrets_are_found_and_taken_out_of_everything(backend: str, command: str, tmp_path: Path) -> None:
    watch, index = Watch(), InMemoryIndex()
    async with (
        leaky(backend, tmp_path, watch, lambda store: _fill(store, tmp_path, watch, index)) as store,
        house_over(store, tmp_path, watch, index) as house,
    ):
        assert PASSWORD in (await _words(house))
        assert (await found(house))["secrets"] == 3
        receipt = await found(house, "jobs run", name=command)
        if command == "redact":
            assert receipt == {"turns": 2, "versions": 1, "episodes": 1}
        assert PASSWORD not in await _words(house)
        assert await found(house) == CLEAN
        again = await found(house, "jobs run", name=command)
        assert set(again.values()) == {0}
        assert {(entry["kind"], tuple(entry["counts"].values())) for entry in await _entries(house)} == {
            ("redacted", (2, 1, 1))
        }
        assert SCREEN.id in await house.hits("E-4711", "mori")
        assert BADGE.id in await house.hits("badge reader")


async def _words(house: Remembering) -> str:
    inspection = house.app.store.inspection
    said = await inspection.said_after(None, 99)
    episodes = [one.id for one in await house.app.store.writing.episodes_after(None, 99)]
    return repr([*said, *await inspection.made_of(episodes)])


async def test_no_file_has_an_old_secret_once_it_was_taken_out(tmp_path: Path) -> None:
    watch = Watch()
    async with (
        open_edge_index(tmp_path / "index") as index,
        leaky("sqlite", tmp_path, watch, lambda store: _fill(store, tmp_path, watch, index)) as store,
        house_over(store, tmp_path, watch, index) as house,
    ):
        assert _files_with(PASSWORD, tmp_path)
        await house.app.jobs.run("redact")
        assert _files_with(PASSWORD, tmp_path) == []


def _files_with(word: str, folder: Path) -> list[str]:
    raw = word.encode()
    return [path.name for path in sorted(folder.rglob("*")) if path.is_file() and raw in contents(path)]


async def test_a_run_that_died_half_way_is_finished_by_the_next(tmp_path: Path) -> None:
    watch, index = Watch(), _Dying()
    async with (
        leaky("sqlite", tmp_path, watch, lambda store: _fill(store, tmp_path, watch, index)) as store,
        house_over(store, tmp_path, watch, index) as house,
    ):
        for calls in (0, 1):
            index.left = calls
            with pytest.raises(StoreUnavailable):
                await house.app.jobs.run("redact")
        index.left = 99
        await house.app.jobs.run("redact")
        await house.remember()
        assert PASSWORD not in await _words(house)
        assert await found(house) == CLEAN
        assert BADGE.id in await house.hits("badge reader")


class _Dying(InMemoryIndex):
    """Removes so many times and then not any more."""

    left = 99

    async def remove(self, episodes: Any) -> None:
        if self.left == 0:
            raise StoreUnavailable
        self.left -= 1
        await super().remove(episodes)
