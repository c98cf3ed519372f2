"""Which turns wait for a reply, and which were taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("reply", sa.Text))
    op.create_index(
        "ix_turns_reply",
        "turns",
        ["platform", "seq"],
        sqlite_where=sa.text("reply = 'due'"),
        postgresql_where=sa.text("reply = 'due'"),
    )
    op.create_table(
        "withdrawn",
        sa.Column("turn_id", sa.Text, primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
