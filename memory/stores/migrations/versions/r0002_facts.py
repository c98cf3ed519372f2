"""Facts, events and links, and why a version of a note was written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("notes", sa.Column("cause", sa.Text, nullable=False, server_default=""))
    _create_facts()
    _create_sources()
    _create_undos()
    _create_events()
    _create_event_parts()
    _create_links()
    # A note shows that the facts of its words are stored too. These were made before there were any: the next flush of
    # their words makes them anew, with facts.
    op.execute("UPDATE notes SET fingerprint = ''")


def _part_of(table: str, name: str, *, key: bool = True) -> sa.Column[str]:
    """A row with this column goes when what it names goes."""
    return sa.Column(name, sa.Text, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, primary_key=key)


def _create_facts() -> None:
    op.create_table(
        "facts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("episode", sa.Text, nullable=False),
        sa.Column("subject_key", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("predicate", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("people", sa.Text, nullable=False),
        sa.Column("keywords", sa.Text, nullable=False),
        sa.Column("turn_ids", sa.Text, nullable=False),
        sa.Column("valid_from", _MOMENT, nullable=False),
        sa.Column("valid_offset", sa.Integer, nullable=False),
        sa.Column("valid_to", _MOMENT),
        sa.Column("precision", sa.Text, nullable=False),
        sa.Column("dated", sa.Boolean, nullable=False),
        sa.Column("recorded_at", _MOMENT, nullable=False),
        sa.Column("retired_at", _MOMENT),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
    )
    op.create_index("ix_facts_group", "facts", ["subject_key", "predicate"])
    op.create_index("ix_facts_subject", "facts", ["subject_key", "valid_from", "id"])
    op.create_index("ix_facts_episode", "facts", ["episode"])


def _create_sources() -> None:
    op.create_table(
        "fact_sources",
        _part_of("facts", "fact"),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        _part_of("turns", "turn_id", key=False),
    )
    op.create_index("ix_fact_sources_turn", "fact_sources", ["turn_id"])
    op.create_table(
        "fact_lapses",
        _part_of("facts", "fact"),
        sa.Column("since", _MOMENT, primary_key=True),
        sa.Column("until", _MOMENT, nullable=False),
    )


def _create_undos() -> None:
    op.create_table(
        "undos",
        _part_of("facts", "fact"),
        _part_of("facts", "by"),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )
    op.create_index("ix_undos_by", "undos", ["by"])


def _create_events() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_table(
        "event_versions",
        _part_of("events", "event"),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("people", sa.Text, nullable=False),
        sa.Column("keywords", sa.Text, nullable=False),
        sa.Column("first_at", _MOMENT, nullable=False),
        sa.Column("last_at", _MOMENT, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
    )


def _create_event_parts() -> None:
    op.create_table(
        "event_facts",
        _part_of("events", "event"),
        _part_of("facts", "fact"),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("member", sa.Boolean, nullable=False),
    )
    op.create_index("ix_event_facts_fact", "event_facts", ["fact"])
    op.create_table(
        "event_keywords",
        _part_of("events", "event"),
        sa.Column("keyword", sa.Text, primary_key=True),
        sa.Column("first_at", _MOMENT, nullable=False),
        sa.Column("last_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_event_keywords_span", "event_keywords", ["keyword", "last_at", "first_at", "event"])


def _create_links() -> None:
    op.create_table(
        "links",
        _part_of("episodes", "episode"),
        _part_of("episodes", "other"),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("strength", sa.Float, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_links_other", "links", ["other"])
