"""The port `Personal`, on every backend: what is one's own, as far as `memory.scope.may_read` allows it here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.model import Viewer, Visibility
from memory.personal import Kept
from tests.contract.test_words_scope import LINES, VIEWERS, Line, build
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

LATER = NOON + timedelta(days=1)
SATO = Viewer(user="sato")
EVERYTHING = 10_000


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def test_how_much_is_kept_counts_what_one_wrote_in_any_conversation(store: Store) -> None:
    assert await store.personal.kept(SATO, LATER) == Kept(messages=0)
    await store.writing.record(
        [
            turn(1, minutes=3),
            turn(1, thread="T2", minutes=7),
            turn(2, author="mori", minutes=1),
            turn(1, thread="T3", requester="mori", minutes=5),
        ]
    )
    minute = timedelta(minutes=1)
    assert await store.personal.kept(SATO, LATER) == Kept(
        messages=3, first_at=NOON + 3 * minute, last_at=NOON + 7 * minute
    )
    assert await store.personal.kept(SATO, NOON + 5 * minute) == Kept(
        messages=2, first_at=NOON + 3 * minute, last_at=NOON + 5 * minute
    )


async def test_an_edited_message_is_kept_once_with_its_newest_words(store: Store) -> None:
    await store.writing.record([turn(1, "old")])
    await store.writing.record([turn(1, "new")])
    assert (await store.personal.kept(SATO, LATER)).messages == 1
    assert [one.text for one in await store.personal.written(SATO, None, 10)] == ["new"]


async def test_ones_last_words_are_told_newest_first_and_nobody_elses(store: Store) -> None:
    said = [turn(number, thread=f"T{number}", minutes=number) for number in range(4)]
    await store.writing.record([said[2], said[0], said[3], said[1], turn(99, author="mori", minutes=2)])
    assert await store.personal.newest(SATO, said[2].said_at, 2) == [said[2], said[1]]
    assert await store.personal.newest(SATO, said[3].said_at, 0) == []


async def test_the_walk_over_ones_words_goes_by_id_and_can_be_resumed(store: Store) -> None:
    said = [turn(number, thread=f"T{number % 3}", minutes=-number) for number in range(10)]
    await store.writing.record([*said, turn(99, author="mori")])
    ids = sorted(one.id for one in said)
    assert await walked(store, 3) == [ids[0:3], ids[3:6], ids[6:9], ids[9:]]
    assert await store.personal.written(SATO, ids[-1], 3) == []
    assert await store.personal.written(SATO, None, 0) == []


async def test_the_walk_goes_on_while_what_it_passed_is_withdrawn(store: Store) -> None:
    said = [turn(number) for number in range(10)]
    await store.writing.record(said)
    passed: list[str] = []
    while page := await store.personal.written(SATO, passed[-1] if passed else None, 4):
        for one in page:
            await store.mailbox.withdraw(one.id)
        passed += [one.id for one in page]
    assert passed == sorted(one.id for one in said)
    assert await store.personal.written(SATO, None, 4) == []


async def walked(store: Store, page: int) -> list[list[str]]:
    pages: list[list[str]] = []
    while found := await store.personal.written(SATO, pages[-1][-1] if pages else None, page):
        pages.append([one.id for one in found])
    return pages


async def test_words_for_others_are_ones_own_but_not_always_to_be_seen(store: Store) -> None:
    """A private word in somebody's ticket: an agent reads it again in a direct message, others do not."""
    private = turn(1, author="sato", requester="mori", visibility=Visibility.PRIVATE)
    await store.writing.record([private])
    assert await store.personal.written(SATO, None, 10) == []
    assert (await store.personal.kept(SATO, LATER)).messages == 0
    agent = Viewer(user="sato", agent=True)
    assert await store.personal.written(agent, None, 10) == [private]
    assert (await store.personal.kept(agent, LATER)).messages == 1


async def test_a_person_is_a_name_letter_for_letter(store: Store) -> None:
    await store.writing.record([turn(1, author="sa\x00to", requester="sa\x00to"), turn(2, author="Sato")])
    odd = Viewer(user="sa\x00to")
    assert (await store.personal.kept(odd, LATER)).messages == 1
    assert (await store.personal.kept(SATO, LATER)).messages == 0


_numbers = count()


# As in the suite of words: shrinking would write worlds for minutes.
@settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    lines=st.lists(LINES, min_size=1, max_size=9),
    viewers=st.lists(VIEWERS, min_size=2, max_size=3, unique=True),
    minute=st.integers(-1, 7),
)
async def test_every_viewer_gets_of_ones_own_what_may_be_read_and_nothing_else(
    store: Store, lines: list[Line], viewers: list[Viewer], minute: int
) -> None:
    until, number = NOON + timedelta(minutes=minute), next(_numbers)
    world = await build(store, [renamed(line, number) for line in lines])
    for viewer in (replace(viewer, user=f"{viewer.user}{number}") for viewer in viewers):
        own = [said for said in world.seen(viewer, LATER) if said.author == viewer.user]
        assert await store.personal.written(viewer, None, EVERYTHING) == sorted(own, key=lambda said: said.id)
        times = [said.said_at for said in own if said.said_at <= until]
        kept = Kept(messages=len(times), first_at=min(times, default=None), last_at=max(times, default=None))
        assert await store.personal.kept(viewer, until) == kept


def renamed(line: Line, number: int) -> Line:
    """People of their own for each world, as earlier ones are still there."""
    return replace(line, author=f"{line.author}{number}", requester=f"{line.requester}{number}")
