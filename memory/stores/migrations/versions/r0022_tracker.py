"""What an outside tracker is still to be told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Words

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    deliveries = op.create_table(
        "ticket_deliveries",
        sa.Column("seq", _COUNTER, primary_key=True, autoincrement=True),
        sa.Column("turn_id", Words, nullable=False),
        sa.Column("conversation_id", Words, nullable=False),
        sa.Column("key", Words, nullable=False),
        sa.Column("name", Words, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("next_at", Moment, nullable=False),
        sa.Column("refused_at", Moment),
    )
    op.create_index("ix_ticket_deliveries_turn", "ticket_deliveries", ["turn_id"], unique=True)
    op.create_index("ix_ticket_deliveries_ticket", "ticket_deliveries", ["key", "seq"])
    waits = deliveries.c.refused_at.is_(None)
    op.create_index(
        "ix_ticket_deliveries_due", "ticket_deliveries", ["next_at"], sqlite_where=waits, postgresql_where=waits
    )
    op.create_index("ix_ticket_deliveries_refused", "ticket_deliveries", ["refused_at"])
