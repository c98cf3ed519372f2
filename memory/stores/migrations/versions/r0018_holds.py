"""Legal holds, and what was taken back under one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Words

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "holds",
        sa.Column("conversation", Words, primary_key=True),
        sa.Column("name", Words, nullable=False),
        sa.Column("who", Words, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_table(
        "kept_versions",
        sa.Column("turn", Words, primary_key=True),
        sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("conversation", Words, nullable=False),
        sa.Column("message", Words, nullable=False),
        sa.Column("author", Words, nullable=False),
        sa.Column("said_at", Moment, nullable=False),
        sa.Column("text", Words, nullable=False),
    )
    for name in ("conversation", "author"):
        op.create_index(f"ix_kept_versions_{name}", "kept_versions", [name])
