"""The words, what is made from them, the leases of jobs and the ledger of questions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _create_turns()
    _index_turns()
    _create_versions()
    _create_episodes()
    _create_notes()
    _create_retries()
    _create_leases()
    _create_ledger()


def _said() -> list[sa.Column[object]]:
    return [
        sa.Column("ticket", sa.Text),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said_at", _MOMENT, nullable=False),
        sa.Column("said_offset", sa.SmallInteger, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("requester", sa.Text, nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("status", sa.Text),
        sa.Column("assignee", sa.Text),
        sa.Column("derived", sa.Boolean, nullable=False),
        sa.Column("recorded_at", _MOMENT, nullable=False),
    ]


def _create_turns() -> None:
    op.create_table(
        "turns",
        sa.Column("seq", _COUNTER, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("platform", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("message_key", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        *_said(),
        sa.Column("pending", sa.Boolean, nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("episode_id", sa.Text),
        sa.UniqueConstraint("id", name="uq_turns_id"),
    )


def _index_turns() -> None:
    op.create_index("ix_turns_conversation", "turns", ["conversation_id", "said_at", "seq"])
    op.create_index("ix_turns_author", "turns", ["conversation_id", "author"])
    op.create_index("ix_turns_name", "turns", ["name_key"])
    op.create_index(
        "ix_turns_pending",
        "turns",
        ["conversation_id", "recorded_at"],
        sqlite_where=sa.text("pending = 1"),
        postgresql_where=sa.text("pending"),
    )
    op.create_index(
        "ix_turns_episode",
        "turns",
        ["episode_id", "said_at", "seq"],
        sqlite_where=sa.text("episode_id IS NOT NULL"),
        postgresql_where=sa.text("episode_id IS NOT NULL"),
    )


def _create_versions() -> None:
    op.create_table(
        "turn_versions",
        sa.Column("turn_id", sa.Text, sa.ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
        *_said(),
    )


def _create_episodes() -> None:
    op.create_table(
        "episodes",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("ticket", sa.Text),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("last_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_episodes_last", "episodes", ["last_at"])


def _create_notes() -> None:
    op.create_table(
        "notes",
        sa.Column("episode", sa.Text, sa.ForeignKey("episodes.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("keywords", sa.Text, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("context", sa.Text, nullable=False),
        sa.Column("entities", sa.Text, nullable=False),
        sa.Column("made_by", sa.Text, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
    )


def _create_retries() -> None:
    op.create_table(
        "retries",
        sa.Column("episode", sa.Text, sa.ForeignKey("episodes.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_retries_next", "retries", ["next_at"])


def _create_leases() -> None:
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until", _MOMENT, nullable=False),
    )


def _create_ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("seq", _COUNTER, primary_key=True, autoincrement=True),
        sa.Column("asked_at", _MOMENT, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("abstained", sa.Boolean, nullable=False),
        sa.Column("episodes_read", sa.Integer, nullable=False),
        sa.Column("assistant_prompt", sa.BigInteger, nullable=False),
        sa.Column("assistant_cached", sa.BigInteger, nullable=False),
        sa.Column("assistant_completion", sa.BigInteger, nullable=False),
        sa.Column("master_prompt", sa.BigInteger, nullable=False),
        sa.Column("master_cached", sa.BigInteger, nullable=False),
        sa.Column("master_completion", sa.BigInteger, nullable=False),
        sa.Column("full_context_tokens", sa.BigInteger, nullable=False),
        sa.Column("milliseconds", sa.Text, nullable=False),
    )
    op.create_index("ix_ledger_asked", "ledger", ["asked_at"])
