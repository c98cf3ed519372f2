"""Reading facts, events and links for people, out of SQL: the viewer is part of every statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Integer, Row, Select, and_, bindparam, exists, or_, select, tuple_

from memory.facts import Fact, Group, Link, Telling, Undo
from memory.model import Note, Viewer
from memory.stores.fact_rules import by_validity, newest_validity, strongest, value_key
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_fact_rows import facts_of, link_of, read_facts, undo_of
from memory.stores.sql_rows import in_order, note_of
from memory.stores.sql_scope import may_see_episode, may_see_event, may_see_fact
from memory.stores.tables import Moment, Words, notes, turns
from memory.stores.tables_facts import event_facts, events, fact_lapses, fact_sources, facts, links, undos

_TURNS: BindParameter[str] = bindparam("turns", expanding=True)
_KNOWN_AT = bindparam("known_at", type_=Moment)
_NAME, _MOST = bindparam("name", type_=Words), bindparam("most", type_=Integer)


class SqlFactReading:
    """The port `FactReading` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def facts(self, ids: Sequence[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        found = await self._facts(_seen(viewer, known_at), [facts.c.id.in_(some) for some in parts(ids)])
        return in_order(ids, {fact.id: fact for fact in found})

    async def of_turns(self, turns: Sequence[str], viewer: Viewer, known_at: datetime) -> list[Fact]:
        found: list[Fact] = []
        for some in parts(turns):
            found += await read_facts(self._database, _told_by(viewer), {"turns": some, "known_at": known_at})
        return by_validity(found)

    async def on(self, groups: Sequence[Group], viewer: Viewer, known_at: datetime) -> list[Fact]:
        return by_validity(await self._facts(_seen(viewer, known_at), [_of_groups(some) for some in parts(groups)]))

    async def about(self, subjects: Sequence[str], viewer: Viewer, known_at: datetime, limit: int) -> list[Fact]:
        return await self._newest(_newest_about(viewer), subjects, known_at, limit)

    async def naming(self, names: Sequence[str], viewer: Viewer, known_at: datetime, limit: int) -> list[Fact]:
        return await self._newest(_newest_naming(viewer), filter(None, map(value_key, names)), known_at, limit)

    async def undos(self, facts: Sequence[str], known_at: datetime) -> list[Undo]:
        found: list[Undo] = []
        for some in parts(facts):
            counts = or_(undos.c.until.is_(None), undos.c.until > known_at)
            given = select(undos).where(undos.c.fact.in_(some), undos.c.at <= known_at, counts)
            found += map(undo_of, await self._database.rows(given))
        return sorted(found, key=lambda undo: (undo.at, undo.fact, undo.by))

    async def tellings(self, episodes: Sequence[str], viewer: Viewer, limit: int) -> list[Telling]:
        found: set[Telling] = set()
        for some in parts(episodes):
            told = _tellings(some, viewer).limit(max(limit, 0))
            found.update(Telling(**row._mapping) for row in await self._database.rows(told))
        return sorted(found)[: max(limit, 0)]

    async def links(self, episodes: Sequence[str], viewer: Viewer, limit: int) -> list[Link]:
        found: list[Link] = []
        both = and_(may_see_episode(viewer, links.c.episode), may_see_episode(viewer, links.c.other))
        order = (links.c.strength.desc(), links.c.episode, links.c.other)
        for some in parts(episodes):
            best = links_with(some).where(both).order_by(*order).limit(max(limit, 0))
            found += map(link_of, await self._database.rows(best))
        return strongest(found)[: max(limit, 0)]

    async def note_versions(self, episode: str, viewer: Viewer) -> list[Note]:
        seen = all_versions(episode).where(may_see_episode(viewer, notes.c.episode))
        return [note_of(row) for row in await self._database.rows(seen)]

    async def _newest(self, some_of: Select[Any], names: Iterable[str], known_at: datetime, limit: int) -> list[Fact]:
        """One name at a time walks its newest facts only, however many there are."""
        if limit < 1:
            return []
        rows: dict[str, Row[Any]] = {}
        for name in dict.fromkeys(names):
            values = {"name": name, "known_at": known_at, "most": limit}
            rows |= {row.id: row for row in await self._database.rows(some_of, values)}
        return newest_validity(await facts_of(self._database, list(rows.values())))[:limit]

    async def _facts(self, seen: Select[Any], conditions: Sequence[ColumnElement[bool]]) -> list[Fact]:
        found: list[Fact] = []
        for condition in conditions:
            found += await read_facts(self._database, seen.where(condition))
        return found


def _of_groups(groups: Sequence[Group]) -> ColumnElement[bool]:
    """Facts on these matters. The pairs decide; the two lists are what SQLite can look up in an index."""
    subject, predicate = facts.c.subject_key, facts.c.predicate
    listed = and_(subject.in_({each.subject for each in groups}), predicate.in_({each.predicate for each in groups}))
    return and_(listed, tuple_(subject, predicate).in_([(each.subject, each.predicate) for each in groups]))


def links_with(episodes: Sequence[str]) -> Select[Any]:
    """Links from or to these episodes."""
    return select(links).where(or_(links.c.episode.in_(episodes), links.c.other.in_(episodes)))


def all_versions(episode: str) -> Select[Any]:
    return select(notes).where(notes.c.episode == episode).order_by(notes.c.version)


def _seen(viewer: Viewer, known_at: datetime | BindParameter[datetime]) -> Select[Any]:
    return select(facts).where(_known(known_at), may_see_fact(viewer, facts.c.id))


# Each question asks this: made once a viewer, as in `sql_scope`.
@lru_cache(maxsize=256)
def _told_by(viewer: Viewer) -> Select[Any]:
    said = select(fact_sources.c.fact).where(fact_sources.c.turn_id.in_(_TURNS))
    return _seen(viewer, _KNOWN_AT).where(facts.c.id.in_(said))


@lru_cache(maxsize=256)
def _newest_about(viewer: Viewer) -> Select[Any]:
    return _newest(_seen(viewer, _KNOWN_AT).where(facts.c.subject_key == _NAME))


@lru_cache(maxsize=256)
def _newest_naming(viewer: Viewer) -> Select[Any]:
    return _newest(_seen(viewer, _KNOWN_AT).where(facts.c.value_key == _NAME))


def _newest(which: Select[Any]) -> Select[Any]:
    return which.order_by(facts.c.valid_from.desc(), facts.c.id.desc()).limit(_MOST)


def _known(known_at: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """What was recorded by then and not retired then."""
    lapsed = exists().where(
        fact_lapses.c.fact == facts.c.id, fact_lapses.c.since <= known_at, fact_lapses.c.until > known_at
    )
    held = or_(facts.c.retired_at.is_(None), facts.c.retired_at > known_at)
    return and_(facts.c.recorded_at <= known_at, held, ~lapsed)


def _tellings(episodes: Sequence[str], viewer: Viewer) -> Select[Any]:
    """The events first, then each of them once by the viewer, then what tells them."""
    ours = select(event_facts.c.event).join(facts, facts.c.id == event_facts.c.fact)
    ours = ours.where(facts.c.episode.in_(episodes), event_facts.c.member)
    seen = select(events.c.id).where(events.c.id.in_(ours), may_see_event(viewer, events.c.id))
    return (
        select(event_facts.c.event, turns.c.id.label("turn"), turns.c.episode_id.label("episode"))
        .join(fact_sources, fact_sources.c.fact == event_facts.c.fact)
        .join(turns, turns.c.id == fact_sources.c.turn_id)
        .where(event_facts.c.event.in_(seen), event_facts.c.member, turns.c.episode_id.is_not(None))
        .distinct()
        .order_by(event_facts.c.event, turns.c.id)
    )
