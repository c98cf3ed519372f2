"""Opening and changing a ticket is one transaction: what `kill -9` leaves on the disk is all of it or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from memory.model import Viewer
from memory.stores.sql import SqlStore, open_store
from memory.tickets import Draft, State, Ticket
from tests.fakes.turns import conversation, turn
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
