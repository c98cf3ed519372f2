"""The names by which colleagues know authors."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("turns", "turn_versions"):
        op.add_column(table, sa.Column("speaker", sa.Text))
