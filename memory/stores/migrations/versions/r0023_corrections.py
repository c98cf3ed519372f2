"""What people say is right instead of an answer, and on which turns each answer stood."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Names, Words

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "corrections",
        sa.Column("turn", Words, primary_key=True),
        sa.Column("about", Words, nullable=False),
        sa.Column("author", Words, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("sources", Names, nullable=False),
        sa.Column("stated", Words),
    )
    op.create_index("ix_corrections_author", "corrections", ["author"])
    op.create_index("ix_corrections_at", "corrections", ["at"])
    op.add_column("ledger", sa.Column("sources", Names, nullable=False, server_default="[]"))
    op.create_index("ix_ledger_turn", "ledger", ["turn"])
