"""A rebuild of the index that has begun is known until it has ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rebuilds",
        sa.Column("began_at", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("turns", sa.BigInteger, nullable=False),
    )
