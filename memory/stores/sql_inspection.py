"""What upkeep looks through, in SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Select, Table, bindparam, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.inspection import Flaw, Made, Redacted, Said
from memory.redaction import redacted_texts
from memory.stores.sql_cut import lock, unlink
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_fact_cut import drop_facts, said_in
from memory.stores.sql_flaws import drop_flawed, flaws
from memory.stores.tables import episodes, notes, turn_versions, turns
from memory.stores.tables_facts import event_facts, event_versions, fact_sources, facts, links
from memory.text.redact import Redactor

_WORDS = ("text", "title", "status")
#: What is made of an episode: the table, the column that names the episode, and the columns with words.
_MADE = (
    (notes, notes.c.episode, ("summary", "context", "keywords", "tags", "entities")),
    (facts, facts.c.episode, ("subject", "value", "text", "people", "keywords")),
    (links, links.c.episode, ("reason",)),
)


class SqlInspection:
    """The port `Inspection` on SQLite and PostgreSQL."""

    def __init__(self, database: Database, redactor: Redactor) -> None:
        self._database = database
        self._redactor = redactor

    async def said_after(self, last: str | None, limit: int) -> list[Said]:
        later = true() if last is None else turns.c.id > last
        page = select(turns.c.id, turns.c.episode_id, turns.c.derived, *_words(turns)).where(later)
        async with self._database.reading() as connection:
            rows = (await connection.execute(page.order_by(turns.c.id).limit(max(limit, 0)))).all()
            told = {row.id: _texts(row[3:]) for row in rows}
            for some in parts(list(told)):
                older = select(turn_versions.c.turn_id, *_words(turn_versions)).where(turn_versions.c.turn_id.in_(some))
                for name, *words in await connection.execute(older):
                    told[name] += _texts(words)
        return [
            Said(turn=row.id, episode=row.episode_id, derived=row.derived, texts=tuple(told[row.id])) for row in rows
        ]

    async def made_of(self, episodes: Sequence[str]) -> list[Made]:
        texts: dict[str, list[str]] = {}
        waiting: set[str] = set()
        async with self._database.reading() as connection:
            for some in parts(episodes):
                texts |= {name: [] for name in (await connection.execute(_there(some))).scalars()}
                waiting.update((await connection.execute(_waiting(some))).scalars())
                for statement in (*_made(some), _events(some)):
                    for name, *words in await connection.execute(statement):
                        texts[name] += _texts(words)
        return [
            Made(episode=name, flushed=name not in waiting, texts=tuple(texts[name]))
            for name in dict.fromkeys(episodes)
            if name in texts
        ]

    async def there(self, episodes: Sequence[str]) -> set[str]:
        found: set[str] = set()
        async with self._database.reading() as connection:
            for some in parts(episodes):
                found.update((await connection.execute(_there(some))).scalars())
        return found

    async def places(self, turns: Sequence[str]) -> Mapping[str, str | None]:
        found: dict[str, str | None] = {}
        async with self._database.reading() as connection:
            for some in parts(turns):
                found |= {row.id: row.episode_id for row in await connection.execute(_place(some))}
        return found

    async def redact(self, turns: Sequence[str]) -> Redacted:
        async with self._database.deriving() as connection:
            await lock(connection, turns)
            changed: set[str] = set()
            counts = []
            for table, key in _VERSIONS:
                rows = [row for some in parts(turns) for row in await connection.execute(_texts_of(table, key, some))]
                new = await self._redacted(rows)
                if new:
                    await connection.execute(_rewritten(table, key), new)
                changed.update(row["turn"] for row in new)
                counts.append(len(new))
            gone = await _unmake_turns(connection, sorted(changed))
        return Redacted(turns=counts[0], versions=counts[1], episodes=tuple(sorted(gone)))

    async def unmake(self, episodes: Sequence[str]) -> None:
        async with self._database.deriving() as connection:
            for some in parts(episodes):
                await drop_facts(connection, await said_in(connection, some))
            await unlink(connection, episodes)

    async def reopen(self, episodes: Sequence[str]) -> None:
        async with self._database.writing() as connection:
            for some in parts(episodes):
                await connection.execute(update(turns).where(turns.c.episode_id.in_(some)).values(pending=True))

    async def flaws(self) -> Mapping[Flaw, int]:
        async with self._database.reading() as connection:
            return await flaws(connection)

    async def drop_flawed(self) -> int:
        async with self._database.deriving() as connection:
            return await drop_flawed(connection)

    async def scrub(self) -> None:
        await self._database.scrub()

    async def _redacted(self, rows: Iterable[Any]) -> list[dict[str, Any]]:
        """The rows of versions whose words have secrets, with other words."""
        found = []
        for row in rows:
            words = [getattr(row, name) or "" for name in _WORDS]
            kept = await redacted_texts(words, self._redactor)
            if kept != words:
                values = {name: new or getattr(row, name) for name, new in zip(_WORDS, kept, strict=True)}
                found.append({"turn": row.turn, "seen": row.revision, **{f"new_{k}": v for k, v in values.items()}})
        return found


#: Where versions of turns are, by what: the newest, and those before.
_VERSIONS = ((turns, "id"), (turn_versions, "turn_id"))


def _words(table: Table) -> list[Any]:
    return [table.c[name] for name in _WORDS]


def _texts(values: Iterable[Any]) -> list[str]:
    """Texts, and lists of texts, as texts."""
    found: list[str] = []
    for value in values:
        found += value if isinstance(value, tuple) else [value] if value else []
    return found


def _texts_of(table: Table, key: str, some: Sequence[str]) -> Select[Any]:
    return select(table.c[key].label("turn"), table.c.revision, *_words(table)).where(table.c[key].in_(some))


def _rewritten(table: Table, key: str) -> Any:
    same = (table.c[key] == bindparam("turn")) & (table.c.revision == bindparam("seen"))
    return update(table).where(same).values({name: bindparam(f"new_{name}") for name in _WORDS})


async def _unmake_turns(connection: AsyncConnection, changed: Sequence[str]) -> set[str]:
    """What was made of these turns goes; the episodes that they were in."""
    cut: set[str] = set()
    for some in parts(changed):
        told = select(fact_sources.c.fact).where(fact_sources.c.turn_id.in_(some))
        await drop_facts(connection, (await connection.execute(told)).scalars())
        cut.update(row.episode_id for row in await connection.execute(_place(some)) if row.episode_id is not None)
    for part in parts(sorted(cut)):
        # A fact that cites other turns of the episode may have its words from one of these.
        await drop_facts(connection, await said_in(connection, part))
    await unlink(connection, sorted(cut))
    return cut


def _place(some: Sequence[str]) -> Select[Any]:
    return select(turns.c.id, turns.c.episode_id).where(turns.c.id.in_(some))


def _there(some: Sequence[str]) -> Select[Any]:
    return select(episodes.c.id).where(episodes.c.id.in_(some))


def _waiting(some: Sequence[str]) -> Select[Any]:
    return select(turns.c.episode_id).where(turns.c.episode_id.in_(some), turns.c.pending == true()).distinct()


def _made(some: Sequence[str]) -> list[Select[Any]]:
    """Of episodes that are there."""
    return [select(of, *(table.c[name] for name in words)).where(of.in_(_there(some))) for table, of, words in _MADE]


def _events(some: Sequence[str]) -> Select[Any]:
    told = event_facts.join(facts, facts.c.id == event_facts.c.fact)
    told = told.join(event_versions, event_versions.c.event == event_facts.c.event)
    words = (event_versions.c.summary, event_versions.c.people, event_versions.c.keywords)
    return select(facts.c.episode, *words).select_from(told).where(facts.c.episode.in_(_there(some))).distinct()
