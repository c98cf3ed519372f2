"""Runs the migrations on the connection that `memory.stores.sql_schema` hands over, inside its transaction."""

from __future__ import annotations

from alembic import context

from memory.stores.sql_schema import VERSION_TABLE
from memory.stores.tables_all import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, version_table=VERSION_TABLE
)
with context.begin_transaction():
    context.run_migrations()
