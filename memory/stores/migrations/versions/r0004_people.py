"""What people wrote and asked for is found by person; what they say of answers; sealed secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_turns_written", "turns", ["author", "id"])
    op.create_index("ix_turns_requester", "turns", ["requester", "conversation_id", "said_at", "seq"])
    op.create_table(
        "feedback",
        sa.Column("turn", sa.Text, primary_key=True),
        sa.Column("author", sa.Text, primary_key=True),
        sa.Column("helpful", sa.Boolean, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_feedback_author", "feedback", ["author"])
    op.create_index("ix_feedback_at", "feedback", ["at"])
    op.create_table(
        "vault",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
