"""Of a note to the support team it is known which message it shows, and whether that has changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ticket_lines", sa.Column("request", sa.Text))
    op.add_column("ticket_lines", sa.Column("forgotten", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("ticket_lines", sa.Column("changed", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("ticket_lines", sa.Column("drawn", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.create_index("ix_ticket_lines_request", "ticket_lines", ["request"])
    behind = sa.text("changed <> drawn")
    op.create_index(
        "ix_ticket_lines_stale", "ticket_lines", ["platform", "id"], sqlite_where=behind, postgresql_where=behind
    )
