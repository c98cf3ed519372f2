"""Of a copy it is known that somebody has begun to make it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ticket_copies", sa.Column("begun", sa.Boolean, nullable=False, server_default=sa.false()))
    copies = sa.table("ticket_copies", sa.column("begun", sa.Boolean), sa.column("message", sa.Text))
    # Of those that are owed from before, somebody may have tried to make them.
    op.execute(sa.update(copies).where(copies.c.message.is_(None)).values(begun=True))
