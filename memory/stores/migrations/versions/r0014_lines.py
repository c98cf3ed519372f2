"""The lines between who asked and the support team, and what was passed on over them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Words

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    lines = op.create_table(
        "ticket_lines",
        sa.Column("id", Words, primary_key=True),
        sa.Column("conversation_id", Words, nullable=False),
        sa.Column("key", Words, nullable=False),
        sa.Column("name", Words, nullable=False),
        sa.Column("platform", Words, nullable=False),
        sa.Column("workspace", Words, nullable=False),
        sa.Column("channel", Words, nullable=False),
        sa.Column("thread", Words, nullable=False),
        sa.Column("laid_at", Moment, nullable=False),
        sa.Column("told_at", Moment),
        sa.Column("reminded", sa.Integer),
        sa.Column("reminder", sa.Integer),
    )
    op.create_index("ix_ticket_lines_ticket", "ticket_lines", ["conversation_id", "key", "laid_at"])
    due = lines.c.reminder.is_not(None)
    op.create_index(
        "ix_ticket_lines_reminder", "ticket_lines", ["platform", "id"], sqlite_where=due, postgresql_where=due
    )
    op.create_table(
        "ticket_copies",
        sa.Column("turn_id", Words, primary_key=True),
        sa.Column("line", Words, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("message", Words),
        sa.Column("revision", sa.Integer, nullable=False),
    )
    op.create_index("ix_ticket_copies_line", "ticket_copies", ["line", "at"])
    op.create_index("ix_ticket_copies_at", "ticket_copies", ["at"])
