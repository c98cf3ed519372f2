"""Which message asked, and which went to a person."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Words

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ledger", sa.Column("turn", Words))
    op.add_column("ledger", sa.Column("conversation", Words))
    op.create_table(
        "handed_over",
        sa.Column("turn", Words, primary_key=True),
        sa.Column("conversation", Words, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_index("ix_handed_over_at", "handed_over", ["at"])
