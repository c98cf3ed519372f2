"""The tables of the audit log: the chain, and beside it the details, which can be erased."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text

from memory.stores.tables import Moment, Names, Numbers, Words, metadata

audit = Table(
    "audit",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("kind", Text, nullable=False),
    Column("personal", Boolean, nullable=False),
    Column("seal", Text, nullable=False),
    Column("digest", Text, nullable=False),
)
Index("ix_audit_at", audit.c.at)

audit_details = Table(
    "audit_details",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("salt", Text, nullable=False),
    Column("person", Words),
    Column("about", Names, nullable=False),
    Column("sources", Names, nullable=False),
    Column("counts", Numbers, nullable=False),
)
Index("ix_audit_details_person", audit_details.c.person)
