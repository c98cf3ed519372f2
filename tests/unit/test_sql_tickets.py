"""Tickets in SQL: a process that dies, several at once, and databases from before there were rows."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, event, insert, text

from memory.model import Viewer
from memory.redaction import RedactedTurn
from memory.stores.sql import SqlStore, open_store
from memory.stores.sql_rows import row_of
from memory.stores.tables import turns
from memory.stores.tables_lines import ticket_lines
from memory.stores.tables_tickets import tickets
from memory.stores.ticket_rules import Opened, part_of, standing
from memory.tickets import Draft, State, Ticket, TicketFilter
from tests.fakes import postgres
from tests.fakes.old_database import migrated_to
from tests.fakes.turns import NOON, conversation, turn
from tests.fakes.words import Watch, place

AGENT = Viewer(user="kato", agent=True)
ASKED = turn(1, "VPN is down", ticket=None)
OPENING = replace(ASKED, message="opening", status=None)
RESOLVED = replace(ASKED, message="resolved", status=State.RESOLVED)


async def snapshots(store: SqlStore, folder: Path, act: Callable[[], Awaitable[object]]) -> list[Path]:
    """The database's files as they lie on the disk before each statement of `act`, and before its commit."""
    file = Path(str(store.database.engine.url.database))
    taken: list[Path] = []

    def take(*_: Any) -> None:
        taken.append(folder / f"died-{len(taken)}")
        taken[-1].mkdir(parents=True)
        for each in file.parent.glob(f"{file.name}*"):
            shutil.copy(each, taken[-1])

    engine = store.database.engine.sync_engine
    for moment in ("before_cursor_execute", "commit"):
        event.listen(engine, moment, take)
    await act()
    for moment in ("before_cursor_execute", "commit"):
        event.remove(engine, moment, take)
    return taken


async def left(folder: Path, name: str) -> tuple[list[Ticket], dict[str, tuple[str | None, int]], int]:
    """The tickets that the next process finds, to which the messages belong, and how many numbers were given."""
    async with open_store(f"sqlite:///{folder / name}", busy_seconds=5, clock=Watch()) as store:
        tickets = await store.tickets.of_conversation(conversation().id, AGENT)
        run = await store.writing.open_run(conversation().id)
        async with store.database.reading() as connection:
            given = await connection.scalar(text("SELECT coalesce(sum(last), 0) FROM ticket_numbers"))
    return tickets, {said.message: (said.ticket, said.revision) for said in run}, int(given or 0)


@pytest.mark.timeout(300)
async def test_a_process_that_dies_while_it_opens_or_changes_a_ticket_leaves_all_or_nothing(tmp_path: Path) -> None:
    async with (
        place("sqlite", tmp_path) as url,
        open_store(url, busy_seconds=5, clock=Watch()) as store,
    ):
        file = Path(url.removeprefix("sqlite:///")).name
        await store.writing.record([ASKED, turn(2, ticket=None, minutes=1)])
        draft = Draft(turn=ASKED.id, title="VPN")
        opening = await snapshots(store, tmp_path / "opening", lambda: store.ticket_writing.open(draft, OPENING, "HD"))
        changing = await snapshots(
            store, tmp_path / "changing", lambda: store.ticket_writing.change("HD-1", 1, RESOLVED)
        )
        [ticket] = await store.tickets.of_conversation(conversation().id, AGENT)

    assert min(len(opening), len(changing)) > 5
    for folder in opening:
        assert await left(folder, file) == ([], {"1": (None, 1), "2": (None, 1)}, 0)
    whole = {"1": ("HD-1", 2), "2": ("HD-1", 2), "opening": ("HD-1", 1)}
    before = replace(ticket, status="open", state=State.OPEN, changes=1)
    for folder in changing:
        assert await left(folder, file) == ([before], whole, 1)
    assert (ticket.state, ticket.changes) == (State.RESOLVED, 2)


@pytest.mark.timeout(300)
async def test_a_process_that_dies_while_a_ticket_is_forgotten_owes_that_or_has_forgotten_nothing(
    tmp_path: Path,
) -> None:
    async with place("sqlite", tmp_path) as url, open_store(url, busy_seconds=5, clock=Watch(), tracked=True) as store:
        file = Path(url.removeprefix("sqlite:///")).name
        await store.writing.record([ASKED])
        await store.ticket_writing.open(Draft(turn=ASKED.id), OPENING, "HD")
        died = await snapshots(store, tmp_path, lambda: store.mailbox.withdraw(ASKED.id))
        await store.mailbox.withdraw(OPENING.id)
        assert [one.forgotten for one in await store.deliveries.listed(9)] == [False, True]
    assert len(died) > 5
    for folder in died:
        assert await remembered_or_owed(f"sqlite:///{folder / file}") == (True, False)


@pytest.mark.timeout(300)
async def test_a_process_that_dies_while_messages_are_taken_back_has_taken_back_all_or_none(tmp_path: Path) -> None:
    said = [turn(number, minutes=number) for number in range(1, 4)]
    async with place("sqlite", tmp_path) as url, open_store(url, busy_seconds=5, clock=Watch()) as store:
        file = Path(url.removeprefix("sqlite:///")).name
        await store.writing.record(said)
        died = await snapshots(store, tmp_path, lambda: store.mailbox.withdraw(*[one.id for one in said]))
        assert (await store.writing.counts())["turns"] == 0
    assert len(died) > 5
    for folder in died:
        async with open_store(f"sqlite:///{folder / file}", busy_seconds=5, clock=Watch()) as store:
            assert (await store.writing.counts())["turns"] == 3


async def remembered_or_owed(url: str) -> tuple[bool, bool]:
    """Whether the message is there, and whether the tracker is to be told that its ticket is forgotten."""
    async with open_store(url, busy_seconds=5, clock=Watch(), tracked=True) as store:
        found = await store.reading.turns([ASKED.id], AGENT, NOON + timedelta(days=1))
        return bool(found), any(one.forgotten for one in await store.deliveries.listed(9))


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'old.db'}"
        return
    postgres.require()
    async with postgres.database() as address_of_new:
        yield address_of_new


async def test_tickets_that_were_imported_before_there_were_rows_have_theirs(url: str) -> None:
    said = [
        turn(1, "VPN is down", ticket="INC-1", title="VPN", status="open"),
        turn(2, ticket="inc-1", status="解決済み", minutes=2),
        turn(3, ticket=None, minutes=3),
        turn(1, "Mouse", ticket="INC-2", thread="other", minutes=1),
        *(turn(1, ticket=f"T-{number}", thread=f"t{number}", minutes=-number) for number in range(1, 450)),
    ]
    rows = [row_of(RedactedTurn(each), NOON) for each in said]
    then = [{name: value for name, value in row.items() if name != "room"} for row in rows]
    await migrated_to(url, "0007", [insert(turns).values(then)])
    async with open_store(url, busy_seconds=20, clock=Watch()) as store:
        found = await store.tickets.listed(AGENT, TicketFilter(), None, 1_000)
        assert [ticket.name for ticket in found] == ["INC-1", "INC-2", *(f"T-{number}" for number in range(1, 450))]
        [vpn] = await store.tickets.named(["INC-1"], AGENT)
        assert (vpn.title, vpn.state, vpn.changes, vpn.opened_by) == ("VPN", State.RESOLVED, 2, said[0].id)
        assert vpn.changed_at == NOON + timedelta(minutes=2)
        await store.mailbox.withdraw(said[1].id)
        assert [ticket.name for ticket in await store.tickets.listed(AGENT, TicketFilter(open=False), None, 9)] == [
            "INC-1"
        ]


async def test_of_requests_of_who_was_forgotten_before_their_notes_tell_whose_they_are_no_more(url: str) -> None:
    """INC-1 was forgotten with who asked; of INC-2 one message went; INC-3 is as it was."""
    said = [
        replace(turn(1, "I look at it", thread=name, ticket=name, author="okabe"), requester="sato")
        for name in ("INC-1", "INC-2", "INC-3")
    ]
    rows: list[Executable] = []
    for number, one in enumerate(said, start=1):
        opened = Opened(turn=one.id, category=None)
        row = asdict(standing((one.conversation.id, one.ticket or ""), [part_of(one)], opened, opener_gone=number < 3))
        del row["requester_gone"]
        where = one.conversation
        line = {"id": f"line-{number}", "conversation_id": where.id, "key": row["key"], "name": one.ticket}
        at = {"platform": "slack", "workspace": "T1", "channel": "C0", "thread": str(number), "laid_at": NOON}
        rows += [
            insert(turns).values(row_of(RedactedTurn(one), NOON)),
            insert(tickets).values(row),
            insert(ticket_lines).values({**line, **at, "forgotten": number == 1}),
        ]
    await migrated_to(url, "0030", rows)
    async with open_store(url, busy_seconds=20, clock=Watch()) as store:
        its = await store.tickets.listed(AGENT, TicketFilter(requester="sato"), None, 9)
        assert {one.name for one in its} == {"INC-2", "INC-3"}
        assert len(await store.tickets.listed(AGENT, TicketFilter(), None, 9)) == 3


async def test_what_another_process_records_while_a_ticket_opens_belongs_to_it(url: str) -> None:
    async with (
        open_store(url, busy_seconds=20, clock=Watch()) as one,
        open_store(url, busy_seconds=20, clock=Watch()) as other,
    ):
        for number in range(6):
            asked = turn("asked", thread=f"T{number}", ticket=None)
            await one.writing.record([asked])
            later = [turn(n, thread=f"T{number}", ticket=None, minutes=n) for n in range(1, 9)]
            draft, opening = Draft(turn=asked.id, title="VPN"), replace(asked, message="opening")
            opens = [store.ticket_writing.open(draft, opening, "HD") for store in (one, other)]
            records = [(one, other)[n % 2].writing.record([said]) for n, said in enumerate(later)]
            [first, second], _ = await asyncio.gather(asyncio.gather(*opens), asyncio.gather(*records))
            assert first == second
            said = await one.reading.recent(asked.conversation.id, AGENT, NOON + timedelta(days=1), 100)
            messages = {"asked", "opening", *(each.message for each in later)}
            assert {(each.message, each.ticket) for each in said} == {(message, first) for message in messages}
            [ticket] = await other.tickets.named([first], AGENT)
            assert ticket.changed_at == later[-1].said_at


async def test_processes_that_record_turns_of_one_ticket_leave_the_row_that_all_of_them_make(url: str) -> None:
    said = [turn(number, minutes=number, status=str(number)) for number in range(24)]
    async with (
        open_store(url, busy_seconds=20, clock=Watch()) as one,
        open_store(url, busy_seconds=20, clock=Watch()) as other,
    ):
        await asyncio.gather(*((one, other)[n % 2].writing.record([each]) for n, each in enumerate(said)))
        [ticket] = await one.tickets.named(["INC-1"], AGENT)
        assert (ticket.changes, ticket.changed_at, ticket.opened_by) == (24, said[-1].said_at, said[0].id)
