"""The table of what an outside tracker is still to be told. Ids and times, no words."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text, text

from memory.stores.tables import Counter, Moment, Words, metadata

#: In the order in which changes were made. What was told is not kept.
ticket_deliveries = Table(
    "ticket_deliveries",
    metadata,
    Column("seq", Counter, primary_key=True, autoincrement=True),
    Column("turn_id", Words, nullable=False),
    Column("conversation_id", Words, nullable=False),
    Column("key", Words, nullable=False),
    Column("name", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("why", Text, nullable=False),
    Column("next_at", Moment, nullable=False),
    Column("refused_at", Moment),
)
Index("ix_ticket_deliveries_turn", ticket_deliveries.c.turn_id, unique=True)
Index("ix_ticket_deliveries_ticket", ticket_deliveries.c.key, ticket_deliveries.c.seq)
Index(
    "ix_ticket_deliveries_due",
    ticket_deliveries.c.next_at,
    sqlite_where=text("refused_at IS NULL"),
    postgresql_where=text("refused_at IS NULL"),
)
Index("ix_ticket_deliveries_refused", ticket_deliveries.c.refused_at)
