"""All our tables: whoever imports one of them knows some, whoever imports this one knows every one."""

from __future__ import annotations

from memory.stores import (
    tables,
    tables_acts,
    tables_audit,
    tables_facts,
    tables_feedback,
    tables_followers,
    tables_holds,
    tables_incidents,
    tables_ledger,
    tables_lines,
    tables_rebuilds,
    tables_tickets,
    tables_tracker,
)

#: Each adds its own when it is imported.
PARTS = (
    tables,
    tables_acts,
    tables_audit,
    tables_facts,
    tables_feedback,
    tables_followers,
    tables_holds,
    tables_incidents,
    tables_ledger,
    tables_lines,
    tables_rebuilds,
    tables_tickets,
    tables_tracker,
)
METADATA = tables.metadata
