"""Tickets are found by their state and by how long nothing was heard of them."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_tickets_state", "tickets", ["state", "changed_at", "key"])
