"""The write path and upkeep, in SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Delete,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.model import Episode, Note, Turn
from memory.ports import Clock, Recorded, Retry
from memory.redaction import redacted_turns
from memory.stores.sql_cut import (
    drop_empty,
    episodes_with,
    erase,
    lock,
    newest_start,
    present,
    run_from,
    still_there,
    uncut,
)
from memory.stores.sql_deliveries import owe_forgotten
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_inbox import Inbox
from memory.stores.sql_rows import (
    IN_TIME,
    episodes_by_id,
    in_order,
    newest_notes,
    note_of,
    retry_of,
    row_of,
    turn_of,
    whole_episodes,
)
from memory.stores.tables import episodes, notes, retries, turns
from memory.stores.tables_holds import holds
from memory.stores.tables_rebuilds import rebuilds
from memory.stores.words import cleaned
from memory.text.redact import Redactor

_PENDING = turns.c.pending == true()
_HELD = episodes.c.conversation_id.in_(select(holds.c.conversation))


class SqlWriting:
    """The port `Writing` on SQLite and PostgreSQL."""

    def __init__(
        self, database: Database, inbox: Inbox, clock: Clock, redactor: Redactor, *, tracked: bool = False
    ) -> None:
        """`tracked`: that a ticket is forgotten is owed to an outside tracker."""
        self._tracked = tracked
        self._database = database
        self._inbox = inbox
        self._clock = clock
        self._redactor = redactor

    async def record(self, turns: Sequence[Turn]) -> Recorded:
        now, kept = self._clock(), await redacted_turns(turns, self._redactor)
        return await self._inbox.put([row_of(cleaned(turn), now) for turn in kept])

    async def due(self, idle_before: datetime, grown_to: int, limit: int) -> list[str]:
        idle = func.max(turns.c.recorded_at) < idle_before
        statement = (
            select(turns.c.conversation_id)
            .where(_PENDING)
            .group_by(turns.c.conversation_id)
            .having(idle | (func.count() >= grown_to))
            .order_by(func.min(turns.c.recorded_at), turns.c.conversation_id)
            .limit(max(limit, 0))
        )
        return [row.conversation_id for row in await self._database.rows(statement)]

    async def open_run(self, conversation: str) -> list[Turn]:
        ours = turns.c.conversation_id == conversation
        pending = await self._database.rows(select(*IN_TIME).where(ours, _PENDING).order_by(*IN_TIME).limit(1))
        if not pending:
            return []
        growing = await self._database.rows(newest_start(conversation, pending[0]))
        run = select(turns).where(ours, run_from([*growing, *pending][0])).order_by(*IN_TIME)
        return [turn_of(row) for row in await self._database.rows(run)]

    async def store_episodes(self, conversation: str, episodes: Sequence[Episode]) -> list[str]:
        if not episodes:
            return []
        said = [turn.id for episode in episodes for turn in episode.turns]
        async with self._database.deriving() as connection:
            await lock(connection, said)
            before = await episodes_with(connection, said)
            there = await present(connection, said)
            whole = [episode for episode in episodes if there.issuperset(turn.id for turn in episode.turns)]
            members = {turn.id: episode.id for episode in whole for turn in episode.turns}
            for some in parts([turn for turn in said if turn not in members]):
                await uncut(connection, turns.c.id.in_(some))
            if members:
                await self._put_episodes(connection, conversation, whole)
                move = update(turns).where(turns.c.id == bindparam("turn")).values(episode_id=bindparam("into"))
                await connection.execute(move, [{"turn": turn, "into": name} for turn, name in members.items()])
            gone = await drop_empty(connection, before | {episode.id for episode in episodes})
            return sorted(gone & before)

    async def store_note(self, note: Note) -> None:
        values = {column.name: getattr(note, column.name) for column in notes.c}
        async with self._database.writing() as connection:
            if await still_there(connection, note.episode):
                await connection.execute(self._database.insert(notes).values(values).on_conflict_do_nothing())

    async def newest_notes(self, episodes: Sequence[str]) -> Mapping[str, Note]:
        found: dict[str, Note] = {}
        for some in parts(episodes):
            found |= {row.episode: note_of(row) for row in await self._database.rows(newest_notes(some))}
        return found

    async def mark_flushed(self, episodes: Sequence[Episode]) -> None:
        done = [{"turn": turn.id, "seen": turn.revision} for episode in episodes for turn in episode.turns]
        if not done:
            return
        same = (turns.c.id == bindparam("turn")) & (turns.c.revision == bindparam("seen"))
        same &= turns.c.episode_id.is_not(None)
        async with self._database.writing() as connection:
            await lock(connection, [turn.id for episode in episodes for turn in episode.turns])
            await connection.execute(update(turns).where(same).values(pending=False), done)

    async def store_retry(self, retry: Retry) -> None:
        values = {column.name: getattr(retry, column.name) for column in retries.c}
        write = self._database.insert(retries).values(values)
        async with self._database.writing() as connection:
            if await still_there(connection, retry.episode):
                await connection.execute(write.on_conflict_do_update(index_elements=["episode"], set_=values))

    async def due_retries(self, now: datetime, limit: int) -> list[Retry]:
        waiting = select(retries).where(retries.c.next_at <= now).order_by(retries.c.next_at, retries.c.episode)
        return [retry_of(row) for row in await self._database.rows(waiting.limit(max(limit, 0)))]

    async def drop_retries(self, episodes: Sequence[str]) -> None:
        await self._each_part(episodes, lambda some: delete(retries).where(retries.c.episode.in_(some)))

    async def episodes_after(self, last: str | None, limit: int) -> list[Episode]:
        ids = select(episodes.c.id).order_by(episodes.c.id).limit(max(limit, 0))
        return await self._whole(ids if last is None else ids.where(episodes.c.id > last))

    async def episodes_of(self, ids: Sequence[str]) -> list[Episode]:
        found: dict[str, Episode] = {}
        for some in parts(ids):
            found |= episodes_by_id(await self._database.rows(whole_episodes(episodes.c.id.in_(some))))
        return in_order(ids, found)

    async def expired(self, before: datetime, limit: int) -> list[Episode]:
        member = turns.c.episode_id == episodes.c.id
        kept = exists().where(member, (turns.c.pinned == true()) | _PENDING)
        old = select(episodes.c.id).where(episodes.c.last_at < before, ~kept, ~_HELD)
        ids = old.order_by(episodes.c.last_at, episodes.c.id)
        return await self._whole(ids.limit(max(limit, 0)))

    async def erase(self, episodes: Sequence[str]) -> int:
        erased = 0
        async with self._database.deriving() as connection:
            for some in await _free(connection, episodes):
                turns_gone, forgotten = await erase(self._database, connection, some)
                erased += turns_gone
                if self._tracked:
                    await owe_forgotten(self._database, connection, forgotten, self._clock())
        return erased

    async def pin(self, episodes: Sequence[str], pinned: bool) -> None:
        await self._each_part(
            episodes, lambda some: update(turns).where(turns.c.episode_id.in_(some)).values(pinned=pinned)
        )

    async def reopen_all(self) -> int:
        async with self._database.writing() as connection:
            return await reopen(connection, self._clock())

    async def end_rebuild(self) -> None:
        left = exists().where(_PENDING, turns.c.recorded_at <= rebuilds.c.began_at)
        await self._database.change(delete(rebuilds).where(~left))

    async def counts(self) -> Mapping[str, int]:
        tables: dict[str, tuple[Table, ColumnElement[bool]]] = {
            "turns": (turns, true()),
            "pending": (turns, _PENDING),
            "episodes": (episodes, true()),
            "notes": (notes, true()),
            "retries": (retries, true()),
        }
        each = [
            select(func.count()).select_from(table).where(condition).scalar_subquery().label(name)
            for name, (table, condition) in tables.items()
        ]
        return dict((await self._database.rows(select(*each)))[0]._mapping)

    async def _put_episodes(self, connection: AsyncConnection, conversation: str, cut: Sequence[Episode]) -> None:
        write = self._database.insert(episodes)
        fresh = {name: write.excluded[name] for name in ("conversation_id", "ticket", "tokens", "last_at")}
        rows = [
            {
                "id": episode.id,
                "conversation_id": conversation,
                "ticket": episode.ticket,
                "tokens": episode.tokens,
                "last_at": episode.last_at,
            }
            for episode in cut
        ]
        await connection.execute(write.on_conflict_do_update(index_elements=["id"], set_=fresh), rows)

    async def _whole(self, ids: Select[Any]) -> list[Episode]:
        return await self.episodes_of([row.id for row in await self._database.rows(ids)])

    async def _each_part(self, ids: Sequence[str], change: Callable[[Sequence[str]], Update | Delete]) -> None:
        async with self._database.writing() as connection:
            for some in parts(ids):
                await connection.execute(change(some))


async def reopen(connection: AsyncConnection, at: datetime) -> int:
    """Everything waits for a flush, as the index is to be written anew; the number of turns."""
    reopened = (await connection.execute(update(turns).values(pending=True))).rowcount
    await connection.execute(delete(rebuilds))
    if reopened:
        await connection.execute(insert(rebuilds).values(began_at=at, turns=reopened))
    return reopened


async def _free(connection: AsyncConnection, ids: Sequence[str]) -> list[Sequence[str]]:
    """Those of these episodes that are not under hold, in parts."""
    free = [select(episodes.c.id).where(episodes.c.id.in_(some), ~_HELD) for some in parts(ids)]
    return [(await connection.execute(one)).scalars().all() for one in free]
