"""The table of acts that were taken in."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Column, Dialect, Index, Table, Text, TypeDecorator, text

from memory.stores.tables import Moment, Words, metadata


class Texts(TypeDecorator[Mapping[str, str]]):
    """Texts by name, as a JSON object."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Mapping[str, str] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Mapping[str, str] | None:
        return None if value is None else dict(json.loads(value))


#: Of an act that was done there is nothing but that there was one: without `fields`, `words` and `person`.
acts = Table(
    "acts",
    metadata,
    Column("id", Words, primary_key=True),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("person", Words),
    Column("at", Moment, nullable=False),
    Column("fields", Texts),
    Column("words", Texts),
    Column("holder", Words, nullable=False),
    Column("until", Moment, nullable=False),
)
Index(
    "ix_acts_waiting",
    acts.c.platform,
    acts.c.at,
    sqlite_where=text("fields IS NOT NULL"),
    postgresql_where=text("fields IS NOT NULL"),
)
Index("ix_acts_at", acts.c.at)
Index("ix_acts_person", acts.c.person)
