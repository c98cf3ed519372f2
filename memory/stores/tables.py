"""The tables of the words and of what is kept beside them, and column types on which SQLite and PostgreSQL agree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

from memory.stores.words import storable


class Words(TypeDecorator[str]):
    """Text of any origin. What no database can hold becomes U+FFFD, in stored values and in searched ones alike."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class Moment(TypeDecorator[datetime]):
    """An aware time, kept in UTC to the microsecond; SQLite keeps it as text of fixed width, which sorts by time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Names(TypeDecorator[tuple[str, ...]]):
    """A tuple of texts, as a JSON list."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps([storable(name) for name in value], ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        return None if value is None else tuple(json.loads(value))


class Numbers(TypeDecorator[Mapping[str, float]]):
    """Numbers by name, as a JSON object."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Mapping[str, float] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps({storable(name): number for name, number in value.items()})

    def process_result_value(self, value: str | None, dialect: Dialect) -> Mapping[str, float] | None:
        return None if value is None else dict(json.loads(value))


class ReplyState(StrEnum):
    """Whether the bot owes a turn a reply; NULL where nothing was addressed to it."""

    DUE = "due"
    GIVEN = "given"
    REFUSED = "refused"


#: SQLite numbers rows by itself only where the type is exactly INTEGER.
Counter = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData()


def _said() -> list[Column[object]]:
    """What a version of a turn consists of: the same columns in `turns` and in `turn_versions`."""
    return [
        Column("ticket", Words),
        Column("author", Words, nullable=False),
        Column("role", Text, nullable=False),
        Column("text", Words, nullable=False),
        Column("said_at", Moment, nullable=False),
        Column("said_offset", SmallInteger, nullable=False),
        Column("visibility", Text, nullable=False),
        Column("requester", Words, nullable=False),
        Column("title", Words),
        Column("status", Words),
        Column("assignee", Words),
        Column("derived", Boolean, nullable=False),
        Column("speaker", Words),
        Column("room", Words),
        Column("recorded_at", Moment, nullable=False),
    ]


#: One row is all there is to a turn, its conversation included, so that recording is one INSERT.
turns = Table(
    "turns",
    metadata,
    Column("seq", Counter, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False),
    Column("conversation_id", Words, nullable=False),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("channel", Words, nullable=False),
    Column("thread", Words, nullable=False),
    Column("message", Words, nullable=False),
    Column("name_key", Words, nullable=False),
    Column("message_key", Words, nullable=False),
    Column("revision", Integer, nullable=False),
    *_said(),
    Column("pending", Boolean, nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("episode_id", Words),
    Column("reply", Text),
    #: It is about to be taken back.
    Column("going", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("id", name="uq_turns_id"),
)
Index("ix_turns_conversation", turns.c.conversation_id, turns.c.said_at, turns.c.seq)
Index("ix_turns_author", turns.c.conversation_id, turns.c.author)
Index("ix_turns_name", turns.c.name_key)
#: What a person wrote, as a walk by id.
Index("ix_turns_written", turns.c.author, turns.c.id)
Index(
    "ix_turns_pending",
    turns.c.conversation_id,
    turns.c.recorded_at,
    sqlite_where=text("pending = 1"),
    postgresql_where=text("pending"),
)
Index(
    "ix_turns_episode",
    turns.c.episode_id,
    turns.c.said_at,
    turns.c.seq,
    sqlite_where=text("episode_id IS NOT NULL"),
    postgresql_where=text("episode_id IS NOT NULL"),
)

#: Who wrote in which channel what not everybody may read.
Index(
    "ix_turns_circle",
    turns.c.platform,
    turns.c.channel,
    turns.c.workspace,
    turns.c.author,
    sqlite_where=text("visibility = 'channel'"),
    postgresql_where=text("visibility = 'channel'"),
)

#: What belongs to a ticket, in time order.
Index(
    "ix_turns_ticket",
    turns.c.conversation_id,
    turns.c.name_key,
    turns.c.said_at,
    turns.c.seq,
    sqlite_where=text("ticket IS NOT NULL"),
    postgresql_where=text("ticket IS NOT NULL"),
)

Index(
    "ix_turns_reply",
    turns.c.platform,
    turns.c.seq,
    sqlite_where=text("reply = 'due'"),
    postgresql_where=text("reply = 'due'"),
)

#: Ids of turns that their authors took back, so that a late delivery does not bring them back. No words.
withdrawn = Table(
    "withdrawn",
    metadata,
    Column("turn_id", Words, primary_key=True),
    Column("at", Moment, nullable=False),
)

#: Who left a channel, or came back: the last that is known of each.
moves = Table(
    "moves",
    metadata,
    Column("platform", Words, primary_key=True),
    Column("channel", Words, primary_key=True),
    Column("member", Words, primary_key=True),
    Column("gone", Boolean, nullable=False),
    Column("at", Moment, nullable=False),
)

turn_versions = Table(
    "turn_versions",
    metadata,
    Column("turn_id", Words, ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    *_said(),
)

#: Pins live on the turns and not here, so that they survive a new cut.
episodes = Table(
    "episodes",
    metadata,
    Column("id", Words, primary_key=True),
    Column("conversation_id", Words, nullable=False),
    Column("ticket", Words),
    Column("tokens", Integer, nullable=False),
    Column("last_at", Moment, nullable=False),
)
Index("ix_episodes_last", episodes.c.last_at)

notes = Table(
    "notes",
    metadata,
    Column("episode", Words, ForeignKey("episodes.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", Words, nullable=False),
    Column("summary", Words, nullable=False),
    Column("keywords", Names, nullable=False),
    Column("tags", Names, nullable=False),
    Column("context", Words, nullable=False),
    Column("entities", Names, nullable=False),
    Column("made_by", Words, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("cause", Words, nullable=False, server_default=""),
)

retries = Table(
    "retries",
    metadata,
    Column("episode", Words, ForeignKey("episodes.id", ondelete="CASCADE"), primary_key=True),
    Column("error", Words, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", Moment, nullable=False),
)
Index("ix_retries_next", retries.c.next_at)

leases = Table(
    "leases",
    metadata,
    Column("name", Words, primary_key=True),
    Column("holder", Words, nullable=False),
    Column("until", Moment, nullable=False),
)

#: What is known of each article of the knowledge base; its words are turns.
articles = Table(
    "articles",
    metadata,
    Column("collection", Words, primary_key=True),
    Column("path", Words, primary_key=True),
    Column("title", Words, nullable=False),
    Column("digest", Text, nullable=False),
    Column("edition", Integer, nullable=False),
    Column("sections", Names, nullable=False),
    Column("gone", Names, nullable=False),
    Column("at", Moment, nullable=False),
)

#: Secrets that were encrypted before they came here.
vault = Table(
    "vault",
    metadata,
    Column("name", Words, primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
    Column("at", Moment, nullable=False),
)

#: What placeholders are made with.
redaction_keys = Table(
    "redaction_keys",
    metadata,
    Column("name", Words, primary_key=True),
    Column("key", LargeBinary, nullable=False),
)
