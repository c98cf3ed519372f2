"""Of a ticket it is known that who asked was forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tickets", sa.Column("requester_gone", sa.Boolean, nullable=False, server_default=sa.false()))
    # Who was forgotten before: of requests that the support team was shown, their notes know it.
    op.execute(
        "UPDATE tickets SET requester_gone = TRUE WHERE opener_gone AND EXISTS (SELECT 1 FROM ticket_lines"
        " WHERE ticket_lines.conversation_id = tickets.conversation_id AND ticket_lines.key = tickets.key"
        " AND ticket_lines.forgotten)"
    )
