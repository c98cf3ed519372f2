"""The tables of the lines between who asked and the support team. Ids and places, no words."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text, false, text

from memory.stores.tables import Moment, Words, metadata

#: By the id of the place. `reminded` is the ticket's number of changes at which somebody was, or is to be, reminded.
#: `changed` counts what happened to what the note shows, `drawn` is the count at which it was drawn last.
ticket_lines = Table(
    "ticket_lines",
    metadata,
    Column("id", Words, primary_key=True),
    Column("conversation_id", Words, nullable=False),
    Column("key", Words, nullable=False),
    Column("name", Words, nullable=False),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("channel", Words, nullable=False),
    Column("thread", Words, nullable=False),
    Column("laid_at", Moment, nullable=False),
    Column("told_at", Moment),
    Column("reminded", Integer),
    Column("reminder", Integer),
    Column("request", Words),
    Column("forgotten", Boolean, nullable=False, server_default=false()),
    Column("changed", Integer, nullable=False, server_default=text("0")),
    Column("drawn", Integer, nullable=False, server_default=text("0")),
)
Index("ix_ticket_lines_request", ticket_lines.c.request)
Index(
    "ix_ticket_lines_stale",
    ticket_lines.c.platform,
    ticket_lines.c.id,
    sqlite_where=text("changed <> drawn"),
    postgresql_where=text("changed <> drawn"),
)
Index("ix_ticket_lines_ticket", ticket_lines.c.conversation_id, ticket_lines.c.key, ticket_lines.c.laid_at)
Index(
    "ix_ticket_lines_reminder",
    ticket_lines.c.platform,
    ticket_lines.c.id,
    sqlite_where=text("reminder IS NOT NULL"),
    postgresql_where=text("reminder IS NOT NULL"),
)

#: The turns, beside that of the request, of which the note of a line shows something.
ticket_note_turns = Table(
    "ticket_note_turns",
    metadata,
    Column("turn_id", Words, primary_key=True),
    Column("line", Words, primary_key=True),
)
Index("ix_ticket_note_turns_line", ticket_note_turns.c.line)

ticket_copies = Table(
    "ticket_copies",
    metadata,
    Column("turn_id", Words, primary_key=True),
    Column("line", Words, nullable=False),
    Column("side", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("message", Words),
    Column("revision", Integer, nullable=False),
    Column("begun", Boolean, nullable=False, server_default=false()),
)
Index("ix_ticket_copies_line", ticket_copies.c.line, ticket_copies.c.at)
Index("ix_ticket_copies_at", ticket_copies.c.at)
