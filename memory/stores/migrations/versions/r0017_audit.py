"""The audit log: a chain of digests, and beside it the details, which can be erased."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.tables import Moment, Names, Numbers, Words

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("personal", sa.Boolean, nullable=False),
        sa.Column("seal", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_table(
        "audit_details",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("person", Words),
        sa.Column("about", Names, nullable=False),
        sa.Column("sources", Names, nullable=False),
        sa.Column("counts", Numbers, nullable=False),
    )
    op.create_index("ix_audit_details_person", "audit_details", ["person"])
