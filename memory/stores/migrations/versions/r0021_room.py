"""The names by which colleagues know channels."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("turns", "turn_versions"):
        op.add_column(table, sa.Column("room", sa.Text))
