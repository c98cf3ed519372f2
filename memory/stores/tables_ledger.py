"""The tables of what questions and notes cost, and which questions went to a person. Ids and numbers, no words."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table

from memory.stores.tables import Counter, Moment, Names, Numbers, Words, metadata

ledger = Table(
    "ledger",
    metadata,
    Column("seq", Counter, primary_key=True, autoincrement=True),
    Column("asked_at", Moment, nullable=False),
    Column("mode", Words, nullable=False),
    Column("abstained", Boolean, nullable=False),
    Column("episodes_read", Integer, nullable=False),
    Column("assistant_prompt", BigInteger, nullable=False),
    Column("assistant_cached", BigInteger, nullable=False),
    Column("assistant_completion", BigInteger, nullable=False),
    Column("master_prompt", BigInteger, nullable=False),
    Column("master_cached", BigInteger, nullable=False),
    Column("master_completion", BigInteger, nullable=False),
    Column("full_context_tokens", BigInteger, nullable=False),
    Column("milliseconds", Numbers, nullable=False),
    Column("gained", Integer),
    Column("turn", Words),
    Column("conversation", Words),
    Column("sources", Names, nullable=False, server_default="[]"),
)
Index("ix_ledger_asked", ledger.c.asked_at)
Index("ix_ledger_turn", ledger.c.turn)

#: Messages with which a request went to a person; they may be gone.
handed_over = Table(
    "handed_over",
    metadata,
    Column("turn", Words, primary_key=True),
    Column("conversation", Words, nullable=False),
    Column("at", Moment, nullable=False),
)
Index("ix_handed_over_at", handed_over.c.at)

#: What models took for notes, one row a call.
enriched = Table(
    "enriched",
    metadata,
    Column("seq", Counter, primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False),
    Column("prompt", BigInteger, nullable=False),
    Column("cached", BigInteger, nullable=False),
    Column("completion", BigInteger, nullable=False),
)
Index("ix_enriched_at", enriched.c.at)
