"""A row for each ticket, by which tickets are listed; those that were imported get theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Words
from memory.stores.tables_tickets import Key
from memory.stores.ticket_rules import Part, standing

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

#: Conversations whose tickets are read at once.
_AT_ONCE = 200


def upgrade() -> None:
    op.create_index(
        "ix_turns_ticket",
        "turns",
        ["conversation_id", "name_key", "said_at", "seq"],
        sqlite_where=sa.text("ticket IS NOT NULL"),
        postgresql_where=sa.text("ticket IS NOT NULL"),
    )
    tickets = op.create_table(
        "tickets",
        sa.Column("conversation_id", Words, primary_key=True),
        sa.Column("key", Key, primary_key=True),
        sa.Column("name", Words, nullable=False),
        sa.Column("ours", sa.Boolean, nullable=False),
        sa.Column("opened_by", Words, nullable=False),
        sa.Column("category", Words),
        sa.Column("requester", Words, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("channel", Words, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("assignee", Words),
        sa.Column("opened_at", Moment, nullable=False),
        sa.Column("changed_at", Moment, nullable=False),
        sa.Column("settled_at", Moment),
        sa.Column("changes", sa.Integer, nullable=False),
    )
    op.create_table(
        "ticket_numbers",
        sa.Column("prefix", Words, primary_key=True),
        sa.Column("last", sa.Integer, nullable=False),
    )
    for rows in _imported(op.get_bind()):
        op.bulk_insert(tickets, rows)
    _create_indexes()


def _create_indexes() -> None:
    order: list[str | sa.TextClause] = [sa.text("changed_at DESC"), "key"]
    op.create_index("ix_tickets_key", "tickets", ["key"])
    op.create_index("ix_tickets_changed", "tickets", order)
    for name in ("requester", "assignee", "category"):
        op.create_index(f"ix_tickets_{name}", "tickets", [name, *order])
    unsettled = sa.text("settled_at IS NULL")
    op.create_index("ix_tickets_open", "tickets", order, sqlite_where=unsettled, postgresql_where=unsettled)


_TURNS = sa.table(
    "turns",
    sa.column("seq"),
    sa.column("name_key", Words),
    sa.column("conversation_id", Words),
    sa.column("id", Words),
    sa.column("said_at", Moment),
    *(
        sa.column(name, Words)
        for name in ("ticket", "requester", "visibility", "channel", "title", "status", "assignee")
    ),
)


def _imported(connection: sa.Connection) -> Iterator[list[dict[str, Any]]]:
    """The rows of all tickets, a few conversations at a time."""
    place, last = _TURNS.c.conversation_id, ""
    with_tickets = sa.select(place).where(_TURNS.c.ticket.is_not(None)).distinct().order_by(place).limit(_AT_ONCE)
    while places := list(connection.execute(with_tickets.where(place > last)).scalars()):
        order = (place, _TURNS.c.name_key, _TURNS.c.said_at, _TURNS.c.seq)
        said = sa.select(_TURNS).where(place.in_(places), _TURNS.c.ticket.is_not(None)).order_by(*order)
        groups = groupby(connection.execute(said), lambda row: (row.conversation_id, row.name_key))
        yield [asdict(standing(pair, _parts(list(rows)), None)) for pair, rows in groups]
        last = places[-1]


def _parts(rows: Sequence[sa.Row[Any]]) -> list[Part]:
    names = ("ticket", "requester", "visibility", "channel", "said_at", "title", "status", "assignee")
    return [Part(turn=row.id, **{name: getattr(row, name) for name in names}) for row in rows]
