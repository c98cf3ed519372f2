"""The reads that happen all the time walk an index of the turns, never the whole table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from memory.incidents import Incident, Phase
from memory.lines import Copy, Line, Side
from memory.model import Viewer
from memory.stores.sql import SqlStore, open_store
from memory.tickets import Draft, Place, State, TicketFilter
from tests.fakes.turns import NOON, conversation, ticket_turns, turn
from tests.fakes.words import Watch, episode, note, place

LATER = NOON + timedelta(days=1)
HERE = conversation().id
CHAT = turn(1, thread="chat", ticket=None)
DRAFT = Draft(turn=CHAT.id, title="VPN")
INCIDENT = Incident(
    id="I-1",
    phase=Phase.SUSPECTED,
    platform="slack",
    workspace="T1",
    language="en",
    began_at=NOON,
    changed_at=NOON,
    people=0,
)
LINE = Line(ticket="INC-1", conversation=HERE, place=conversation("note"))
BEHIND = Place(changed_at=LATER, name="INC-9")
VIEWERS = [
    Viewer(user="sato"),
    Viewer(user="sato", channel="it-help"),
    Viewer(user="kato", agent=True),
]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    """A few conversations, partly flushed, and what SQLite knows about its tables."""
    async with (
        place("sqlite", tmp_path) as url,
        open_store(url, busy_seconds=5, clock=Watch()) as store,
    ):
        for number in range(6):
            said = ticket_turns(20, thread=f"INC-{number}")
            await store.writing.record(said)
            await store.writing.store_episodes(said[0].conversation.id, [episode(f"E{number}", said)])
            await store.writing.store_note(note(f"E{number}"))
            await store.writing.mark_flushed([episode(f"E{number}", said)])
        await store.writing.record([turn("new", thread="INC-1"), CHAT])
        yield store


async def plans(store: SqlStore, read: Callable[[], Awaitable[object]]) -> list[str]:
    """The steps of every statement that `read` runs."""
    asked: list[tuple[str, Any]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    engine = store.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", listen)
    await read()
    event.remove(engine, "before_cursor_execute", listen)
    assert asked
    steps = []
    async with store.database.reading() as connection:
        for statement, parameters in asked:
            if statement.startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
                explained = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps += [row.detail for row in explained]
    return steps


READS: dict[str, Callable[[SqlStore, Viewer], Awaitable[object]]] = {
    "recent": lambda store, viewer: store.reading.recent(HERE, viewer, LATER, 5),
    "live": lambda store, viewer: store.reading.live(HERE, viewer, LATER, 60),
    "turns": lambda store, viewer: store.reading.turns([turn(1).id, turn(2).id], viewer, LATER),
    "as_of": lambda store, viewer: store.reading.as_of([turn(1).id, turn(2).id], viewer, LATER),
    "episodes": lambda store, viewer: store.reading.episodes(["E1", "E2", "E3"], viewer, LATER),
    "notes": lambda store, viewer: store.reading.notes(["E1", "E2"], viewer),
    "named": lambda store, viewer: store.reading.named("INC-1/3", viewer, LATER),
    "tickets": lambda store, viewer: store.reading.tickets(["INC-1", "INC-2"], viewer, LATER),
    "kept": lambda store, viewer: store.personal.kept(viewer, LATER),
    "newest": lambda store, viewer: store.personal.newest(viewer, LATER, 10),
    "written": lambda store, viewer: store.personal.written(viewer, "5", 10),
    "listed": lambda store, viewer: store.tickets.listed(viewer, TicketFilter(), None, 10),
    "listed on": lambda store, viewer: store.tickets.listed(viewer, TicketFilter(), BEHIND, 10),
    "open tickets": lambda store, viewer: store.tickets.listed(viewer, TicketFilter(open=True), None, 10),
    "my tickets": lambda store, viewer: store.tickets.listed(viewer, TicketFilter(requester="sato"), None, 10),
    "taken tickets": lambda store, viewer: store.tickets.listed(viewer, TicketFilter(assignee="kato"), None, 10),
    "of a category": lambda store, viewer: store.tickets.listed(viewer, TicketFilter(category="vpn"), None, 10),
    "named tickets": lambda store, viewer: store.tickets.named(["INC-1", "INC-2"], viewer),
    "of_conversation": lambda store, viewer: store.tickets.of_conversation(HERE, viewer),
    "history": lambda store, viewer: store.tickets.history("INC-1", viewer),
    "open": lambda store, _: store.ticket_writing.open(DRAFT, replace(CHAT, message="opening"), "HD"),
    "change": lambda store, _: store.ticket_writing.change("HD-1", 1, replace(CHAT, message="change")),
    "idle": lambda store, _: store.ticket_writing.idle((State.RESOLVED, State.CLOSED), LATER, 10),
    "circles": lambda store, _: store.membership.circles("slack", "C1", 10),
    "authors": lambda store, _: store.membership.authors("slack", "C1"),
    "engaged": lambda store, _: store.mailbox.engaged(HERE, LATER),
    "receive": lambda store, _: store.mailbox.receive(turn(1)),
    "withdraw": lambda store, _: store.mailbox.withdraw(turn(20, thread="INC-3").id),
    "will go": lambda store, _: store.mailbox.will_go(turn(20, thread="INC-3").id),
    "all will go": lambda store, _: store.mailbox.all_will_go("sato"),
    "signs": lambda store, _: store.incidents.signs(NOON, LATER, 10),
    "reports": lambda store, _: store.incidents.reports("I-1", 10),
    "gather": lambda store, _: store.incidents.gather(INCIDENT, [turn(1).id]),
    "join": lambda store, _: store.incidents.join("I-1", turn(1).id),
    "seen": lambda store, _: store.incidents.seen("I-1"),
    "incidents": lambda store, _: store.incidents.listed(10, going_on=False),
    "incidents under way": lambda store, _: store.incidents.listed(10, going_on=True),
    "untold": lambda store, _: store.incidents.untold("slack", 10),
    "owed": lambda store, _: store.incidents.owed("slack", 10),
    "unsubscribe": lambda store, _: store.incidents.forget("sato"),
    "spent": lambda store, _: store.ledger.spent_since(NOON),
    "spent by a person": lambda store, _: store.ledger.spent_by("sato", NOON),
    "line": lambda store, _: store.lines.at(LINE.place),
    "line of a ticket": lambda store, _: store.lines.of_ticket(HERE, "INC-1"),
    "owe": lambda store, _: store.lines.owe(LINE, Copy(turn=CHAT.id, side=Side.SUPPORT, at=NOON)),
    "behind": lambda store, _: store.lines.behind(LINE),
    "made": lambda store, _: store.lines.made(CHAT.id, "m", 1),
    "lines waiting": lambda store, _: store.lines.waiting("slack", NOON, 10),
    "silent": lambda store, _: store.lines.silent((State.OPEN, State.WAITING_FOR_SUPPORT), LATER, 10),
    "remind": lambda store, _: store.lines.remind(LINE, 1),
    "stale notes": lambda store, _: store.lines.stale("slack", 10),
    "reminders": lambda store, _: store.lines.reminders("slack", 10),
    "followers owed": lambda store, _: store.followers.owed("slack", 10),
    "forget followers": lambda store, _: store.followers.forget("sato"),
    "deliveries due": lambda store, _: store.deliveries.due(LATER, 10),
    "deliveries of a ticket": lambda store, _: store.deliveries.of_ticket("HD-1"),
    "delivered": lambda store, _: store.deliveries.told("t"),
    "old deliveries": lambda store, _: store.deliveries.drop_old(NOON),
    "tally": lambda store, _: store.feedback.tally(LATER),
    "forget": lambda store, _: store.feedback.forget("sato"),
    "claim acts": lambda store, _: store.acts.claim("slack", "here", LATER, 60, 10),
    "act done": lambda store, _: store.acts.done("A1"),
    "forget acts": lambda store, _: store.acts.forget("sato"),
    "sealed": lambda store, _: store.vault.sealed("bot/T1"),
    "take": lambda store, _: store.vault.take("bot/T1"),
    "due": lambda store, _: store.writing.due(LATER, 10, 10),
    "open_run": lambda store, _: store.writing.open_run(HERE),
    "episodes_of": lambda store, _: store.writing.episodes_of(["E1", "E2"]),
    "expired": lambda store, _: store.writing.expired(LATER, 10),
    "mark_flushed": lambda store, _: store.writing.mark_flushed([episode("E1", ticket_turns(1))]),
    "pin": lambda store, _: store.writing.pin(["E1"], True),
    "erase": lambda store, _: store.writing.erase(["E5"]),
    "record": lambda store, _: store.writing.record([replace(turn(1), text="edited")]),
}


@pytest.mark.parametrize("viewer", VIEWERS, ids=["direct", "channel", "agent"])
async def test_no_read_walks_the_whole_table(store: SqlStore, viewer: Viewer) -> None:
    walks = {
        name: [step for step in await plans(store, partial(read, store, viewer)) if _walks(step)]
        for name, read in READS.items()
    }
    assert walks == {name: [] for name in READS}


def _walks(step: str) -> bool:
    """`SCAN turns USING INDEX ix_turns_pending` walks over what is pending only, which is what `due` is about; and a
    list of tickets ends where it is full."""
    return step.startswith(_SCANS) and not step.endswith(_BOUNDED)


_BOUNDED = tuple(
    f"USING INDEX {name}"
    for name in ("ix_turns_pending", "ix_tickets_changed", "ix_tickets_open", "ix_incidents_began")
)

#: By the tables' names.
_SCANS = tuple(
    f"SCAN {name}"
    for name in (
        "turns",
        "tickets",
        "feedback",
        "vault",
        "acts",
        "incident",
        "ticket_lines",
        "ticket_copies",
        "ticket_deliveries",
        "ticket_followers",
    )
)


@pytest.mark.parametrize("viewer", VIEWERS, ids=["direct", "channel", "agent"])
@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("kept", "ix_turns_written (author=?)"),
        ("written", "ix_turns_written (author=? AND id>?)"),
        ("my tickets", "ix_tickets_requester (requester=?)"),
        ("taken tickets", "ix_tickets_assignee (assignee=?)"),
        ("of a category", "ix_tickets_category (category=?)"),
        ("open tickets", "ix_tickets_open"),
        ("listed", "ix_tickets_changed"),
        ("listed on", "ix_tickets_changed (changed_at<?)"),
        ("idle", "ix_tickets_state (state=? AND changed_at<?)"),
        ("history", "ix_turns_ticket (conversation_id=? AND name_key=?)"),
        ("line of a ticket", "ix_ticket_lines_ticket (conversation_id=? AND key=?)"),
        ("behind", "ix_ticket_copies_line (line=?)"),
        ("lines waiting", "ix_ticket_copies_at (at>?)"),
        ("silent", "ix_tickets_state (state=? AND changed_at<?)"),
        ("reminders", "ix_ticket_lines_reminder (platform=?)"),
        ("stale notes", "ix_ticket_lines_stale (platform=?)"),
        ("tally", "ix_feedback_at (at>?)"),
        ("forget", "ix_feedback_author (author=?)"),
        ("claim acts", "ix_acts_waiting (platform=?)"),
        ("circles", "ix_turns_circle (platform=? AND channel>?)"),
        ("authors", "ix_turns_circle (platform=? AND channel=?)"),
        ("forget acts", "ix_acts_person (person=?)"),
    ],
)
async def test_what_is_looked_for_is_found_by_an_index(store: SqlStore, viewer: Viewer, name: str, index: str) -> None:
    steps = await plans(store, partial(READS[name], store, viewer))
    assert any(step.endswith(index) for step in steps), steps


async def test_a_walk_over_the_whole_table_would_be_seen(store: SqlStore) -> None:
    async def whole_table() -> None:
        async with store.database.reading() as connection:
            await connection.exec_driver_sql("SELECT sum(length(text)) FROM turns")

    assert await plans(store, whole_table) == ["SCAN turns"]
