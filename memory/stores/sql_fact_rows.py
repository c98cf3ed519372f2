"""From facts, events and links to rows and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta, timezone
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select

from memory.facts import Event, Fact, Link, Undo, matter
from memory.model import Turn
from memory.scope import narrowest
from memory.stores.fact_rules import value_key
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_rows import turn_of
from memory.stores.tables import turns
from memory.stores.tables_facts import event_facts, event_versions, events, fact_sources

_SAME_NAME = (
    *("id", "episode", "subject", "predicate", "value", "text", "people", "keywords", "turn_ids"),
    *("valid_from", "valid_to", "precision", "dated", "recorded_at", "retired_at", "confidence", "made_by"),
)


def fact_row(fact: Fact) -> dict[str, Any]:
    """The row of a fact; the offset is part of the fact's identity."""
    offset = fact.valid_from.utcoffset() or timedelta()
    same = {name: getattr(fact, name) for name in _SAME_NAME}
    keys = {"subject_key": matter(fact.subject), "value_key": value_key(fact.value)}
    return same | keys | {"valid_offset": round(offset.total_seconds())}


def source_rows(fact: Fact) -> list[dict[str, Any]]:
    return [{"fact": fact.id, "place": place, "turn_id": turn} for place, turn in enumerate(fact.turn_ids)]


async def read_facts(database: Database, statement: Select[Any], values: Mapping[str, Any] | None = None) -> list[Fact]:
    """The facts that a selection of `facts` gives, in its order; `values` are those of its parameters."""
    return await facts_of(database, await database.rows(statement, values))


async def facts_of(database: Database, rows: Sequence[Row[Any]]) -> list[Fact]:
    """The facts of these rows of `facts`, in their order; one whose words are gone meanwhile is none."""
    said = await _sources(database, [row.id for row in rows])
    return [_fact_of(row, said[row.id]) for row in rows if row.id in said]


async def read_events(database: Database, which: ColumnElement[bool]) -> list[Event]:
    """The newest version of the events for which the condition holds; one that lost its last fact meanwhile is none."""
    rows = await database.rows(_newest_events().where(which))
    members = await _members(database, [row.event for row in rows])
    return [_event_of(row, tuple(members[row.event])) for row in rows if row.event in members]


def link_of(row: Row[Any]) -> Link:
    return Link(**row._mapping)


def undo_of(row: Row[Any]) -> Undo:
    return Undo(**row._mapping)


async def _sources(database: Database, ids: Sequence[str]) -> dict[str, list[Turn]]:
    """The turns that say so, as far as they are still there, by fact."""
    found: dict[str, list[Turn]] = {}
    for some in parts(ids):
        said = (
            select(turns, fact_sources.c.fact)
            .join(fact_sources, fact_sources.c.turn_id == turns.c.id)
            .where(fact_sources.c.fact.in_(some))
            .order_by(fact_sources.c.fact, fact_sources.c.place)
        )
        for row in await database.rows(said):
            found.setdefault(row.fact, []).append(turn_of(row))
    return found


def _fact_of(row: Row[Any], said: Sequence[Turn]) -> Fact:
    values = {name: row._mapping[name] for name in _SAME_NAME if name != "id"}
    there = timezone(timedelta(seconds=row.valid_offset))
    return Fact(**values | {"scope": narrowest(said), "valid_from": row.valid_from.astimezone(there)})


def _newest_events() -> Select[Any]:
    newest = (event_versions.c.event == events.c.id) & (event_versions.c.version == events.c.version)
    return select(event_versions).join(events, newest)


async def _members(database: Database, ids: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for some in parts(ids):
        which = event_facts.c.event.in_(some) & event_facts.c.member
        members = select(event_facts).where(which).order_by(event_facts.c.event, event_facts.c.place)
        for row in await database.rows(members):
            found.setdefault(row.event, []).append(row.fact)
    return found


def _event_of(row: Row[Any], members: tuple[str, ...]) -> Event:
    values = dict(row._mapping)
    return Event(id=values.pop("event"), facts=members, **values)
