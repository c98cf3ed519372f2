"""The table of rebuilds of the index that are under way."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Table

from memory.stores.tables import Moment, metadata

#: When the index was emptied to be written anew, and how many turns there were then; gone when all are written.
rebuilds = Table(
    "rebuilds",
    metadata,
    Column("began_at", Moment, primary_key=True),
    Column("turns", BigInteger, nullable=False),
)
