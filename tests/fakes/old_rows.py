"""Rows as any version of the program could have left them: for every table that a database has, whatever its columns.

A row has a number, and what one row says of another is true among those of a number. What may be missing is missing in
the even ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, insert

from memory.audit_log import GENESIS, AuditEntry, AuditKind, AuditRecord
from memory.model import Turn
from memory.redaction import RedactedTurn
from memory.stores.audit_rules import following
from memory.stores.sql_rows import row_of
from memory.stores.sql_schema import tables_of
from memory.stores.words import name_key
from tests.fakes.turns import NOON, turn

Row = Mapping[str, Any]


def turn_of(number: int) -> Turn:
    """What the row of this number in `turns` was made of."""
    name = f"INC-{number}"
    return turn(1, f"VPNに繋がりません {number}", thread=name, ticket=name, minutes=number, title="VPN", status="open")


def put(connection: Connection, number: int) -> dict[str, Row]:
    """Put a row of this number into every table that there is; the rows by the names of the tables."""
    made: dict[str, Row] = {}
    for table in tables_of(connection):
        row = {column.name: _value(table.name, column, number) for column in table.columns if column.name != "seq"}
        connection.execute(insert(table).values(row))
        made[table.name] = row
    return made


def _value(table: str, column: Column[Any], number: int) -> Any:
    for known in (_OF_TABLE.get(table, _nothing)(number), _names(number), _SAID):
        if column.name in known:
            return known[column.name]
    if column.nullable and number % 2 == 0:
        return None
    return _OF_TYPE[column.type.python_type](table, column.name, number)


def _nothing(_: int) -> Row:
    return {}


# --- what is the same in every table ----------------------------------------------------------------------------------

#: What has to be one of a few, or a list or the like.
_SAID: Row = {
    "platform": "import",
    "workspace": "test",
    "channel": "it-help",
    "visibility": "everyone",
    "language": "ja",
    "state": "open",
    "phase": "confirmed",
    "precision": "day",
    "side": "support",
    "mode": "direct",
    "keywords": '["vpn", "接続"]',
    "tags": '["network"]',
    "entities": '["NL-208"]',
    "people": '["mori", "森"]',
    "sections": '["start"]',
    "gone": "[]",
    "milliseconds": '{"route": 3.5}',
}

_OF_TYPE: Mapping[type, Callable[[str, str, int], Any]] = {
    str: lambda table, column, number: f"{column} of {table} {number}",
    int: lambda table, column, number: number,
    float: lambda table, column, number: number / 128,
    bool: lambda table, column, number: number % 2 == 1,
    datetime: lambda table, column, number: NOON + timedelta(minutes=number, microseconds=number),
    bytes: lambda table, column, number: bytes([number] * 8),
}


def _names(number: int) -> Row:
    """What rows call each other."""
    said = turn_of(number)
    turns, places = ("turn", "turn_id", "opened_by"), ("conversation", "conversation_id")
    parts = {name: f"{name}-{number}" for name in ("episode", "event", "fact", "incident", "line")}
    return {
        **dict.fromkeys(turns, said.id),
        **dict.fromkeys(places, said.conversation.id),
        **parts,
        "episode_id": parts["episode"],
        "other": parts["episode"],
        "thread": said.conversation.thread,
        "name": said.ticket,
        "key": name_key(said.ticket or ""),
        "turn_ids": json.dumps([said.id]),
        "sources": json.dumps([said.id]),
    }


# --- what is a table's own --------------------------------------------------------------------------------------------


def _turns(number: int) -> Row:
    return row_of(RedactedTurn(turn_of(number)), NOON)


def _turn_versions(number: int) -> Row:
    return {**_turns(number), "revision": number, "text": f"VPNに繋がらない {number}"}


def _gone(number: int) -> Row:
    return {"turn_id": f"withdrawn-{number}"}


def _acts(number: int) -> Row:
    return {} if number % 2 == 0 else {"fields": '{"kind": "button"}', "words": '{"title": "VPN"}'}


@cache
def record_of(number: int) -> AuditRecord:
    """The entry of the audit log that is this row, behind those of all numbers before."""
    entry = AuditEntry(kind=AuditKind.PINNED, at=NOON, person=f"kato-{number}", about=(f"INC-{number}",))
    return following(number - 1, record_of(number - 1).digest if number > 1 else GENESIS, entry)


def _audit(number: int) -> Row:
    return {name: value for name, value in asdict(record_of(number)).items() if name != "details"}


def _audit_details(number: int) -> Row:
    details = record_of(number).details
    assert details is not None
    texts = {"about": json.dumps(details.about), "sources": "[]", "counts": "{}"}
    return {"number": number, "salt": details.salt, "person": details.person, **texts}


_OF_TABLE: Mapping[str, Callable[[int], Row]] = {
    "turns": _turns,
    "turn_versions": _turn_versions,
    "withdrawn": _gone,
    "episodes": lambda number: {"id": f"episode-{number}"},
    "facts": lambda number: {"id": f"fact-{number}", "retired_at": None},
    "undos": lambda number: {"by": f"fact-{number}"},
    "events": lambda number: {"id": f"event-{number}"},
    "incidents": lambda number: {"id": f"incident-{number}"},
    "redaction_keys": lambda number: {"key": bytes([number] * 32)},
    "ticket_lines": lambda number: {"id": f"line-{number}"},
    # Here it is whether somebody left.
    "moves": lambda number: {"gone": number % 2 == 1},
    "acts": _acts,
    "audit": _audit,
    "audit_details": _audit_details,
}
