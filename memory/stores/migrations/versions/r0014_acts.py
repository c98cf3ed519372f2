"""Acts that were taken in and wait to be done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "acts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("platform", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("person", sa.Text),
        sa.Column("at", Moment, nullable=False),
        sa.Column("fields", sa.Text),
        sa.Column("words", sa.Text),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until", Moment, nullable=False),
    )
    op.create_index(
        "ix_acts_waiting",
        "acts",
        ["platform", "at"],
        sqlite_where=sa.text("fields IS NOT NULL"),
        postgresql_where=sa.text("fields IS NOT NULL"),
    )
    op.create_index("ix_acts_at", "acts", ["at"])
    op.create_index("ix_acts_person", "acts", ["person"])
