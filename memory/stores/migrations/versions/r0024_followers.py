"""Who wants to hear how a ticket ends."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Words

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ticket_followers",
        sa.Column("conversation_id", Words, primary_key=True),
        sa.Column("key", Words, primary_key=True),
        sa.Column("person", Words, primary_key=True),
        sa.Column("name", Words, nullable=False),
        sa.Column("platform", Words, nullable=False),
        sa.Column("workspace", Words, nullable=False),
        sa.Column("channel", Words, nullable=False),
        sa.Column("thread", Words, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_index("ix_ticket_followers_platform", "ticket_followers", ["platform", "at"])
    op.create_index("ix_ticket_followers_person", "ticket_followers", ["person"])
