"""Facts are found by their values: what somebody has, and by what names a person goes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from memory.stores.fact_rules import value_key

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_FACTS = sa.table("facts", sa.column("id"), sa.column("value"), sa.column("value_key"))
_AT_ONCE = 1000


def upgrade() -> None:
    op.add_column("facts", sa.Column("value_key", sa.Text, nullable=False, server_default=""))
    _fold_values(op.get_bind())
    op.create_index("ix_facts_value", "facts", ["value_key", "valid_from", "id"])


def _fold_values(connection: sa.Connection) -> None:
    last = ""
    while rows := connection.execute(_page(last)).all():
        last = rows[-1].id
        keys = [{"fact": row.id, "key": value_key(row.value)} for row in rows]
        given = sa.update(_FACTS).where(_FACTS.c.id == sa.bindparam("fact")).values(value_key=sa.bindparam("key"))
        connection.execute(given, keys)


def _page(last: str) -> sa.Select[tuple[str, str]]:
    return sa.select(_FACTS.c.id, _FACTS.c.value).where(_FACTS.c.id > last).order_by(_FACTS.c.id).limit(_AT_ONCE)
