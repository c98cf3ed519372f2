"""The port `Membership`, on every backend: who left a channel reads no more of it, whatever they wrote there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from memory.membership import Circle, Move
from memory.model import Turn, Viewer, Visibility
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

LATER = NOON + timedelta(days=1)
MORI = Viewer(user="mori")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


def in_channel(number: int, author: str) -> Turn:
    """Said in a channel that not everybody may read, about a request of Sato's."""
    return replace(turn(number), author=author, requester="sato", visibility=Visibility.CHANNEL)


def move(minute: int, *, gone: bool, member: str = "mori") -> Move:
    place = turn(1).conversation
    at = NOON + timedelta(minutes=minute)
    return Move(platform=place.platform, channel=place.channel, member=member, gone=gone, at=at)


@pytest.fixture
async def said(store: Store) -> list[Turn]:
    """Sato asked, Mori answered."""
    turns = [in_channel(1, "sato"), in_channel(2, "mori")]
    await store.writing.record(turns)
    return turns


async def seen(store: Store, viewer: Viewer, said: list[Turn]) -> list[Turn]:
    return await store.reading.turns([one.id for one in said], viewer, LATER)


async def test_who_left_reads_nothing_of_it_not_even_their_own_words(store: Store, said: list[Turn]) -> None:
    assert await seen(store, MORI, said) == said
    await store.membership.note([move(10, gone=True)])
    assert await seen(store, MORI, said) == []


async def test_who_stayed_reads_on(store: Store, said: list[Turn]) -> None:
    await store.membership.note([move(10, gone=True)])
    assert await seen(store, Viewer(user="sato"), said) == said
    assert await seen(store, Viewer(user="abe", channel=said[0].conversation.channel), said) == said
    assert await seen(store, Viewer(user="kato", agent=True), said) == said


async def test_who_comes_back_reads_again(store: Store, said: list[Turn]) -> None:
    await store.membership.note([move(10, gone=True)])
    await store.membership.note([move(20, gone=False)])
    assert await seen(store, MORI, said) == said


@pytest.mark.parametrize("order", list(permutations((0, 1, 2))))
async def test_the_latest_move_counts_in_whatever_order_moves_are_told(
    store: Store, said: list[Turn], order: tuple[int, ...]
) -> None:
    moves = [move(10, gone=False), move(20, gone=True), move(30, gone=False)]
    for place in order:
        await store.membership.note([moves[place]])
    assert await seen(store, MORI, said) == said
    await store.membership.note([move(40, gone=True), move(35, gone=False)])
    assert await seen(store, MORI, said) == []


@pytest.mark.parametrize("first", [True, False])
async def test_of_two_moves_at_once_the_leaving_counts(store: Store, said: list[Turn], first: bool) -> None:
    await store.membership.note([move(10, gone=first)])
    await store.membership.note([move(10, gone=not first)])
    assert await seen(store, MORI, said) == []


async def test_leaving_another_channel_or_by_another_person_changes_nothing(store: Store, said: list[Turn]) -> None:
    here = move(10, gone=True)
    elsewhere = [replace(here, channel="C-other"), replace(here, platform="other"), replace(here, member="abe")]
    await store.membership.note(elsewhere)
    await store.membership.note([])
    assert await seen(store, MORI, said) == said


async def test_what_everybody_may_read_and_ones_own_private_matters_stay_readable(store: Store) -> None:
    public = replace(in_channel(1, "mori"), visibility=Visibility.EVERYONE)
    private = replace(in_channel(2, "mori"), visibility=Visibility.PRIVATE, requester="mori")
    await store.writing.record([public, private])
    await store.membership.note([move(10, gone=True)])
    assert await seen(store, MORI, [public, private]) == [public, private]


async def test_ones_own_words_can_be_forgotten_after_leaving(store: Store, said: list[Turn]) -> None:
    await store.membership.note([move(10, gone=True)])
    everywhere = Viewer(user="mori", agent=True)
    assert await store.personal.written(everywhere, None, 10) == [said[1]]


async def test_circles_are_the_channels_in_which_not_everything_is_for_everybody(store: Store) -> None:
    def said_in(channel: str, number: int, **more: Any) -> Turn:
        here = in_channel(number, "mori")
        return replace(here, conversation=replace(here.conversation, channel=channel), **more)

    elsewhere = said_in("C7", 7)
    await store.writing.record(
        [
            said_in("C2", 1),
            said_in("C1", 2),
            said_in("C1", 3, visibility=Visibility.EVERYONE),
            said_in("C3", 4, visibility=Visibility.EVERYONE),
            said_in("C4", 5, visibility=Visibility.PRIVATE),
            said_in("C5", 6),
            replace(elsewhere, conversation=replace(elsewhere.conversation, platform="other")),
        ]
    )
    platform, workspace = elsewhere.conversation.platform, elsewhere.conversation.workspace
    circles = [Circle(workspace=workspace, channel=channel) for channel in ("C1", "C2", "C5")]
    assert await store.membership.circles(platform, "", 10) == circles
    assert await store.membership.circles(platform, "", 2) == circles[:2]
    assert await store.membership.circles(platform, "C2", 10) == circles[2:]
    assert [one.channel for one in await store.membership.circles("other", "", 10)] == ["C7"]
    assert await store.membership.circles(platform, "", 0) == []


async def test_a_circle_knows_who_wrote_in_it_and_who_of_them_left(store: Store, said: list[Turn]) -> None:
    public = replace(in_channel(3, "abe"), visibility=Visibility.EVERYONE)
    elsewhere = in_channel(4, "kato")
    await store.writing.record([public, replace(elsewhere, conversation=conversation("other", channel="C-other"))])
    await store.membership.note([move(10, gone=True), move(10, gone=True, member="who never wrote")])
    place = said[0].conversation
    assert await store.membership.authors(place.platform, place.channel) == {"sato": False, "mori": True}
    await store.membership.note([move(20, gone=False)])
    assert await store.membership.authors(place.platform, place.channel) == {"sato": False, "mori": False}
    assert await store.membership.authors(place.platform, "C-nobody") == {}
