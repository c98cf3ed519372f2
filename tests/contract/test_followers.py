"""The port `Followers`, on every backend: who hears how a ticket ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.followers import Follower
from memory.model import Conversation
from memory.tickets import Draft, State
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def ticket(store: Store, thread: str = "T1") -> str:
    message = turn(1, "VPN", ticket=None, thread=thread)
    await store.writing.record([message])
    opening = replace(message, message="1-ticket", text="opened")
    return await store.ticket_writing.open(Draft(turn=message.id), opening, "HD")


async def settled(store: Store, name: str, thread: str = "T1") -> None:
    change = turn("done", "done", ticket=name, thread=thread, minutes=1, status=State.RESOLVED)
    await store.ticket_writing.change(name, 1, change)


def follower(ticket: str = "HD-1", person: str = "mori", *, thread: str = "T1", minutes: float = 0) -> Follower:
    return Follower(
        ticket=ticket,
        conversation=turn(1, thread=thread).conversation.id,
        person=person,
        place=Conversation(platform="slack", workspace="W1", channel="C1", thread="100.1"),
        language="ja",
        at=NOON + timedelta(minutes=minutes),
    )


async def test_who_follows_is_owed_a_word_once_the_ticket_is_settled(store: Store) -> None:
    name = await ticket(store)
    assert await store.followers.follow(follower())
    assert not await store.followers.follow(follower(minutes=5))
    assert await store.followers.owed("slack", 9) == []
    await settled(store, name)
    assert await store.followers.owed("slack", 9) == [follower()]
    assert await store.followers.owed("teams", 9) == []
    await store.followers.told(follower("hd-1"))
    assert await store.followers.owed("slack", 9) == []


async def test_the_oldest_come_first(store: Store) -> None:
    for thread in ("T1", "T2"):
        await settled(store, await ticket(store, thread), thread)
    late, early, other = follower(minutes=2), follower("HD-2", thread="T2", minutes=1), follower(person="kimura")
    for one in (late, early, other):
        await store.followers.follow(one)
    assert await store.followers.owed("slack", 9) == [other, early, late]
    assert await store.followers.owed("slack", 1) == [other]


async def test_who_came_to_follow_another_ticket_is_known_by_that_one_and_by_the_one_they_know(store: Store) -> None:
    for thread in ("T1", "T2"):
        await ticket(store, thread)
    before, other = follower("HD-2", thread="T2", minutes=1), follower(person="kimura")
    for one in (before, other):
        await store.followers.follow(one)
    assert await store.followers.of(before.conversation, "HD-2", 9) == [before]
    now = replace(before, ticket="HD-1", conversation=other.conversation, via="HD-2")
    assert await store.followers.follow(now)
    await store.followers.told(before)
    assert await store.followers.of(before.conversation, "HD-2", 9) == []
    assert await store.followers.of(other.conversation, "HD-1", 9) == [other, now]
    assert await store.followers.of(other.conversation, "HD-1", 1) == [other]
    await settled(store, "HD-1")
    assert await store.followers.owed("slack", 9) == [other, now]
    await store.followers.told(now)
    assert await store.followers.owed("slack", 9) == [other]


async def test_of_a_ticket_that_is_gone_nobody_waits_for_ever(store: Store) -> None:
    name = await ticket(store)
    await store.followers.follow(follower(name))
    for message in ("1", "1-ticket"):
        await store.mailbox.withdraw(turn(message, thread="T1").id)
    assert await store.followers.owed("slack", 9) == [follower(name)]


async def test_who_is_forgotten_follows_nothing(store: Store) -> None:
    await settled(store, await ticket(store))
    await store.followers.follow(follower())
    await store.followers.follow(follower(person="kimura"))
    await store.followers.forget("mori")
    assert await store.followers.owed("slack", 9) == [follower(person="kimura")]
