"""The tables of legal holds, and of what was taken back under one."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table

from memory.stores.tables import Moment, Words, metadata

holds = Table(
    "holds",
    metadata,
    Column("conversation", Words, primary_key=True),
    Column("name", Words, nullable=False),
    Column("who", Words, nullable=False),
    Column("at", Moment, nullable=False),
)

#: Read by nobody but who looks after holds.
kept_versions = Table(
    "kept_versions",
    metadata,
    Column("turn", Words, primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("conversation", Words, nullable=False),
    Column("message", Words, nullable=False),
    Column("author", Words, nullable=False),
    Column("said_at", Moment, nullable=False),
    Column("text", Words, nullable=False),
)
Index("ix_kept_versions_conversation", kept_versions.c.conversation)
Index("ix_kept_versions_author", kept_versions.c.author)
