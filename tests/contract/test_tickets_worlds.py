"""The ports of tickets, on every backend, in random worlds: what is seen, and that rows say what the turns say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.errors import StepRefused, TicketMoved, TicketUnknown
from memory.model import Conversation, Turn, Viewer
from memory.remember.segments import cut
from memory.stores.in_memory_words import InMemoryStore
from memory.text.statuses import is_settled
from memory.tickets import Draft, State, Ticket, TicketFilter
from tests.contract.test_words_scope import LINES, VIEWERS, Line, World, build
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

AGENT = Viewer(user="kato", agent=True)
ANY = TicketFilter()
LATER = NOON + timedelta(days=1)
EVERYTHING = 10_000
_examples = count()

# As in the suite of words: shrinking would write worlds for minutes.
some_worlds = settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


@pytest.fixture
def twin() -> InMemoryStore:
    """The same for all examples, as the store is."""
    return InMemoryStore(clock=Watch())


# --- what is seen -----------------------------------------------------------------------------------------------------


@some_worlds
@given(
    lines=st.lists(LINES, min_size=1, max_size=9),
    viewers=st.lists(VIEWERS, min_size=2, max_size=3, unique=True),
)
async def test_every_viewer_sees_the_tickets_whose_first_message_the_rule_allows(
    store: Store, lines: list[Line], viewers: list[Viewer]
) -> None:
    world = await build(store, lines)
    places = {said.conversation for said in world.turns}
    for viewer in viewers:
        seen = [ticket for place in places for ticket in as_tickets(world, viewer, place)]
        by_name = sorted(seen, key=lambda ticket: ticket.name)
        newest = sorted(by_name, key=lambda ticket: ticket.changed_at, reverse=True)
        assert await listed(store, viewer, ANY, places) == newest
        own = [ticket for ticket in newest if ticket.requester == viewer.user]
        assert await listed(store, viewer, TicketFilter(requester=viewer.user), places) == own
        names = sorted({place.thread for place in places})
        assert await store.tickets.named(names, viewer) == by_name
        for place in places:
            known = as_tickets(world, viewer, place)
            assert await store.tickets.of_conversation(place.id, viewer) == known
            # Each turn of these worlds gives another status, its number.
            told = [said for said in world.seen(viewer, LATER) if said.conversation == place] if known else []
            assert await store.tickets.history(place.thread, viewer) == told


async def listed(store: Store, viewer: Viewer, which: TicketFilter, places: set[Conversation]) -> list[Ticket]:
    """Of this world only, as earlier ones are still there."""
    found = await store.tickets.listed(viewer, which, None, EVERYTHING)
    return [ticket for ticket in found if ticket.conversation in places]


def as_tickets(world: World, viewer: Viewer, place: Conversation) -> list[Ticket]:
    """The ticket of this conversation, if it may be seen: worked out from what may be read alone."""
    said = [one for one in world.turns if one.conversation == place]
    if not world.may(viewer, said[0]):
        return []
    return [
        Ticket(
            name=place.thread,
            ours=False,
            conversation=place,
            opened_by=said[0].id,
            requester=said[0].requester,
            visibility=said[0].visibility,
            title="words",
            category=None,
            status=next(one.status for one in reversed(said) if world.may(viewer, one)),
            state=State.OPEN,
            assignee=None,
            opened_at=said[0].said_at,
            changed_at=said[-1].said_at,
            changes=len(said),
        )
    ]


# --- whatever happens in whatever order -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that happens in one of two conversations."""

    what: str
    place: int
    message: int
    minute: int
    text: str
    ticket: str | None
    status: str | None
    assignee: str | None


ACTS = st.builds(
    Act,
    what=st.sampled_from(
        ("say", "say", "say", "receive", "open", "open", "change", "change", "withdraw", "flush", "erase")
    ),
    place=st.integers(0, 1),
    message=st.integers(1, 4),
    minute=st.integers(0, 6),
    text=st.sampled_from(("old", "new")),
    ticket=st.sampled_from((None, None, None, "INC-1", "inc-2")),
    status=st.sampled_from((None, "waiting for user", "resolved", "closed", "reopened")),
    assignee=st.sampled_from((None, "", "abe")),
)


@some_worlds
@given(acts=st.lists(ACTS, min_size=8, max_size=24))
async def test_rows_say_what_the_turns_say_whatever_happens(store: Store, twin: InMemoryStore, acts: list[Act]) -> None:
    """Each backend does as the twin does, and both tell of a ticket what is read off its turns."""
    example = next(_examples)
    for act in acts:
        assert await done(store, act, example) == await done(twin, act, example), act
    for place in (0, 1):
        here = turn(1, thread=f"{example}-{place}").conversation.id
        turns = await store.reading.recent(here, AGENT, LATER, EVERYTHING)
        assert turns == await twin.reading.recent(here, AGENT, LATER, EVERYTHING)
        tickets = await store.tickets.of_conversation(here, AGENT)
        assert tickets == await twin.tickets.of_conversation(here, AGENT)
        assert await store.writing.open_run(here) == await twin.writing.open_run(here)
        check(tickets, turns)
        await check_lists(store, tickets, here)


async def done(store: Store, act: Act, example: int) -> object:
    """What came of it."""
    said = turn(act.message, act.text, thread=f"{example}-{act.place}", ticket=act.ticket, minutes=act.minute)
    try:
        return await ACTIONS[act.what](store, act, said)
    except (StepRefused, TicketMoved, TicketUnknown) as error:
        return type(error)


async def say(store: Store, act: Act, said: Turn) -> object:
    return await store.writing.record([replace(said, status=act.status) if act.ticket else said])


async def receive(store: Store, _: Act, said: Turn) -> object:
    return await store.mailbox.receive(said)


async def open_ticket(store: Store, act: Act, said: Turn) -> object:
    opening = replace(said, message=f"{act.message}-ticket", ticket=None)
    return await store.ticket_writing.open(Draft(turn=said.id, title=act.text), opening, "HD")


async def change(store: Store, act: Act, said: Turn) -> object:
    """The newest ticket; what was seen of it is sometimes no longer so."""
    for known in (await store.tickets.of_conversation(said.conversation.id, AGENT))[-1:]:
        await store.ticket_writing.change(known.name, known.changes - act.minute // 6, step(act, said))
    return None


def step(act: Act, said: Turn) -> Turn:
    return replace(said, message=f"step-{act.message}", ticket=None, status=act.status, assignee=act.assignee)


async def withdraw(store: Store, act: Act, said: Turn) -> object:
    return await store.mailbox.withdraw((step(act, said) if act.minute > 4 else said).id)


async def flush(store: Store, _: Act, said: Turn) -> object:
    run = await store.writing.open_run(said.conversation.id)
    episodes = cut(run, silence=timedelta(hours=1), max_tokens=1_000)
    gone = await store.writing.store_episodes(said.conversation.id, episodes)
    await store.writing.mark_flushed(episodes)
    return gone


async def erase(store: Store, _: Act, said: Turn) -> object:
    """The episode that begins first."""
    episodes = await store.writing.episodes_after(None, EVERYTHING)
    here = [episode for episode in episodes if episode.conversation == said.conversation]
    return await store.writing.erase([episode.id for episode in sorted(here, key=lambda one: one.first_at)[:1]])


ACTIONS: dict[str, Callable[[Store, Act, Turn], Awaitable[object]]] = {
    "say": say,
    "receive": receive,
    "open": open_ticket,
    "change": change,
    "withdraw": withdraw,
    "flush": flush,
    "erase": erase,
}


def check(tickets: Sequence[Ticket], turns: Sequence[Turn]) -> None:
    """Whatever happened, the tickets are those that the turns name, and stand as the turns say."""
    assert {ticket.name.casefold() for ticket in tickets} == {said.ticket.casefold() for said in turns if said.ticket}
    for ticket in tickets:
        said = [one for one in turns if one.ticket and one.ticket.casefold() == ticket.name.casefold()]
        telling = [one for one in said if (one.title, one.status, one.assignee) != (None, None, None)]
        assert ticket.changes == len(telling)
        assert ticket.changed_at == said[-1].said_at
        assert ticket.opened_by in {one.id for one in said}
        assert ticket.name.startswith("HD") or ticket.opened_by == said[0].id
        assert ticket.status == next((one.status for one in reversed(said) if one.status is not None), None)
        assigned = next((one.assignee for one in reversed(said) if one.assignee is not None), None)
        assert ticket.assignee == (assigned or None)


async def check_lists(store: Store, tickets: Sequence[Ticket], conversation: str) -> None:
    """Lists find by the rows what `tickets` tells."""
    for which, fits in (
        (TicketFilter(open=True), [one for one in tickets if not is_settled(one.status)]),
        (TicketFilter(open=False), [one for one in tickets if is_settled(one.status)]),
        (TicketFilter(assignee="abe"), [one for one in tickets if one.assignee == "abe"]),
    ):
        found = await store.tickets.listed(AGENT, which, None, EVERYTHING)
        here = {one.name for one in found if one.conversation.id == conversation}
        assert here == {one.name for one in fits}
