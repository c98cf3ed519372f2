"""Known incidents: signs of them, what they are, and who wants to hear when they are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def _place() -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in ("platform", "workspace", "channel", "thread")]


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def upgrade() -> None:
    op.create_table(
        "incident_signs",
        sa.Column("turn_id", sa.Text, sa.ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
        *_place(),
        sa.Column("person", sa.Text, nullable=False),
        _moment("at"),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("meaning", sa.LargeBinary, nullable=False),
        sa.Column("incident", sa.Text),
    )
    op.create_index("ix_incident_signs_at", "incident_signs", ["at", "turn_id"])
    op.create_index("ix_incident_signs_incident", "incident_signs", ["incident", "at"])
    op.create_table(
        "incidents",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("platform", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        _moment("began_at"),
        _moment("changed_at"),
        sa.Column("ticket", sa.Text),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("by", sa.Text),
        sa.Column("told", sa.Boolean, nullable=False),
    )
    op.create_index("ix_incidents_began", "incidents", ["began_at", "id"])
    op.create_index("ix_incidents_phase", "incidents", ["phase", "began_at", "id"])
    op.create_table(
        "incident_subscribers",
        sa.Column("incident", sa.Text, sa.ForeignKey("incidents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person", sa.Text, primary_key=True),
        *_place(),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        _moment("at"),
    )
    op.create_index("ix_incident_subscribers_person", "incident_subscribers", ["person"])
    op.create_index("ix_incident_subscribers_platform", "incident_subscribers", ["platform", "at"])
