"""What is known of each article of the knowledge base."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Names

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "articles",
        sa.Column("collection", sa.Text, primary_key=True),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("edition", sa.Integer, nullable=False),
        sa.Column("sections", Names, nullable=False),
        sa.Column("gone", Names, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
