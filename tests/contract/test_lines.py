"""The port `Lines`, on every backend: where support talks about a ticket, what is passed on, and who is reminded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.lines import Copy, Line, Side
from memory.model import Conversation, Turn
from memory.tickets import Draft, State
from tests.fakes.episodes import episode_of
from tests.fakes.turns import NOON, turn
from tests.fakes.words import BACKENDS, Store, Watch, opened

HOUR = timedelta(hours=1)


@pytest.fixture(params=BACKENDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(request.param, tmp_path, Watch()) as store:
        yield store


def place(thread: str, platform: str = "slack") -> Conversation:
    return Conversation(platform=platform, workspace="T1", channel="support", thread=thread)


def line(ticket: str = "HD-1", thread: str = "n1", *, of: str = "T1") -> Line:
    return Line(ticket=ticket, conversation=turn(1, thread=of).conversation.id, place=place(thread))


def said(number: int, text: str = "hello", *, minutes: float = 0) -> Turn:
    return turn(number, text, ticket=None, thread="T1", minutes=minutes)


def owed(message: Turn, side: Side = Side.SUPPORT) -> Copy:
    return Copy(turn=message.id, side=side, at=NOON)


async def behind(store: Store, laid: Line) -> list[str]:
    return [copy.turn for copy in await store.lines.behind(laid)]


async def test_a_line_is_found_by_its_place_and_by_its_ticket(store: Store) -> None:
    await store.lines.lay(line(), NOON)
    await store.lines.lay(line(), NOON + HOUR)
    assert await store.lines.at(place("n1")) == line()
    assert await store.lines.at(place("n2")) is None
    assert await store.lines.of_ticket(line().conversation, "hd-1") == line()
    assert await store.lines.of_ticket(line().conversation, "HD-2") is None
    assert await store.lines.of_ticket("elsewhere", "HD-1") is None


async def test_of_several_lines_the_ticket_has_the_one_that_was_laid_last(store: Store) -> None:
    await store.lines.lay(line(thread="n1"), NOON)
    await store.lines.lay(line(thread="n2"), NOON + HOUR)
    await store.lines.lay(line(thread="n1"), NOON + 2 * HOUR)
    assert await store.lines.of_ticket(line().conversation, "HD-1") == line(thread="n2")
    assert await store.lines.at(place("n1")) == line(thread="n1")


async def test_when_who_asked_was_told_first_is_kept(store: Store) -> None:
    await store.lines.lay(line(), NOON)
    await store.lines.told(line(), NOON + HOUR)
    await store.lines.told(line(), NOON + 2 * HOUR)
    assert await store.lines.at(place("n1")) == replace(line(), told_at=NOON + HOUR)


async def test_a_copy_is_owed_once_and_behind_until_it_is_made(store: Store) -> None:
    first, second = said(1, minutes=5), said(2, minutes=1)
    await store.writing.record([first, second])
    await store.lines.lay(line(), NOON)
    assert await store.lines.owe(line(), owed(first))
    assert await store.lines.owe(line(), owed(second, Side.REQUESTER))
    assert not await store.lines.owe(line(), owed(first, Side.REQUESTER))
    # In the order in which they were said.
    assert await store.lines.behind(line()) == [owed(second, Side.REQUESTER), owed(first)]
    await store.lines.made(second.id, "m2", 1)
    assert await behind(store, line()) == [first.id]
    await store.lines.made(first.id, "m1", 1)
    assert await behind(store, line()) == []
    # That it is there already is known when its message is told again.
    assert not await store.lines.owe(line(), owed(first))


async def test_that_somebody_has_begun_to_make_a_copy_is_kept_until_it_is_certain_that_it_is_not_there(
    store: Store,
) -> None:
    message = said(1)
    await store.writing.record([message])
    await store.lines.lay(line(), NOON)
    await store.lines.owe(line(), owed(message))
    await store.lines.begin(message.id)
    assert await store.lines.behind(line()) == [replace(owed(message), begun=True)]
    assert not await store.lines.owe(line(), owed(message))
    assert await store.lines.behind(line()) == [replace(owed(message), begun=True)]
    await store.lines.undo(message.id)
    assert await store.lines.behind(line()) == [owed(message)]
    await store.lines.begin("unknown")
    await store.lines.undo("unknown")


async def test_a_copy_of_words_that_were_edited_is_behind(store: Store) -> None:
    message = said(1)
    await store.writing.record([message])
    await store.lines.lay(line(), NOON)
    await store.lines.owe(line(), owed(message))
    await store.lines.made(message.id, "m1", 1)
    await store.writing.record([replace(message, text="hello all")])
    [copy] = await store.lines.behind(line())
    assert (copy.turn, copy.message, copy.revision, copy.withdrawn) == (message.id, "m1", 1, False)
    await store.lines.made(message.id, "m1", 2)
    assert await behind(store, line()) == []


async def test_a_copy_of_words_that_were_taken_back_is_behind_until_it_is_dropped(store: Store) -> None:
    message = said(1)
    await store.writing.record([message])
    await store.lines.lay(line(), NOON)
    await store.lines.owe(line(), owed(message))
    await store.lines.made(message.id, "m1", 1)
    await store.mailbox.withdraw(message.id)
    [copy] = await store.lines.behind(line())
    assert (copy.turn, copy.message, copy.withdrawn) == (message.id, "m1", True)
    await store.lines.drop(message.id)
    await store.lines.drop(message.id)
    assert await behind(store, line()) == []


async def test_a_copy_whose_turn_was_erased_for_its_age_stays(store: Store) -> None:
    """Nobody took anything back; the turn was never recorded, which is the same to whoever looks."""
    message = said(1)
    await store.lines.lay(line(), NOON)
    await store.lines.owe(line(), owed(message))
    assert await behind(store, line()) == [message.id]
    await store.lines.made(message.id, "m1", 1)
    assert await behind(store, line()) == []


async def test_lines_with_something_to_do_are_found_by_platform_and_age(store: Store) -> None:
    other = line("HD-2", "n2", of="T2")
    elsewhere = replace(line("HD-3", "n3", of="T3"), place=place("n3", "teams"))
    for laid in (line(), other, elsewhere):
        await store.lines.lay(laid, NOON)
    await store.lines.owe(line(), owed(said(1)))
    await store.lines.owe(line(), owed(said(2)))
    await store.lines.owe(elsewhere, owed(said(3)))
    await store.lines.owe(other, replace(owed(said(4)), at=NOON - HOUR))
    assert await store.lines.waiting("slack", NOON, 9) == [line()]
    assert {one.ticket for one in await store.lines.waiting("slack", NOON - HOUR, 9)} == {"HD-1", "HD-2"}
    assert await store.lines.waiting("teams", NOON, 9) == [elsewhere]
    assert len(await store.lines.waiting("slack", NOON - HOUR, 1)) == 1


# --- reminders --------------------------------------------------------------------------------------------------------


async def ticket(store: Store, number: int, minutes: float) -> Line:
    """The ticket HD-`number`, opened so late, and its line."""
    message = turn(1, "VPN", ticket=None, thread=f"T{number}", minutes=minutes)
    await store.writing.record([message])
    opening = replace(message, message="1-ticket", text="opened")
    name = await store.ticket_writing.open(Draft(turn=message.id, title="VPN"), opening, "HD")
    laid = line(name, f"n{number}", of=f"T{number}")
    await store.lines.lay(laid, NOON)
    return laid


async def test_tickets_that_nobody_speaks_of_are_found_once_until_they_change(store: Store) -> None:
    first, second = await ticket(store, 1, 30), await ticket(store, 2, 10)
    await ticket(store, 3, 90)
    quiet, at = (State.OPEN, State.WAITING_FOR_SUPPORT), NOON + HOUR
    assert await store.lines.silent(quiet, at, 9) == [second, first]
    assert await store.lines.silent(quiet, at, 1) == [second]
    assert await store.lines.silent((State.RESOLVED,), at, 9) == []
    await store.lines.remind(second, 1)
    assert await store.lines.silent(quiet, at, 9) == [first]
    change = turn(2, "Kato takes it", ticket="HD-2", thread="T2", minutes=40, status="waiting for support")
    await store.ticket_writing.change("HD-2", 1, change)
    found = await store.lines.silent(quiet, at, 9)
    assert [replace(one, changed=0) for one in found] == [first, replace(second, reminder=1)]


async def test_a_ticket_with_two_lines_is_reminded_of_on_the_newest(store: Store) -> None:
    await ticket(store, 1, 0)
    newest = line(thread="again")
    await store.lines.lay(newest, NOON + HOUR)
    assert await store.lines.silent((State.OPEN,), NOON + HOUR, 9) == [newest]


async def test_a_reminder_is_due_until_it_was_given_and_given_once(store: Store) -> None:
    laid = await ticket(store, 1, 0)
    await store.lines.remind(laid, 1)
    await store.lines.remind(laid, 1)
    due = await store.lines.reminders("slack", 9)
    assert due == [replace(laid, reminder=1)]
    assert await store.lines.reminders("teams", 9) == []
    assert await store.lines.reminders("slack", 0) == []
    await store.lines.reminded(due[0])
    assert await store.lines.reminders("slack", 9) == []
    await store.lines.remind(laid, 1)
    assert await store.lines.reminders("slack", 9) == []
    await store.lines.remind(laid, 2)
    # Whoever still holds the older reminder gives no newer one away.
    await store.lines.reminded(due[0])
    assert await store.lines.reminders("slack", 9) == [replace(laid, reminder=2)]


# --- notes that show what is not so any more --------------------------------------------------------------------------


async def noted(store: Store) -> tuple[Turn, Line]:
    """The message of the ticket HD-1, and the line of the note that shows it."""
    await ticket(store, 1, 0)
    message = turn(1, "VPN", ticket=None, thread="T1")
    laid = replace(line("HD-1", "note", of="T1"), request=message.id)
    await store.lines.lay(laid, NOON + HOUR)
    return message, laid


async def stale(store: Store) -> list[tuple[str, bool]]:
    return sorted((one.place.thread, one.forgotten) for one in await store.lines.stale("slack", 9))


async def test_a_note_is_stale_from_the_edit_of_its_message_until_it_is_drawn(store: Store) -> None:
    message, _ = await noted(store)
    assert await stale(store) == []
    await store.writing.record([replace(message, text="the printer")])
    [found] = await store.lines.stale("slack", 9)
    await store.writing.record([replace(message, text="the scanner")])
    await store.lines.drawn(found)
    assert await stale(store) == [("note", False)]
    [found] = await store.lines.stale("slack", 9)
    await store.lines.drawn(found)
    assert await stale(store) == []
    assert await store.lines.stale("teams", 9) == []


async def test_a_note_is_stale_when_what_else_it_shows_gets_other_words_or_goes(store: Store) -> None:
    _, laid = await noted(store)
    cited, earlier = turn(1, "restart it", ticket="HD-9", thread="T9"), turn(2, "since noon", thread="T9")
    await store.writing.record([cited, earlier])
    await store.lines.shows(laid, [cited.id, earlier.id])
    assert await stale(store) == []
    await store.writing.record([replace(cited, text="do not restart it")])
    assert await stale(store) == [("note", False)]
    [found] = await store.lines.stale("slack", 9)
    await store.lines.shows(found, [earlier.id])
    await store.lines.drawn(found)
    assert await stale(store) == []
    await store.writing.record([replace(cited, text="do restart it")])
    assert await stale(store) == []
    await store.mailbox.withdraw(earlier.id)
    assert await stale(store) == [("note", False)]


async def test_every_note_of_a_ticket_is_stale_from_each_change_until_it_is_drawn(store: Store) -> None:
    await noted(store)
    await ticket(store, 2, 0)
    change = turn(1, "Kato takes it", ticket="HD-1", thread="T1", minutes=9, status="waiting for support")
    await store.ticket_writing.change("HD-1", 1, replace(change, message="HD-1-take"))
    assert await stale(store) == [("n1", False), ("note", False)]
    seen = await store.lines.at(place("note"))
    assert seen is not None
    await store.lines.drawn(seen)
    assert await stale(store) == [("n1", False)]
    # The same act again changes nothing.
    await store.ticket_writing.change("HD-1", 1, replace(change, message="HD-1-take"))
    assert await stale(store) == [("n1", False)]
    for found in await store.lines.stale("slack", 9):
        await store.lines.drawn(found)
    assert await stale(store) == []


async def test_a_note_is_stale_when_its_message_was_taken_back(store: Store) -> None:
    message, laid = await noted(store)
    await store.mailbox.withdraw(message.id)
    assert await stale(store) == [("note", False)]
    assert await store.lines.stale("slack", 0) == []
    assert (await store.lines.at(laid.place) or laid).request == message.id


async def test_a_note_is_stale_when_its_words_were_erased_for_their_age_and_so_is_one_of_a_ticket_that_is_gone(
    store: Store,
) -> None:
    message, _ = await noted(store)
    said = await store.writing.open_run(message.conversation.id)
    cut = episode_of(said)
    await store.writing.store_episodes(message.conversation.id, [cut])
    await store.writing.mark_flushed([cut])
    await store.writing.erase([cut.id])
    assert await stale(store) == [("n1", False), ("note", False)]


async def test_the_notes_of_who_is_forgotten_are_known_though_the_tickets_are_gone(store: Store) -> None:
    message, laid = await noted(store)
    await store.lines.forget("somebody else")
    assert await stale(store) == []
    await store.lines.forget(message.requester)
    for one in await store.writing.open_run(message.conversation.id):
        await store.mailbox.withdraw(one.id)
    assert await stale(store) == [("n1", True), ("note", True)]
    for found in await store.lines.stale("slack", 9):
        await store.lines.drawn(found)
    assert await stale(store) == []
    assert laid.forgotten is False
    there = await store.lines.at(laid.place)
    assert there is not None
    assert there.forgotten is True
