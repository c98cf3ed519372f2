"""The port `Inspection`, on every backend: what upkeep looks through and takes out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select, text, update

from memory.inspection import Flaw
from memory.model import Role, Viewer, reply_message
from memory.stores.sql import SqlStore
from memory.stores.tables import episodes, metadata, turns
from memory.stores.tables_facts import event_facts, fact_sources
from tests.fakes.facts import event, fact, link
from tests.fakes.leaks import PASSWORD, SAID, leaky
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, episode, flushed, note, opened

AGENT = Viewer(user="kato", agent=True)
LEAKING = turn(1, SAID, title=f"password: {PASSWORD}", status="open")
EDITED = turn(2, "It opens now", minutes=1, revision=2)
REPLY = turn(reply_message("2"), "Fine", author="helpdesk", role=Role.BOT, derived=True, minutes=2)
OTHER = turn(1, "The screen flickers", thread="INC-2", ticket="INC-2", author="mori", requester="mori")
E1, E2 = episode("E1", [LEAKING, EDITED, REPLY]), episode("E2", [OTHER])


async def fill(store: Store) -> None:
    await store.writing.record([replace(EDITED, text=f"password: {PASSWORD}")])
    await flushed(store, E1, E2)
    await store.writing.store_note(note("E1", summary=f"password: {PASSWORD}"))
    await store.writing.store_note(note("E2"))
    told = [fact([LEAKING], PASSWORD, episode="E1"), fact([EDITED, LEAKING], "open", episode="E1")]
    await store.fact_writing.store_facts("E1", told, NOON)
    await store.fact_writing.store_facts("E2", [fact([OTHER], "flickering", episode="E2")], NOON)
    await store.fact_writing.store_event(replace(event("V1", told), summary=f"with {PASSWORD}"))
    await store.fact_writing.store_links("E2", [replace(link("E2", "E1"), reason=f"both say password: {PASSWORD}")])


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with leaky(request.param, tmp_path, Watch(), fill) as store:
        yield store


async def whole(store: Store) -> str:
    """Everything that is stored, as it would be printed."""
    if not isinstance(store, SqlStore):
        return repr(store.memory)  # type: ignore[attr-defined]
    async with store.database.reading() as connection:
        return repr([(await connection.execute(select(table))).all() for table in metadata.sorted_tables])


async def test_turns_are_walked_over_with_the_words_of_all_their_versions(store: Store) -> None:
    pages = []
    last = None
    while page := await store.inspection.said_after(last, 3):
        pages.append(len(page))
        last = page[-1].turn
    assert pages == [3, 1]
    said = {one.turn: one for one in await store.inspection.said_after(None, 10)}
    assert set(said) == {LEAKING.id, EDITED.id, REPLY.id, OTHER.id}
    assert set(said[LEAKING.id].texts) == {SAID, f"password: {PASSWORD}", "open"}
    assert set(said[EDITED.id].texts) == {"It opens now", f"password: {PASSWORD}"}
    assert (said[REPLY.id].derived, said[REPLY.id].episode, said[OTHER.id].episode) == (True, "E1", "E2")


async def test_what_was_made_is_told_by_episode(store: Store) -> None:
    made = {one.episode: one for one in await store.inspection.made_of(["E2", "E1", "none"])}
    assert list(made) == ["E2", "E1"]
    assert made["E1"].flushed
    assert {f"password: {PASSWORD}", PASSWORD, f"with {PASSWORD}"} <= set(made["E1"].texts)
    assert f"both say password: {PASSWORD}" in made["E2"].texts
    await store.inspection.reopen(["E2"])
    assert [one.flushed for one in await store.inspection.made_of(["E1", "E2"])] == [True, False]
    assert (await store.writing.counts())["pending"] == 1


async def test_where_turns_are_and_which_episodes_are_there(store: Store) -> None:
    assert await store.inspection.places([OTHER.id, "none"]) == {OTHER.id: "E2"}
    assert await store.inspection.there(["E1", "none"]) == {"E1"}


async def test_secrets_go_from_words_versions_and_all_that_was_made_of_them(store: Store) -> None:
    assert PASSWORD in await whole(store)
    done = await store.inspection.redact([LEAKING.id, EDITED.id, OTHER.id])
    assert (done.turns, done.versions, done.episodes) == (1, 1, ("E1",))
    assert PASSWORD not in await whole(store)
    found = await store.reading.turns([LEAKING.id, EDITED.id, OTHER.id], AGENT, NOON.replace(year=2027))
    kept = {one.id: one for one in found}
    assert kept[EDITED.id].text == EDITED.text
    assert kept[OTHER.id] == OTHER
    assert kept[LEAKING.id].text.startswith("The password: [password-")
    assert (kept[LEAKING.id].status, kept[LEAKING.id].revision) == ("open", 1)


async def test_the_rest_is_as_it_was_and_what_was_unmade_waits_for_the_next_flush(store: Store) -> None:
    await store.inspection.redact([LEAKING.id, EDITED.id])
    assert [one.id for one in await store.writing.episodes_after(None, 10)] == ["E2"]
    counts = await store.writing.counts()
    assert (counts["turns"], counts["pending"], counts["notes"]) == (4, 3, 1)
    assert [one.value for one in await store.fact_writing.facts_of(["E1", "E2"])] == ["flickering"]
    assert await store.fact_writing.links_of(["E1", "E2"]) == []


async def test_a_second_time_changes_nothing(store: Store) -> None:
    await store.inspection.redact([LEAKING.id, EDITED.id])
    before = await whole(store)
    done = await store.inspection.redact([LEAKING.id, EDITED.id])
    assert (done.turns, done.versions, done.episodes) == (0, 0, ())
    assert await whole(store) == before


async def test_what_is_told_again_after_it_is_no_new_version(store: Store) -> None:
    await store.inspection.redact([LEAKING.id, EDITED.id])
    assert (await store.writing.record([LEAKING, EDITED])).repeated == 2


async def test_what_was_made_of_episodes_is_dropped_and_their_turns_stay(store: Store) -> None:
    await store.inspection.unmake(["E1"])
    assert await store.inspection.made_of(["E1"]) == []
    [other] = await store.inspection.made_of(["E2"])
    assert f"both say password: {PASSWORD}" not in other.texts
    assert (await store.writing.counts())["turns"] == 4


async def test_facts_on_the_bots_own_words_are_echoes_and_go(store: Store) -> None:
    assert {flaw: count for flaw, count in (await store.inspection.flaws()).items() if count} == {}
    assert await store.inspection.drop_flawed() == 0
    echoes = [fact([REPLY], "fine", episode="E1"), fact([REPLY, OTHER], "both", episode="E1")]
    await store.fact_writing.store_facts("E1", echoes, NOON)
    assert (await store.inspection.flaws())[Flaw.ECHO] == 1
    assert await store.inspection.drop_flawed() == 1
    assert "fine" not in {one.value for one in await store.fact_writing.facts_of(["E1"])}
    assert "both" in {one.value for one in await store.fact_writing.facts_of(["E1"])}


# --- what only a database that somebody worked on by hand has ---------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlStore]:
    async with opened(request.param, tmp_path, Watch()) as store:
        assert isinstance(store, SqlStore)
        await fill(store)
        yield store


async def test_what_lost_its_source_is_counted_and_deleted(database: SqlStore) -> None:
    [lost] = [one.id for one in await database.fact_writing.facts_of(["E2"])]
    async with database.database.writing() as connection:
        await connection.execute(delete(fact_sources).where(fact_sources.c.fact == lost))
        await connection.execute(delete(event_facts))
        ghost = {"id": "E9", "conversation_id": "C9", "tokens": 1, "last_at": NOON}
        await connection.execute(insert(episodes).values(ghost))
    assert (await database.inspection.flaws())[Flaw.ORPHAN] == 3
    assert await database.inspection.drop_flawed() == 3
    assert (await database.inspection.flaws())[Flaw.ORPHAN] == 0
    assert await database.inspection.made_of(["E9"]) == []


@pytest.mark.parametrize("lost", [None, "gone"])
async def test_a_turn_that_no_flush_would_find_is_taken_up_again(database: SqlStore, lost: str | None) -> None:
    async with database.database.writing() as connection:
        await connection.execute(update(turns).where(turns.c.id == OTHER.id).values(episode_id=lost))
    assert (await database.inspection.flaws())[Flaw.ORPHAN] >= 1
    await database.inspection.drop_flawed()
    assert (await database.inspection.flaws())[Flaw.ORPHAN] == 0
    assert [turn.id for turn in await database.writing.open_run(OTHER.conversation.id)] == [OTHER.id]


async def test_facts_that_say_the_same_of_the_same_words_are_duplicates_and_stay(database: SqlStore) -> None:
    async with database.database.writing() as connection:
        row = (await connection.execute(text("SELECT * FROM facts WHERE episode = 'E2'"))).mappings().one()
        again = {**row, "id": "copy"}
        columns = ", ".join(again)
        values = ", ".join(f":{name}" for name in again)
        await connection.execute(text(f"INSERT INTO facts ({columns}) VALUES ({values})"), again)
        await connection.execute(insert(fact_sources).values(fact="copy", place=0, turn_id=OTHER.id))
    assert (await database.inspection.flaws())[Flaw.DUPLICATE] == 1
    assert await database.inspection.drop_flawed() == 0


async def test_the_log_of_changes_is_empty_after_a_scrub(tmp_path: Path) -> None:
    async with opened("sqlite", tmp_path, Watch()) as store:
        await fill(store)
        assert (tmp_path / "helpdesk.db-wal").stat().st_size > 0
        await store.inspection.scrub()
        assert (tmp_path / "helpdesk.db-wal").stat().st_size == 0
