"""What was learned from a ticket and shared with everybody, on every backend: read by all, and nothing else of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model import DIRECT, Role, Turn, Viewer, Visibility
from memory.remember.segments import cut
from memory.tickets import Draft, TicketFilter, shared_place
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

LATER = NOON + timedelta(days=1)
AGENT = Viewer(user="kato", agent=True)
#: A colleague, a channel, a guest.
MORI, CHANNEL = Viewer(user="mori"), Viewer(user="mori", channel="it-help")
GUEST = Viewer(user="guest", channel="it-help", confined=True)


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """The private ticket HD-1, and what an agent shared of it."""
    async with opened(request.param, tmp_path, Watch()) as store:
        asked = turn(1, "My salary is wrong", ticket=None, thread="T1", channel=DIRECT, visibility=Visibility.PRIVATE)
        await store.writing.record([asked])
        opening = replace(asked, message="1-ticket", text="A ticket was opened.", role=Role.AGENT, author="kato")
        assert await store.ticket_writing.open(Draft(turn=asked.id, title="Salary"), opening, "HD") == "HD-1"
        await store.writing.record([await shared(store, "Clear the cache of the pay slip.")])
        yield store


async def shared(store: Store, text: str) -> Turn:
    [ticket] = await store.tickets.named(["HD-1"], AGENT)
    approved = turn("resolution", text, ticket=None, author="kato", role=Role.AGENT, requester="kato", minutes=9)
    return replace(approved, conversation=shared_place(ticket))


@pytest.mark.parametrize(
    ("viewer", "read"),
    [(MORI, ["Clear the cache of the pay slip."]), (CHANNEL, ["Clear the cache of the pay slip."]), (GUEST, [])],
    ids=["a colleague", "in a channel", "a guest"],
)
async def test_it_is_read_by_the_tickets_name_without_the_ticket(store: Store, viewer: Viewer, read: list[str]) -> None:
    assert [one.text for one in await store.reading.named("HD-1", viewer, LATER)] == read
    assert await store.tickets.named(["HD-1"], viewer) == []


async def test_it_is_no_ticket_of_its_own(store: Store) -> None:
    assert [one.name for one in await store.tickets.listed(AGENT, TicketFilter(), None, 9)] == ["HD-1"]
    [ticket] = await store.tickets.named(["HD-1"], AGENT)
    assert (ticket.requester, ticket.changes) == ("sato", 1)


async def test_its_episode_has_the_tickets_name_and_none_of_its_words(store: Store) -> None:
    place = (await shared(store, "")).conversation
    run = await store.writing.open_run(place.id)
    [episode] = cut(run, silence=timedelta(hours=1), max_tokens=1_000)
    assert (episode.name, episode.ticketed, episode.scope.visibility) == ("HD-1", True, Visibility.EVERYONE)
    assert [one.text for one in episode.turns] == ["Clear the cache of the pay slip."]


async def test_sharing_other_words_is_a_revision(store: Store) -> None:
    assert (await store.writing.record([await shared(store, "Sign in again.")])).revised == 1
    assert [one.text for one in await store.reading.named("HD-1", MORI, LATER)] == ["Sign in again."]
