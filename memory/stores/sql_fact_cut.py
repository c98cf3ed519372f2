"""The pieces of SQL behind writing facts and events, and deleting those that nothing is left of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, exists, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.facts import Event, Fact
from memory.stores.fact_rules import keyword_keys
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_fact_rows import fact_row, source_rows
from memory.stores.tables import turns
from memory.stores.tables_facts import (
    event_facts,
    event_keywords,
    event_versions,
    events,
    fact_lapses,
    fact_sources,
    facts,
)

# --- facts ------------------------------------------------------------------------------------------------------------


async def store_facts(
    connection: AsyncConnection, database: Database, episode: str, made: Mapping[str, Fact], at: datetime
) -> int:
    """Write the facts of an episode that is there over those that its turns said; the number of new ones."""
    known = await _known(connection, list(made))
    await _retire(connection, await _said_and_held(connection, episode) - made.keys(), at)
    await _take_over(connection, database, episode, known, at)
    there = await _lasting(connection, [turn for fact in made.values() for turn in fact.turn_ids])
    fresh = [fact for name, fact in made.items() if name not in known and there.issuperset(fact.turn_ids)]
    if fresh:
        await connection.execute(insert(facts), [fact_row(fact) for fact in fresh])
    kept = [*fresh, *(made[name] for name in known)]
    sources = [row for fact in kept for row in source_rows(fact) if row["turn_id"] in there]
    if sources:
        await connection.execute(database.insert(fact_sources).on_conflict_do_nothing(), sources)
    return len(fresh)


async def _known(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, datetime | None]:
    """Those of these facts that are there, with the time at which they were retired."""
    found: dict[str, datetime | None] = {}
    for some in parts(ids):
        there = select(facts.c.id, facts.c.retired_at).where(facts.c.id.in_(some))
        found |= {row.id: row.retired_at for row in await connection.execute(there)}
    return found


async def _said_and_held(connection: AsyncConnection, episode: str) -> set[str]:
    """Facts, not retired, that a turn of this episode says, whichever episode they were stored for."""
    said = _said_in([episode]).join(facts, facts.c.id == fact_sources.c.fact).where(facts.c.retired_at.is_(None))
    return set((await connection.execute(said)).scalars())


async def _retire(connection: AsyncConnection, ids: Iterable[str], at: datetime) -> None:
    """The words of these facts were edited away; no event goes on repeating them."""
    for some in parts(sorted(ids)):
        await _drop_events(connection, some)
        await connection.execute(update(facts).where(facts.c.id.in_(some)).values(retired_at=at))


async def _take_over(
    connection: AsyncConnection,
    database: Database,
    episode: str,
    known: Mapping[str, datetime | None],
    at: datetime,
) -> None:
    """What is there already is this episode's now, and held again; for how long it was not is noted."""
    others = or_(facts.c.episode != episode, facts.c.retired_at.is_not(None))
    for some in parts(list(known)):
        ours = update(facts).where(facts.c.id.in_(some), others).values(episode=episode, retired_at=None)
        await connection.execute(ours)
    lapsed = [
        {"fact": name, "since": since, "until": at} for name, since in known.items() if since is not None and since < at
    ]
    if lapsed:
        write = database.insert(fact_lapses)
        again = write.on_conflict_do_update(index_elements=["fact", "since"], set_={"until": write.excluded.until})
        await connection.execute(again, lapsed)


async def _lasting(connection: AsyncConnection, ids: Sequence[str]) -> set[str]:
    """Those of these turns that are there, now and until the transaction ends."""
    found: set[str] = set()
    for some in parts(ids):
        # In the order in which recording locks them.
        there = select(turns.c.id).where(turns.c.id.in_(some)).order_by(turns.c.seq)
        locked = there.with_for_update(read=True, key_share=True)
        found.update((await connection.execute(locked)).scalars())
    return found


# --- what goes with the words -----------------------------------------------------------------------------------------


async def said_in(connection: AsyncConnection, episodes: Sequence[str]) -> set[str]:
    """The facts that turns of these episodes say."""
    return set((await connection.execute(_said_in(episodes))).scalars())


async def drop_facts(connection: AsyncConnection, ids: Iterable[str]) -> None:
    """Delete these facts, and the events that tell of them: their summaries repeat the words. The other facts of such
    an event are gathered again."""
    for some in parts(sorted(ids)):
        await _drop_events(connection, some)
        await connection.execute(delete(facts).where(facts.c.id.in_(some)))


async def _drop_events(connection: AsyncConnection, of_facts: Sequence[str]) -> None:
    for told in parts(sorted(await _events_of(connection, of_facts))):
        await connection.execute(delete(events).where(events.c.id.in_(told)))


def _said_in(episodes: Sequence[str]) -> Select[Any]:
    of_turns = fact_sources.c.turn_id == turns.c.id
    said = select(fact_sources.c.fact).select_from(fact_sources).join(turns, of_turns)
    return said.where(turns.c.episode_id.in_(episodes)).distinct()


# --- events -----------------------------------------------------------------------------------------------------------


async def store_event(connection: AsyncConnection, database: Database, event: Event) -> None:
    """Write a version that is newer than what is there; its facts leave the events that had them."""
    known = (await connection.execute(select(events.c.version).where(events.c.id == event.id))).scalar()
    members = list(await _known(connection, event.facts))
    if not members or (known is not None and known >= event.version):
        return
    write = database.insert(events).values(id=event.id, version=event.version)
    await connection.execute(write.on_conflict_do_update(index_elements=["id"], set_={"version": event.version}))
    await connection.execute(insert(event_versions).values(_version_row(event)))
    robbed = await _events_of(connection, members) - {event.id}
    await _put_members(connection, event, set(members))
    await _drop_empty(connection, robbed)
    await _put_keywords(connection, event)


def _version_row(event: Event) -> dict[str, Any]:
    values = {column.name: getattr(event, column.name) for column in event_versions.c if column.name != "event"}
    return values | {"event": event.id}


async def _put_members(connection: AsyncConnection, event: Event, members: set[str]) -> None:
    await connection.execute(delete(event_facts).where(event_facts.c.event == event.id))
    for some in parts(sorted(members)):
        taken = update(event_facts).where(event_facts.c.fact.in_(some)).values(member=False)
        await connection.execute(taken)
    named = [name for name in dict.fromkeys(event.facts) if name in members]
    rows = [{"event": event.id, "fact": name, "place": place, "member": True} for place, name in enumerate(named)]
    await connection.execute(insert(event_facts), rows)


async def _put_keywords(connection: AsyncConnection, event: Event) -> None:
    await connection.execute(delete(event_keywords).where(event_keywords.c.event == event.id))
    rows = [
        {"event": event.id, "keyword": keyword, "first_at": event.first_at, "last_at": event.last_at}
        for keyword in keyword_keys(event.keywords)
    ]
    if rows:
        await connection.execute(insert(event_keywords), rows)


async def _events_of(connection: AsyncConnection, ids: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for some in parts(ids):
        of_facts = select(event_facts.c.event).where(event_facts.c.fact.in_(some)).distinct()
        found.update((await connection.execute(of_facts)).scalars())
    return found


async def _drop_empty(connection: AsyncConnection, ids: Iterable[str]) -> None:
    for some in parts(sorted(ids)):
        empty = ~exists().where(event_facts.c.event == events.c.id, event_facts.c.member)
        await connection.execute(delete(events).where(events.c.id.in_(some), empty))
