"""The port `Personal`, on every backend: what is one's own, as far as `memory.scope.may_read` allows it here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.model import DIRECT, Role, Turn, Viewer, Visibility
from memory.personal import Kept, Request
from tests.contract.test_words_scope import LINES, VIEWERS, Line, World, build
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

LATER = NOON + timedelta(days=1)
SATO = Viewer(user="sato")
EVERYTHING = 10_000


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


async def titles(store: Store, viewer: Viewer = SATO, *, until: datetime = LATER, limit: int = 10) -> list[str]:
    return [request.title for request in await store.personal.requests(viewer, until, limit)]


async def test_a_request_is_told_as_a_list_of_tickets_shows_it(store: Store) -> None:
    said = [
        turn(1, "VPN is down", title="VPN down", status="open"),
        turn(2, "On it", author="kato", role=Role.AGENT, status="in_progress", minutes=5),
        turn(3, "Works again", title="VPN down in Osaka", minutes=9),
    ]
    await store.writing.record(said[::-1])
    assert await store.personal.requests(SATO, LATER, 10) == [
        Request(
            conversation=conversation("INC-1"),
            message="1",
            ticket="INC-1",
            title="VPN down in Osaka",
            status="in_progress",
            open=True,
            opened_at=NOON,
            changed_at=NOON + timedelta(minutes=9),
        )
    ]


async def test_a_request_is_told_as_it_was_at_the_time(store: Store) -> None:
    await store.writing.record([turn(1, title="VPN", status="open"), turn(2, status="resolved", minutes=10)])
    [before] = await store.personal.requests(SATO, NOON + timedelta(minutes=9), 10)
    [after] = await store.personal.requests(SATO, NOON + timedelta(minutes=10), 10)
    assert (before.status, before.open, before.changed_at) == ("open", True, NOON)
    assert (after.status, after.open, after.changed_at) == ("resolved", False, NOON + timedelta(minutes=10))
    assert await store.personal.requests(SATO, NOON - timedelta(minutes=1), 10) == []


@pytest.mark.parametrize(
    ("status", "is_open"), [("対応中", True), ("解決済み", False), ("Closed", False), (None, True)]
)
async def test_a_request_is_open_until_its_status_says_otherwise(
    store: Store, status: str | None, is_open: bool
) -> None:
    await store.writing.record([turn(1, status=status)])
    [request] = await store.personal.requests(SATO, LATER, 10)
    assert (request.status, request.open) == (status, is_open)


async def test_without_a_title_the_first_words_stand_for_it(store: Store) -> None:
    await store.writing.record(
        [
            turn(1, "  プリンタが  動きません\n昨日から ", ticket=None, thread="a"),
            turn(1, "x" * 81, ticket=None, thread="b", minutes=1),
            turn(1, "y" * 80, ticket=None, thread="c", minutes=2),
            turn(1, " \n ", ticket=None, thread="d", minutes=3),
        ]
    )
    assert await titles(store) == ["d", "y" * 80, "x" * 79 + "…", "プリンタが 動きません"]


async def test_the_request_that_changed_last_comes_first_and_no_more_than_asked_for(store: Store) -> None:
    for number, minutes in enumerate((5, 1, 9)):
        await store.writing.record([turn(1, f"request {number}", thread=f"T{number}", minutes=minutes)])
    await store.writing.record([turn(2, "Any news?", thread="T1", author="kato", minutes=20)])
    assert await titles(store) == ["request 1", "request 2", "request 0"]
    assert await titles(store, limit=2) == ["request 1", "request 2"]
    assert await titles(store, limit=0) == []


async def test_requests_that_changed_at_the_same_moment_have_a_lasting_order(store: Store) -> None:
    await store.writing.record([turn(1, thread=f"T{number}", ticket=None) for number in range(20)])
    found = [request.conversation.id for request in await store.personal.requests(SATO, LATER, 20)]
    assert found == sorted(found)
    assert len(found) == 20
    assert [request.conversation.id for request in await store.personal.requests(SATO, LATER, 3)] == found[:3]


async def test_what_the_bot_said_is_no_request_and_changes_none(store: Store) -> None:
    await store.writing.record(
        [
            turn(1, "VPN is down"),
            turn("1-reply", "It was", author="helpdesk", role=Role.BOT, minutes=5, derived=True),
            turn("1-reply", "Hello", thread="T2", author="helpdesk", role=Role.BOT, derived=True),
        ]
    )
    [request] = await store.personal.requests(SATO, LATER, 10)
    assert (request.title, request.changed_at) == ("VPN is down", NOON)


async def test_what_others_ask_for_in_the_same_conversation_is_theirs(store: Store) -> None:
    await store.writing.record([turn(1, "My VPN"), turn(2, "Mine too", author="mori", requester="mori", minutes=1)])
    assert await titles(store) == ["My VPN"]
    assert await titles(store, Viewer(user="mori")) == ["Mine too"]
    assert await titles(store, Viewer(user="kato", agent=True)) == []


async def test_a_request_shows_in_a_channel_what_the_channel_may_see(store: Store) -> None:
    await store.writing.record(
        [
            turn(1, "My salary", title="Salary", visibility=Visibility.PRIVATE, status="open"),
            turn(2, "The VPN", visibility=Visibility.CHANNEL, minutes=1),
            turn(1, "A secret", thread="T2", visibility=Visibility.PRIVATE, channel=DIRECT),
        ]
    )
    [seen] = await store.personal.requests(Viewer(user="sato", channel="it-help"), LATER, 10)
    assert (seen.message, seen.title, seen.status) == ("2", "The VPN", None)
    assert await titles(store, Viewer(user="sato", channel="lunch")) == []
    assert await titles(store) == ["Salary", "A secret"]


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
    assert len(await store.personal.requests(odd, LATER, 10)) == 1
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
        assert await store.personal.requests(viewer, until, EVERYTHING) == requests(world, viewer, until)
        assert await store.personal.requests(viewer, until, 1) == requests(world, viewer, until)[:1]
        own = [said for said in world.seen(viewer, LATER) if said.author == viewer.user]
        assert await store.personal.written(viewer, None, EVERYTHING) == sorted(own, key=lambda said: said.id)
        times = [said.said_at for said in own if said.said_at <= until]
        kept = Kept(messages=len(times), first_at=min(times, default=None), last_at=max(times, default=None))
        assert await store.personal.kept(viewer, until) == kept


def renamed(line: Line, number: int) -> Line:
    """People of their own for each world, as earlier ones are still there."""
    return replace(line, author=f"{line.author}{number}", requester=f"{line.requester}{number}")


def requests(world: World, viewer: Viewer, until: datetime) -> list[Request]:
    """Worked out from what may be read alone. In these worlds a turn's status is its number, which settles nothing."""
    matters: dict[str, list[Turn]] = {}
    for said in world.seen(viewer, until):
        if said.requester == viewer.user and not said.derived:
            matters.setdefault(said.conversation.id, []).append(said)
    return sorted(map(as_request, matters.values()), key=lambda one: (LATER - one.changed_at, one.conversation.id))


def as_request(said: Sequence[Turn]) -> Request:
    return Request(
        conversation=said[0].conversation,
        message=said[0].message,
        ticket=said[0].ticket,
        title="words",
        status=said[-1].status,
        open=True,
        opened_at=said[0].said_at,
        changed_at=said[-1].said_at,
    )
