"""The ports of tickets, on every backend."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.errors import StepRefused, TicketMoved, TicketUnknown
from memory.model import DIRECT, Role, Turn, Viewer, Visibility
from memory.remember.segments import cut
from memory.tickets import Draft, Place, State, Ticket, TicketFilter
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import BACKENDS, Store, Watch
from tests.fakes.words import opened as opened_store

LATER = NOON + timedelta(days=1)
SATO = Viewer(user="sato")
AGENT = Viewer(user="kato", agent=True)
ANY = TicketFilter()
PLACE = conversation("T1")


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened_store(request.param, tmp_path, Watch()) as store:
        yield store


def said(message: int | str, text: str = "hello", *, minutes: float = 0, thread: str = "T1", **more: object) -> Turn:
    """Something said in a conversation, as a chat platform delivers it: it names no ticket."""
    return turn(message, text, ticket=None, thread=thread, minutes=minutes, **more)  # type: ignore[arg-type]


def opening(of: Turn) -> Turn:
    """The turn that says that a ticket was made of this one."""
    return replace(of, message=f"{of.message}-ticket", text="A ticket was opened.", author="kato", role=Role.AGENT)


async def opened(store: Store, of: Turn, title: str = "VPN down", category: str | None = None) -> str:
    """The message and what was said before are recorded already."""
    return await store.ticket_writing.open(Draft(turn=of.id, title=title, category=category), opening(of), "HD")


async def ticket(store: Store, name: str = "HD-1", viewer: Viewer = AGENT) -> Ticket:
    [found] = await store.tickets.named([name], viewer)
    return found


async def changed(
    store: Store, name: str, message: str, *, status: str | None = None, assignee: str | None = None, minutes: float = 5
) -> None:
    known = await ticket(store, name)
    step = turn(message, "…", ticket=None, thread=known.conversation.thread, minutes=minutes, author="kato")
    step = replace(step, conversation=known.conversation, role=Role.AGENT, status=status, assignee=assignee)
    await store.ticket_writing.change(name, known.changes, step)


async def tickets_of(store: Store, thread: str = "T1") -> dict[str, str | None]:
    """By message, the ticket that it belongs to."""
    turns = await store.reading.recent(conversation(thread).id, AGENT, LATER, 100)
    return {said.message: said.ticket for said in turns}


async def test_a_ticket_is_told_as_it_stands(store: Store) -> None:
    asked = said(1, "My VPN is down", visibility=Visibility.CHANNEL)
    await store.writing.record([asked])
    assert await opened(store, asked, "VPN down", "network") == "HD-1"
    assert await ticket(store) == Ticket(
        name="HD-1",
        ours=True,
        conversation=PLACE,
        opened_by=asked.id,
        requester="sato",
        visibility=Visibility.CHANNEL,
        title="VPN down",
        category="network",
        status="open",
        state=State.OPEN,
        assignee=None,
        opened_at=NOON,
        changed_at=NOON,
        changes=1,
    )
    await changed(store, "HD-1", "take", status=State.WAITING_FOR_SUPPORT, assignee="kato", minutes=5)
    await store.writing.record([said(2, "Any news?", minutes=9)])
    assert await ticket(store) == replace(
        await ticket(store),
        status="waiting for support",
        state=State.WAITING_FOR_SUPPORT,
        assignee="kato",
        changed_at=NOON + timedelta(minutes=9),
        changes=2,
    )


async def test_numbers_count_up_by_prefix_and_pass_names_that_are_taken(store: Store) -> None:
    asked = [said(1, thread=f"T{number}") for number in range(1, 6)]
    await store.writing.record([*asked, turn(1, ticket="hd-3", thread="other")])
    assert [await opened(store, one) for one in asked[:4]] == ["HD-1", "HD-2", "HD-4", "HD-5"]
    await store.mailbox.withdraw(opening(asked[3]).id)
    await store.mailbox.withdraw(asked[3].id)
    assert await opened(store, asked[4]) == "HD-6"
    other = said(1, thread="T9")
    await store.writing.record([other])
    draft = Draft(turn=other.id, title="Mouse")
    assert await store.ticket_writing.open(draft, opening(other), "IT") == "IT-1"


async def test_opened_at_once_each_has_a_number_of_its_own(store: Store) -> None:
    asked = [said(1, thread=f"T{number}") for number in range(12)]
    await store.writing.record(asked)
    names = await asyncio.gather(*(opened(store, one) for one in asked))
    assert sorted(names) == sorted(f"HD-{number}" for number in range(1, 13))


async def test_the_same_message_is_the_same_ticket(store: Store) -> None:
    asked = said(1)
    await store.writing.record([asked])
    assert set(await asyncio.gather(*(opened(store, asked, f"title {n}") for n in range(4)))) == {"HD-1"}
    assert (await ticket(store)).changes == 1
    await changed(store, "HD-1", "done", status=State.RESOLVED)
    assert await opened(store, asked) == "HD-1"
    assert (await ticket(store)).state is State.RESOLVED


async def test_a_message_that_is_not_there_becomes_no_ticket(store: Store) -> None:
    with pytest.raises(TicketUnknown):
        await opened(store, said(1))
    await store.writing.record([said(1)])
    elsewhere = opening(said(1, thread="T2"))
    with pytest.raises(TicketUnknown):
        await store.ticket_writing.open(Draft(turn=said(1).id, title="x"), elsewhere, "HD")
    assert await store.tickets.listed(AGENT, ANY, None, 10) == []


async def test_a_conversation_has_one_ticket_at_a_time(store: Store) -> None:
    await store.writing.record([said(1), said(2, minutes=1)])
    await opened(store, said(1))
    with pytest.raises(StepRefused):
        await opened(store, said(2, minutes=1))
    await changed(store, "HD-1", "done", status=State.RESOLVED, minutes=5)
    with pytest.raises(StepRefused):  # It was said while that one was open: it is to be reopened.
        await opened(store, said(2, minutes=1))
    await store.writing.record([said(3, minutes=6)])
    assert await opened(store, said(3, minutes=6)) == "HD-2"
    both = await store.tickets.of_conversation(PLACE.id, AGENT)
    assert [(one.name, one.state) for one in both] == [("HD-1", State.RESOLVED), ("HD-2", State.OPEN)]


async def test_a_settled_ticket_does_not_come_back_beside_an_open_one(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    await changed(store, "HD-1", "done", status=State.RESOLVED)
    await store.writing.record([said(2, minutes=6)])
    await opened(store, said(2, minutes=6))
    with pytest.raises(StepRefused, match="HD-2 is under way in the conversation of HD-1"):
        await changed(store, "HD-1", "again", status=State.REOPENED, minutes=7)
    await changed(store, "HD-1", "closed", status=State.CLOSED, minutes=7)
    await changed(store, "HD-2", "done-2", status=State.RESOLVED, minutes=8)
    await changed(store, "HD-1", "again", status=State.REOPENED, minutes=9)
    assert (await ticket(store)).state is State.REOPENED


async def test_a_message_of_an_imported_ticket_becomes_no_other(store: Store) -> None:
    await store.writing.record([turn(1, thread="T1", ticket="INC-1")])
    with pytest.raises(StepRefused):
        await opened(store, said(1))


async def test_what_is_said_from_the_message_on_belongs_to_the_ticket(store: Store) -> None:
    await store.writing.record([said("before", minutes=-1), said(1), said("beside"), said(2, minutes=1)])
    await opened(store, said(1))
    late = [said("late", minutes=2), said("earlier", minutes=-2), said("other", thread="T2", minutes=2)]
    await store.writing.record(late)
    await store.mailbox.receive(said("asked", minutes=3))
    assert await tickets_of(store) == {
        "earlier": None,
        "before": None,
        "1": "HD-1",
        "beside": "HD-1",
        "1-ticket": "HD-1",
        "2": "HD-1",
        "late": "HD-1",
        "asked": "HD-1",
    }
    assert await tickets_of(store, "T2") == {"other": None}


async def test_what_was_said_before_it_was_settled_belongs_to_it_however_late_it_comes(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    await changed(store, "HD-1", "done", status=State.RESOLVED, minutes=5)
    await changed(store, "HD-1", "closed", status=State.CLOSED, minutes=9)
    await store.writing.record([said("thanks", minutes=7), said("late", minutes=4)])
    assert {"thanks": None, "late": "HD-1"}.items() <= (await tickets_of(store)).items()
    await changed(store, "HD-1", "again", status=State.REOPENED, minutes=10)
    await store.writing.record([said("more", minutes=11)])
    assert (await tickets_of(store))["more"] == "HD-1"


async def test_a_delivery_that_names_no_ticket_takes_none_away(store: Store) -> None:
    await store.writing.record([said(1, "old words")])
    await opened(store, said(1))
    assert (await store.writing.record([said(1, "old words")])).repeated == 1
    assert (await store.writing.record([said(1, "new words")])).revised == 1
    assert (await store.writing.record([said(1, "old words")])).repeated == 1
    assert (await store.writing.record([replace(said(1, "new words"), ticket="HD-1")])).repeated == 1
    [known] = await store.reading.turns([said(1).id], AGENT, LATER)
    assert (known.text, known.ticket) == ("new words", "HD-1")
    assert [one.message for one in await store.reading.named("hd-1/1", AGENT, LATER)] == ["1"]
    assert await store.reading.named("T1", AGENT, LATER) == []


async def test_an_edit_of_what_was_said_before_the_ticket_stays_outside(store: Store) -> None:
    await store.writing.record([said("before", minutes=-1), said(1)])
    await opened(store, said(1))
    assert (await store.writing.record([said("before", "edited", minutes=-1)])).revised == 1
    assert (await tickets_of(store))["before"] is None


async def test_a_change_is_made_on_what_was_seen(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    first, second = (replace(opening(said(n)), status=State.WAITING_FOR_SUPPORT) for n in (2, 3))
    await store.ticket_writing.change("hd-1", 1, first)
    with pytest.raises(TicketMoved):
        await store.ticket_writing.change("HD-1", 1, second)
    await store.ticket_writing.change("HD-1", 1, first)
    assert (await ticket(store)).changes == 2
    assert second.message not in await tickets_of(store)


async def test_of_two_changes_at_once_one_is_made(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    steps = [replace(opening(said(n)), assignee=f"agent {n}") for n in range(2, 6)]
    outcomes = await asyncio.gather(
        *(store.ticket_writing.change("HD-1", 1, step) for step in steps), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", *["TicketMoved"] * 3]
    assert (await ticket(store)).changes == 2


async def test_only_a_ticket_of_ours_in_this_conversation_is_changed(store: Store) -> None:
    await store.writing.record([turn(1, ticket="INC-7", thread="T1", status="open"), said(1, thread="T2")])
    await opened(store, said(1, thread="T2"))
    for name, thread in (("INC-7", "T1"), ("HD-1", "T1"), ("HD-9", "T2")):
        with pytest.raises(TicketUnknown):
            await store.ticket_writing.change(name, 1, opening(said(5, thread=thread)))


async def test_a_change_comes_after_the_one_that_it_saw_whatever_the_clocks_say(store: Store) -> None:
    await store.writing.record([said(1)])
    await store.ticket_writing.open(Draft(turn=said(1).id, title="x"), opening(said(1, minutes=-3)), "HD")
    await changed(store, "HD-1", "take", status=State.WAITING_FOR_SUPPORT, minutes=8)
    await changed(store, "HD-1", "done", status=State.RESOLVED, minutes=6)
    assert (await ticket(store)).state is State.RESOLVED
    history = await store.tickets.history("HD-1", AGENT)
    assert [(one.message, one.said_at - NOON) for one in history] == [
        ("1", timedelta()),
        ("1-ticket", timedelta()),
        ("take", timedelta(minutes=8)),
        ("done", timedelta(minutes=8)),
    ]


async def test_a_ticket_that_is_handed_back_has_nobody(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    await changed(store, "HD-1", "take", assignee="kato")
    assert [one.name for one in await store.tickets.listed(AGENT, TicketFilter(assignee="kato"), None, 9)] == ["HD-1"]
    await changed(store, "HD-1", "back", assignee="", status=State.OPEN)
    assert (await ticket(store)).assignee is None
    assert await store.tickets.listed(AGENT, TicketFilter(assignee="kato"), None, 9) == []
    [state] = await store.reading.tickets(["HD-1"], AGENT, LATER)
    assert state.assignee is None


async def test_the_history_leaves_out_what_changed_nothing(store: Store) -> None:
    await store.writing.record(
        [
            turn(1, ticket="INC-1", title="VPN", status="open"),
            turn(2, ticket="INC-1", title="VPN", status="open", minutes=1),
            turn(3, ticket="INC-1", title="VPN", status="resolved", minutes=2),
            turn(4, ticket="INC-1", minutes=3),
        ]
    )
    assert [one.message for one in await store.tickets.history("inc-1", AGENT)] == ["1", "3"]
    assert await store.tickets.history("INC-2", AGENT) == []


async def test_imported_tickets_are_told_by_their_turns(store: Store) -> None:
    await store.writing.record(
        [
            turn(2, "On it", status="対応中", minutes=5, author="kato"),
            turn(1, "VPN is  down", minutes=1),
            turn(3, "Works", status="解決済み", minutes=9),
        ]
    )
    assert await ticket(store, "ＩＮＣ-1") == Ticket(
        name="INC-1",
        ours=False,
        conversation=conversation("INC-1"),
        opened_by=turn(1).id,
        requester="sato",
        visibility=Visibility.EVERYONE,
        title="VPN is down",
        category=None,
        status="解決済み",
        state=State.RESOLVED,
        assignee=None,
        opened_at=NOON + timedelta(minutes=1),
        changed_at=NOON + timedelta(minutes=9),
        changes=2,
    )


async def test_a_late_first_message_opens_an_imported_ticket_and_none_of_ours(store: Store) -> None:
    await store.writing.record([turn(2, minutes=2), said(1)])
    await opened(store, said(1))
    early = replace(said(0, minutes=-5), ticket="HD-1")
    await store.writing.record([turn(1, minutes=1), early])
    assert (await ticket(store, "INC-1")).opened_by == turn(1).id
    assert (await ticket(store, "HD-1")).opened_by == said(1).id


async def test_of_two_tickets_of_one_name_ours_is_meant_or_else_the_oldest(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    await store.writing.record([turn(1, thread="old", ticket="HD-1", minutes=-9)])
    await store.writing.record([turn(1, thread=f"t{n}", ticket="7", minutes=n) for n in (3, 1, 2)])
    named = await store.tickets.named(["7", "hd-1", "HD-1", "8"], AGENT)
    assert [(one.name, one.conversation.thread) for one in named] == [("7", "t1"), ("HD-1", "T1")]


async def test_an_edit_that_names_another_ticket_leaves_the_old_one(store: Store) -> None:
    await store.writing.record([turn(1, ticket="INC-1"), turn(2, ticket="INC-1", minutes=1)])
    await store.writing.record([turn(1, ticket="INC-2"), turn(2, ticket="INC-2", minutes=1)])
    assert [one.name for one in await store.tickets.listed(AGENT, ANY, None, 10)] == ["INC-2"]


async def listed(store: Store, viewer: Viewer = AGENT, limit: int = 10, **which: object) -> list[str]:
    found = await store.tickets.listed(viewer, TicketFilter(**which), None, limit)  # type: ignore[arg-type]
    return [one.name for one in found]


async def test_lists_are_by_the_last_change_and_by_what_is_looked_for(store: Store) -> None:
    for number, requester in enumerate(("sato", "mori", "sato", "mori"), 1):
        asked = said(1, thread=f"T{number}", minutes=number, requester=requester, author=requester)
        await store.writing.record([asked])
        await opened(store, asked, category="network" if number > 2 else None)
    await changed(store, "HD-1", "take", status=State.WAITING_FOR_SUPPORT, assignee="kato", minutes=20)
    await changed(store, "HD-2", "done", status=State.RESOLVED, assignee="kato", minutes=30)
    await changed(store, "HD-3", "close", status=State.CLOSED, minutes=10)
    assert await listed(store) == ["HD-2", "HD-1", "HD-3", "HD-4"]
    assert await listed(store, limit=2) == ["HD-2", "HD-1"]
    assert await listed(store, limit=0) == []
    assert await listed(store, requester="sato") == ["HD-1", "HD-3"]
    assert await listed(store, assignee="kato") == ["HD-2", "HD-1"]
    assert await listed(store, open=True) == ["HD-1", "HD-4"]
    assert await listed(store, open=False) == ["HD-2", "HD-3"]
    assert await listed(store, category="network") == ["HD-3", "HD-4"]
    assert await listed(store, open=True, category="network", requester="mori") == ["HD-4"]
    assert await listed(store, open=True, assignee="kato") == ["HD-1"]


async def test_a_list_goes_on_where_it_stopped_also_among_those_that_changed_at_once(store: Store) -> None:
    names = [f"INC-{number}" for number in (3, 10, 2, 1)]
    await store.writing.record([turn(1, thread=name, ticket=name) for name in names])
    await store.writing.record(
        [turn(1, thread="a", ticket="A", minutes=1), turn(1, thread="z", ticket="z", minutes=-1)]
    )
    pages: list[list[str]] = []
    after: Place | None = None
    while page := await store.tickets.listed(AGENT, ANY, after, 2):
        pages.append([one.name for one in page])
        after = Place(changed_at=page[-1].changed_at, name=page[-1].name)
    assert pages == [["A", "INC-1"], ["INC-10", "INC-2"], ["INC-3", "z"]]


async def test_a_ticket_is_seen_by_who_may_see_the_message_that_opened_it(store: Store) -> None:
    private = said(1, channel=DIRECT, visibility=Visibility.PRIVATE)
    await store.writing.record([private])
    await store.ticket_writing.open(Draft(turn=private.id, title="Salary"), opening(private), "HD")
    place = private.conversation.id
    for viewer, seen in (
        (SATO, True),
        (AGENT, True),
        (Viewer(user="mori"), False),
        (Viewer(user="sato", channel="it-help"), False),
        (Viewer(user="kato", agent=True, confined=True), False),
    ):
        assert bool(await store.tickets.named(["HD-1"], viewer)) is seen, viewer
        assert bool(await store.tickets.listed(viewer, ANY, None, 9)) is seen, viewer
        assert bool(await store.tickets.of_conversation(place, viewer)) is seen, viewer
        assert bool(await store.tickets.history("HD-1", viewer)) is seen, viewer


async def test_an_edit_that_hides_the_message_hides_the_ticket(store: Store) -> None:
    await store.writing.record([turn(1, "VPN", requester="sato")])
    mori = Viewer(user="mori")
    assert await listed(store, mori) == ["INC-1"]
    await store.writing.record([turn(1, "VPN", requester="abe", visibility=Visibility.PRIVATE)])
    assert await listed(store, mori) == await listed(store, SATO) == []
    assert await listed(store, Viewer(user="abe")) == ["INC-1"]
    assert await listed(store, AGENT, requester="abe") == ["INC-1"]


async def test_words_that_a_viewer_may_not_see_title_no_ticket(store: Store) -> None:
    inner = turn(2, "internal", title="Lay-off", status="on hold", visibility=Visibility.PRIVATE, minutes=1)
    await store.writing.record(
        [turn(1, "VPN is down", status="open"), replace(inner, requester="kato", assignee="abe")]
    )
    seen = await ticket(store, "INC-1", SATO)
    assert (seen.title, seen.status, seen.assignee, seen.changes) == ("VPN is down", "open", "abe", 2)
    assert [one.message for one in await store.tickets.history("INC-1", SATO)] == ["1"]
    whole = await ticket(store, "INC-1", AGENT)
    assert (whole.title, whole.status) == ("Lay-off", "on hold")


async def test_what_is_taken_back_or_erased_leaves_the_ticket(store: Store) -> None:
    asked = said(1, "My password is hunter2")
    await store.writing.record([asked, said(2, "It works", minutes=1)])
    await opened(store, asked)
    await changed(store, "HD-1", "take", status=State.WAITING_FOR_SUPPORT, assignee="kato")
    await store.mailbox.withdraw(turn("take", thread="T1").id)
    assert await ticket(store) == replace(await ticket(store), assignee=None, state=State.OPEN, changes=1)
    await store.mailbox.withdraw(opening(asked).id)
    await store.mailbox.withdraw(asked.id)
    left = await ticket(store)
    assert (left.title, left.opened_by, left.opener_gone, left.changes) == ("HD-1", said(2).id, True, 0)
    await store.writing.record([said(3, "Thanks", minutes=2)])
    assert ((await ticket(store)).title, (await ticket(store)).opener_gone) == ("HD-1", True)
    await store.mailbox.withdraw(said(3, "Thanks", minutes=2).id)
    await store.mailbox.withdraw(said(2).id)
    assert await store.tickets.named(["HD-1"], AGENT) == []
    assert await store.tickets.listed(AGENT, ANY, None, 9) == []


@pytest.mark.parametrize("words", ["The VPN is down. Since noon.", "The VPN is down.\nSince noon."])
async def test_a_ticket_without_a_title_has_the_first_sentence_of_its_message_as_it_is_now(
    store: Store, words: str
) -> None:
    asked = said(1, "Something else")
    await store.writing.record([asked])
    await store.ticket_writing.open(Draft(turn=asked.id), opening(asked), "HD")
    await store.writing.record([replace(asked, text=words)])
    assert (await ticket(store)).title == "The VPN is down."
    [told] = await store.reading.turns([opening(asked).id], AGENT, LATER)
    assert told.title is None


async def test_an_imported_ticket_whose_first_message_is_gone_has_its_name(store: Store) -> None:
    asked = turn(1, "My VPN is down", ticket="INC-1", thread="INC-1")
    await store.writing.record([asked, turn(2, "What a pity", ticket="INC-1", thread="INC-1", minutes=1)])
    assert (await ticket(store, "INC-1")).title == "My VPN is down"
    await store.mailbox.withdraw(asked.id)
    assert (await ticket(store, "INC-1")).title == "INC-1"


@pytest.mark.parametrize("status", ["解決済み", "closed"])
async def test_a_settled_ticket_stays_so_although_who_settled_it_is_forgotten(store: Store, status: str) -> None:
    asked = turn(1, "VPN is down", minutes=0)
    helped = turn(2, "Restart it", minutes=1, author="kato", role=Role.AGENT, status="in_progress")
    helped = replace(helped, assignee="kato")
    reply = turn("1-reply", "I do not know", minutes=3, author="helpdesk", role=Role.BOT, derived=True)
    thanked = turn(3, "Thanks", minutes=2, status=status)
    await store.writing.record([asked, helped, thanked, reply])
    await flush(store, "INC-1")
    await store.mailbox.withdraw(thanked.id)
    await store.mailbox.withdraw(asked.id)
    left = await ticket(store, "INC-1")
    assert (left.state, left.title, left.assignee) == (State.CLOSED, "INC-1", "kato")
    await store.writing.record([helped])
    assert (await ticket(store, "INC-1")).state is State.CLOSED
    assert {one.message for one in await store.writing.open_run(left.conversation.id)} == {"2", "1-reply"}


async def titles(store: Store) -> dict[str, set[str | None]]:
    """By ticket, the titles that any way of reading gives."""
    names = [one.name for one in await store.tickets.listed(AGENT, ANY, None, 10)]
    states = {one.ticket: one for one in await store.reading.tickets(names, AGENT, LATER)}
    found: dict[str, set[str | None]] = {}
    for name in names:
        named = await ticket(store, name)
        listed = await store.tickets.listed(AGENT, TicketFilter(requester=named.requester), None, 10)
        here = await store.tickets.of_conversation(named.conversation.id, AGENT)
        changes = [one.title for one in await store.tickets.history(name, AGENT)]
        told = [one.title for one in (named, *listed, *here) if one.name == name]
        found[name] = {*told, *changes, states[name].title} - {None}
    return found


@pytest.mark.parametrize("way", ["the messages", "the author"])
async def test_what_is_about_to_be_taken_back_gives_no_title_and_the_rest_is_told_as_before(
    store: Store, way: str
) -> None:
    asked, moris = said(1, "My VPN is down"), said(1, "The screen flickers", thread="T2", author="mori")
    called = turn(1, "words", thread="INC-1", title="Payroll of Sato", status="open")
    named = turn(2, "more", thread="INC-1", title="Payroll", author="kato", minutes=1)
    await store.writing.record([asked, replace(moris, requester="mori"), called])
    for one in (asked, replace(moris, requester="mori")):
        await store.ticket_writing.open(Draft(turn=one.id), opening(one), "HD")
    before = await ticket(store)
    assert await titles(store) == {
        "HD-1": {"My VPN is down"},
        "HD-2": {"The screen flickers"},
        "INC-1": {"Payroll of Sato"},
    }

    await (store.mailbox.all_will_go("sato") if way == "the author" else store.mailbox.will_go(asked.id, called.id))
    await store.mailbox.will_go("never came")

    assert await titles(store) == {"HD-1": {"HD-1"}, "HD-2": {"The screen flickers"}, "INC-1": {"INC-1"}}
    assert await ticket(store) == replace(before, title="HD-1")
    await store.writing.record([replace(asked, text="My VPN is down, edited"), named])
    assert await titles(store) == {"HD-1": {"HD-1"}, "HD-2": {"The screen flickers"}, "INC-1": {"Payroll"}}
    # The words themselves are read until they are gone.
    assert [one.text for one in await store.reading.turns([called.id], AGENT, LATER)] == ["words"]


async def test_what_was_taken_up_again_is_not_settled_by_forgetting(store: Store) -> None:
    done = turn(2, "Works", minutes=1, status="resolved")
    again = turn(3, "It is back", minutes=2, author="kato", status="reopened")
    await store.writing.record([turn(1, "VPN is down"), done, again])
    await store.mailbox.withdraw(done.id)
    assert (await ticket(store, "INC-1")).state is State.REOPENED


async def test_what_belongs_to_a_ticket_is_cut_anew(store: Store) -> None:
    turns = [said(1, minutes=0), said(2, minutes=1), said(3, minutes=2)]
    await store.writing.record(turns)
    await flush(store)
    assert [episode.ticket for episode in await store.writing.episodes_after(None, 10)] == [None]
    await opened(store, turns[1])
    assert [one.message for one in await store.writing.open_run(PLACE.id)] == ["1", "2", "2-ticket", "3"]
    await flush(store)
    episodes = sorted(await store.writing.episodes_after(None, 10), key=lambda episode: episode.first_at)
    assert [(one.ticket, [said.message for said in one.turns]) for one in episodes] == [
        (None, ["1"]),
        ("HD-1", ["2", "2-ticket", "3"]),
    ]


async def test_a_flush_under_way_does_not_mark_what_came_to_a_ticket_meanwhile(store: Store) -> None:
    await store.writing.record([said(1)])
    run = await store.writing.open_run(PLACE.id)
    episodes = cut(run, silence=timedelta(hours=1), max_tokens=1_000)
    await opened(store, said(1))
    await store.writing.store_episodes(PLACE.id, episodes)
    await store.writing.mark_flushed(episodes)
    assert [one.message for one in await store.writing.open_run(PLACE.id)] == ["1", "1-ticket"]


async def flush(store: Store, thread: str = "T1") -> None:
    place = conversation(thread).id
    run = await store.writing.open_run(place)
    episodes = cut(run, silence=timedelta(hours=1), max_tokens=1_000)
    await store.writing.store_episodes(place, episodes)
    await store.writing.mark_flushed(episodes)


async def test_erased_tickets_are_gone(store: Store) -> None:
    await store.writing.record([said(1)])
    await opened(store, said(1))
    await flush(store)
    await store.writing.erase([episode.id for episode in await store.writing.episodes_after(None, 10)])
    assert await store.tickets.listed(AGENT, ANY, None, 9) == []
    await store.writing.record([said(1)])
    assert await tickets_of(store) == {"1": None}


async def test_tickets_of_which_nothing_was_heard_are_found_by_their_state_the_longest_silent_first(
    store: Store,
) -> None:
    asked = [said(1, thread=f"T{number}", minutes=number) for number in range(1, 5)]
    imported = turn(1, ticket="INC-1", thread="other", status="解決済み", minutes=-9)
    await store.writing.record([*asked, imported])
    for number, one in enumerate(asked, start=1):
        await opened(store, one)
        if number != 3:
            await changed(store, f"HD-{number}", "end", status=State.RESOLVED, minutes=20 - number)
    late = NOON + timedelta(minutes=30)
    idle = store.ticket_writing.idle

    assert await idle((State.RESOLVED, State.WAITING_FOR_USER), late, 9) == ["HD-4", "HD-2", "HD-1"]
    assert await idle((State.RESOLVED,), late, 2) == ["HD-4", "HD-2"]
    assert await idle((State.RESOLVED,), NOON + timedelta(minutes=18), 9) == ["HD-4"]
    assert await idle((State.OPEN,), late, 9) == ["HD-3"]
    assert await idle((State.CLOSED,), late, 9) == await idle((), late, 9) == []
