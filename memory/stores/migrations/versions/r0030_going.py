"""Of a message it is known that it is about to be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("going", sa.Boolean, nullable=False, server_default=sa.false()))
