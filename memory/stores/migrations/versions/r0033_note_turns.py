"""What else a note to the support team shows than its request."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Words

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ticket_note_turns",
        sa.Column("turn_id", Words, primary_key=True),
        sa.Column("line", Words, primary_key=True),
    )
    op.create_index("ix_ticket_note_turns_line", "ticket_note_turns", ["line"])
