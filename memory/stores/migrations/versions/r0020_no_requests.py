"""Nobody looks for turns by whose request they belong to any more: tickets have rows of their own."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_turns_requester", "turns")
