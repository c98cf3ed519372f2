"""The tables of what people say of answers. Ids, no words."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Table

from memory.stores.tables import Moment, Names, Words, metadata

#: `turn` is the message that was answered; it may be gone, or never have come.
feedback = Table(
    "feedback",
    metadata,
    Column("turn", Words, primary_key=True),
    Column("author", Words, primary_key=True),
    Column("helpful", Boolean, nullable=False),
    Column("at", Moment, nullable=False),
)
Index("ix_feedback_author", feedback.c.author)
Index("ix_feedback_at", feedback.c.at)

corrections = Table(
    "corrections",
    metadata,
    Column("turn", Words, primary_key=True),
    Column("about", Words, nullable=False),
    Column("author", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Column("sources", Names, nullable=False),
    Column("stated", Words),
)
Index("ix_corrections_author", corrections.c.author)
Index("ix_corrections_at", corrections.c.at)
