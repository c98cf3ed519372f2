"""Who wrote in which channel what not everybody may read is found without looking through everything."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_turns_circle",
        "turns",
        ["platform", "channel", "workspace", "author"],
        sqlite_where=sa.text("visibility = 'channel'"),
        postgresql_where=sa.text("visibility = 'channel'"),
    )
