"""The tables of tickets: what is worked out from their turns to list them by, and the numbers that were given."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Dialect, Index, Integer, Table, Text, false, text
from sqlalchemy.types import TypeEngine

from memory.stores.tables import Moment, Words, metadata


class Key(Words):
    """A name by which lists are ordered: everywhere by its characters' numbers, whatever the database's language is."""

    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())


#: `memory.stores.ticket_rules.Standing`, row by row. Visibility, channel and requester are those of the message that
#: opened it.
tickets = Table(
    "tickets",
    metadata,
    Column("conversation_id", Words, primary_key=True),
    Column("key", Key, primary_key=True),
    Column("name", Words, nullable=False),
    Column("ours", Boolean, nullable=False),
    Column("opened_by", Words, nullable=False),
    Column("category", Words),
    Column("requester", Words, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("channel", Words, nullable=False),
    Column("state", Text, nullable=False),
    Column("assignee", Words),
    Column("opened_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Column("settled_at", Moment),
    Column("changes", Integer, nullable=False),
    Column("opener_gone", Boolean, nullable=False, server_default=false()),
    Column("requester_gone", Boolean, nullable=False, server_default=false()),
)
Index("ix_tickets_key", tickets.c.key)
#: Lists, the last change first, by what is looked for.
_ORDER = (tickets.c.changed_at.desc(), tickets.c.key)
Index("ix_tickets_changed", *_ORDER)
Index("ix_tickets_requester", tickets.c.requester, *_ORDER)
Index("ix_tickets_assignee", tickets.c.assignee, *_ORDER)
Index("ix_tickets_category", tickets.c.category, *_ORDER)
Index(
    "ix_tickets_open",
    *_ORDER,
    sqlite_where=text("settled_at IS NULL"),
    postgresql_where=text("settled_at IS NULL"),
)
Index("ix_tickets_state", tickets.c.state, tickets.c.changed_at, tickets.c.key)

#: The last number that was given under each prefix.
ticket_numbers = Table(
    "ticket_numbers",
    metadata,
    Column("prefix", Words, primary_key=True),
    Column("last", Integer, nullable=False),
)
