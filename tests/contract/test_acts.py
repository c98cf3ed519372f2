"""The port `ActBox`, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from memory.acts import KNOWN_FOR, LONGEST, MOOT_AFTER, MOST, MOST_FIELDS, TakenAct
from memory.ports import LEAP
from memory.stores.sql import SqlStore
from memory.stores.tables_acts import acts
from tests.fakes.turns import NOON
from tests.fakes.words import BACKENDS, Store, Watch, opened

SECOND = timedelta(seconds=1)
LEASE = 60


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


def act(id: str = "A1", *, seconds: float = 0, person: str = "sato", platform: str = "slack") -> TakenAct:
    return TakenAct(
        id=id,
        platform=platform,
        workspace="T1",
        person=person,
        at=NOON + seconds * SECOND,
        fields={"kind": "clicked", "channel": "C1"},
        words={"input note": "VPNが切れます"},
    )


async def found(store: Store, holder: str = "one", seconds: float = 0, *, limit: int = 100) -> list[str]:
    """The ids that this holder gets so long after noon."""
    claimed = await store.acts.claim("slack", holder, NOON + seconds * SECOND, LEASE, limit)
    return [one.id for one in claimed]


async def test_an_act_comes_back_as_it_was(store: Store) -> None:
    whole = act()
    bare = replace(act("A2", seconds=1), fields={}, words={})
    for one in (whole, bare):
        assert await store.acts.take(one, "one", LEASE)
    assert await store.acts.claim("slack", "one", NOON, LEASE, 10) == [whole, bare]


async def test_an_act_is_taken_once_and_stays_as_it_was(store: Store) -> None:
    assert await store.acts.take(act(), "one", LEASE)
    assert not await store.acts.take(replace(act(), words={"input note": "other"}), "two", LEASE)
    assert await store.acts.claim("slack", "one", NOON, LEASE, 10) == [act()]
    await store.acts.done("A1")
    assert not await store.acts.take(act(), "one", LEASE)
    assert await found(store) == []


async def test_of_many_that_take_it_at_once_one_has_it(store: Store) -> None:
    taken = await asyncio.gather(*(store.acts.take(act(), f"holder {number}", LEASE) for number in range(8)))
    assert sorted(taken) == [False] * 7 + [True]


async def test_an_act_is_in_its_holders_hands_until_the_lease_runs_out(store: Store) -> None:
    await store.acts.take(act(), "one", LEASE)
    assert await found(store, "two", LEASE - 1) == []
    # Whoever has it holds on to it.
    assert await found(store, "one", LEASE - 1) == ["A1"]
    assert await found(store, "two", LEASE + 58) == []
    assert await found(store, "two", 2 * LEASE - 1) == ["A1"]
    assert await found(store, "one", 2 * LEASE) == []


async def test_an_act_that_a_clock_far_ahead_has_in_hand_is_free_to_others(store: Store) -> None:
    await store.acts.take(act(), "dead", LEASE)
    hour = LEAP.total_seconds()
    assert await found(store, "two", -hour) == []
    assert await found(store, "two", -hour - 1) == ["A1"]


async def test_of_many_that_claim_at_once_one_has_it(store: Store) -> None:
    for number in range(5):
        await store.acts.take(act(f"A{number}"), "dead", LEASE)
    claims = await asyncio.gather(*(found(store, f"holder {number}", LEASE) for number in range(6)))
    assert sorted(id for each in claims for id in each) == ["A0", "A1", "A2", "A3", "A4"]


async def test_acts_come_oldest_first_and_no_more_than_wanted_of_their_platform_alone(store: Store) -> None:
    for name, seconds in (("late", 9), ("early", 1), ("middle", 5)):
        await store.acts.take(act(name, seconds=seconds), "one", LEASE)
    await store.acts.take(act("elsewhere", platform="teams"), "one", LEASE)
    assert await found(store) == ["early", "middle", "late"]
    assert await found(store, limit=2) == ["early", "middle"]
    assert await found(store, limit=0) == []


async def test_of_what_is_done_nothing_is_left_but_that_there_was_one(store: Store) -> None:
    await store.acts.take(act(), "one", LEASE)
    await store.acts.done("A1")
    await store.acts.done("unknown")
    assert await found(store, "one", 2 * LEASE) == []
    if isinstance(store, SqlStore):
        async with store.database.reading() as connection:
            [row] = (await connection.execute(select(acts))).all()
        assert (row.id, row.person, row.fields, row.words) == ("A1", None, None, None)


async def test_the_secrets_in_words_are_not_kept_and_addresses_are_left_alone(store: Store) -> None:
    address = "https://hooks.slack.com/actions/T0001/123456789/abcdefghijklmnopqrstuvwx"
    told = replace(
        act(), fields={"response_url": address}, words={"input note": "My password is hunter2", "value": "help"}
    )
    await store.acts.take(told, "one", LEASE)
    [kept] = await store.acts.claim("slack", "one", NOON, LEASE, 10)
    assert kept.fields == {"response_url": address}
    assert kept.words["value"] == "help"
    assert kept.words["input note"].startswith("My password is [password-")
    if isinstance(store, SqlStore):
        async with store.database.reading() as connection:
            assert "hunter2" not in repr((await connection.execute(select(acts))).all())


async def test_what_is_too_long_is_cut(store: Store) -> None:
    many = {f"{number:03d}": "あ" * (LONGEST + number) for number in range(MOST_FIELDS + 5)}
    await store.acts.take(replace(act(), fields=many, words=many), "one", LEASE)
    [kept] = await store.acts.claim("slack", "one", NOON, LEASE, 10)
    for texts in (kept.fields, kept.words):
        assert (len(texts), {len(text) for text in texts.values()}) == (MOST_FIELDS, {LONGEST})


async def test_what_no_database_holds_is_one_act_all_the_same(store: Store) -> None:
    odd = replace(act("A\x00"), person="sa\x00to", words={"\x00": "\ud800"})
    assert await store.acts.take(odd, "one", LEASE)
    assert not await store.acts.take(odd, "one", LEASE)
    [kept] = await store.acts.claim("slack", "one", NOON, LEASE, 10)
    assert (kept.id, kept.person, kept.words) == ("A\ufffd", "sa\ufffdto", {"\ufffd": "\ufffd"})
    await store.acts.done("A\x00")
    assert await found(store) == []


async def test_moot_acts_and_what_was_done_long_ago_go(store: Store) -> None:
    for name in ("moot", "still", "done", "lately done"):
        await store.acts.take(act(name), "one", LEASE)
    await store.acts.done("done")
    assert await store.acts.drop_old(NOON + KNOWN_FOR) == 0
    assert not await store.acts.take(act("done"), "one", LEASE)
    assert await store.acts.drop_old(NOON + KNOWN_FOR + SECOND) == 0
    assert await store.acts.take(act("done"), "one", LEASE)
    await store.acts.take(act("young", seconds=1), "one", LEASE)
    assert await store.acts.drop_old(NOON + MOOT_AFTER + SECOND) == 4
    assert await found(store) == ["young"]


async def test_what_a_forgotten_person_did_is_neither_kept_nor_done(store: Store) -> None:
    for name, person in (("own", "sato"), ("done", "sato"), ("other", "mori"), ("similar", "Sato")):
        await store.acts.take(act(name, person=person), "one", LEASE)
    await store.acts.done("done")
    await store.acts.forget("sato")
    await store.acts.forget("nobody")
    assert await found(store) == ["other", "similar"]
    # It is still known that this was done: a late delivery does not bring it back.
    assert not await store.acts.take(act("done"), "one", LEASE)
    await store.acts.done("own")


async def test_beyond_the_bound_what_is_done_goes_first_and_then_the_oldest(store: Store) -> None:
    await _fill(store, MOST)
    await store.acts.take(act("first", seconds=-10), "one", LEASE)
    await store.acts.take(act("done", seconds=10), "one", LEASE)
    await store.acts.done("done")
    assert await store.acts.drop_old(NOON) == 1
    kept = await found(store, limit=2 * MOST)
    assert (len(kept), kept[0]) == (MOST, "0")
    assert await store.acts.take(act("done", seconds=10), "one", LEASE)


async def _fill(store: Store, count: int) -> None:
    """So many acts at noon; one by one each would be a transaction."""
    if not isinstance(store, SqlStore):
        for number in range(count):
            await store.acts.take(replace(act(str(number)), words={}), "one", LEASE)
        return
    row = {"platform": "slack", "workspace": "T1", "person": "sato", "at": NOON, "fields": {}, "words": {}}
    more = {"holder": "one", "until": NOON}
    async with store.database.writing() as connection:
        await connection.execute(acts.insert(), [{**row, **more, "id": str(number)} for number in range(count)])
