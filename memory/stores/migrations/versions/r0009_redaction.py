"""The key of the placeholders that stand for secrets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "redaction_keys",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
    )
