"""What questions cost, in SQL."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import ColumnElement, Row, Select, func, select, true

from memory.audit_log import AuditEntry
from memory.errors import StoreUnavailable
from memory.model import TokenUse
from memory.ports import AnsweredQuestion, HandedOver, Spent
from memory.stores.sql_audit import append_in
from memory.stores.sql_engine import AnyInsert, Database, parts
from memory.stores.tables import episodes, turns
from memory.stores.tables_ledger import enriched, handed_over, ledger
from memory.stores.tables_rebuilds import rebuilds

log = structlog.get_logger()

#: Entries that are being written at once; who adds another waits for one of them.
_WRITES = 32
_WAITING = select(func.count()).where(turns.c.pending == true(), turns.c.recorded_at <= rebuilds.c.began_at)
_OF_ANSWERS = (
    ledger.c.assistant_prompt + ledger.c.assistant_completion + ledger.c.master_prompt + ledger.c.master_completion
)
_OF_NOTES = enriched.c.prompt + enriched.c.completion
_REBUILDS = select(rebuilds.c.turns, _WAITING.correlate(rebuilds).scalar_subquery().label("left"))


class SqlLedger:
    """The port `Ledger` on SQLite and PostgreSQL. An entry is written while its answer is on its way: nobody
    waits for statistics. `settle` before the database is closed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writes: set[asyncio.Task[None]] = set()

    async def add(self, entry: AnsweredQuestion, audit: AuditEntry | None = None) -> None:
        while len(self._writes) >= _WRITES:
            await asyncio.wait(self._writes, return_when=asyncio.FIRST_COMPLETED)
        new = self._database.insert(ledger).values(_row_of(entry))
        write = asyncio.create_task(self._write(new, audit), name="ledger")
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)

    async def note_enriched(self, at: datetime, tokens: TokenUse) -> None:
        await self._write(self._database.insert(enriched).values(at=at, **asdict(tokens)), None)

    async def spent_since(self, moment: datetime) -> Spent:
        return Spent(
            answers=await self._number(_sum(_OF_ANSWERS).where(ledger.c.asked_at >= moment)),
            notes=await self._number(_sum(_OF_NOTES).where(enriched.c.at >= moment)),
        )

    async def spent_by(self, person: str, moment: datetime) -> int:
        asked = _sum(_OF_ANSWERS).select_from(ledger.join(turns, turns.c.id == ledger.c.turn))
        return await self._number(asked.where(ledger.c.asked_at >= moment, turns.c.author == person))

    async def note_handed_over(self, request: HandedOver, audit: AuditEntry | None = None) -> None:
        new = self._database.insert(handed_over).values(asdict(request))
        # At once, and one after the other: the first time is the one that counts.
        await self._write(new.on_conflict_do_nothing(index_elements=[handed_over.c.turn]), audit)

    async def settle(self) -> None:
        """Return when everything that was added is written, or lost and logged."""
        if self._writes:
            await asyncio.wait(self._writes)

    async def _write(self, new: AnyInsert, audit: AuditEntry | None) -> None:
        """How long this may take is the database's to say (`Database.change`)."""
        try:
            if audit is None:
                await self._database.change(new)
                return
            async with self._database.writing() as connection:
                if (await connection.execute(new)).rowcount:
                    await append_in(self._database, connection, audit)
        except StoreUnavailable as error:
            log.warning("ledger_entry_lost", table=new.table.name, error=type(error).__name__)

    async def since(self, moment: datetime) -> list[AnsweredQuestion]:
        entries = select(ledger).where(ledger.c.asked_at >= moment).order_by(ledger.c.asked_at, ledger.c.seq)
        await self.settle()
        return [_entry_of(row) for row in await self._database.rows(entries)]

    async def handed_over_since(self, moment: datetime) -> list[HandedOver]:
        requests = select(handed_over).where(handed_over.c.at >= moment).order_by(handed_over.c.at, handed_over.c.turn)
        await self.settle()
        return [HandedOver(**row._mapping) for row in await self._database.rows(requests)]

    async def sources(self, turns: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        await self.settle()
        for some in parts(turns):
            asked = select(ledger.c.turn, ledger.c.sources).where(ledger.c.turn.in_(some))
            # Not in the order in which they were written, which is not that of their answers.
            answers = asked.order_by(ledger.c.asked_at, ledger.c.seq)
            found |= {row.turn: row.sources for row in await self._database.rows(answers)}
        return {turn: sources for turn, sources in found.items() if sources}

    async def found_nothing(self, turns: Sequence[str]) -> frozenset[str]:
        last: dict[str, bool] = {}
        await self.settle()
        for some in parts(turns):
            asked = select(ledger.c.turn, ledger.c.abstained).where(ledger.c.turn.in_(some))
            answers = asked.order_by(ledger.c.asked_at, ledger.c.seq)
            last |= {row.turn: row.abstained for row in await self._database.rows(answers)}
        return frozenset(turn for turn, abstained in last.items() if abstained)

    async def count_since(self, moment: datetime) -> int:
        return await self._number(select(func.count()).where(ledger.c.asked_at >= moment))

    async def gains(self, moment: datetime, limit: int) -> list[int]:
        consulted = select(ledger.c.gained).where(ledger.c.asked_at >= moment, ledger.c.gained.is_not(None))
        newest = consulted.order_by(ledger.c.asked_at.desc(), ledger.c.seq.desc()).limit(max(limit, 0))
        await self.settle()
        return [row.gained for row in await self._database.rows(newest) if row.gained is not None]

    async def rebuilt(self) -> float | None:
        for row in await self._database.rows(_REBUILDS):
            return 1 - row.left / row.turns if row.left else None
        return None

    async def remembered_tokens(self) -> int:
        return await self._number(select(func.coalesce(func.sum(episodes.c.tokens), 0)))

    async def _number(self, statement: Select[int]) -> int:
        await self.settle()
        [[number]] = await self._database.rows(statement)
        return int(number)


def _sum(tokens: ColumnElement[int]) -> Select[int]:
    return select(func.coalesce(func.sum(tokens), 0))


def _row_of(entry: AnsweredQuestion) -> dict[str, Any]:
    return {
        "asked_at": entry.asked_at,
        "mode": entry.mode,
        "abstained": entry.abstained,
        "episodes_read": entry.episodes_read,
        "full_context_tokens": entry.full_context_tokens,
        "milliseconds": entry.milliseconds,
        "gained": entry.gained,
        "turn": entry.turn,
        "conversation": entry.conversation,
        "sources": entry.sources,
        **_tokens("assistant", entry.assistant),
        **_tokens("master", entry.master),
    }


def _tokens(role: str, used: TokenUse) -> dict[str, int]:
    return {f"{role}_{kind}": count for kind, count in asdict(used).items()}


def _entry_of(row: Row[Any]) -> AnsweredQuestion:
    return AnsweredQuestion(
        asked_at=row.asked_at,
        mode=row.mode,
        abstained=row.abstained,
        episodes_read=row.episodes_read,
        assistant=TokenUse(
            prompt=row.assistant_prompt, cached=row.assistant_cached, completion=row.assistant_completion
        ),
        master=TokenUse(prompt=row.master_prompt, cached=row.master_cached, completion=row.master_completion),
        full_context_tokens=row.full_context_tokens,
        milliseconds=row.milliseconds,
        gained=row.gained,
        turn=row.turn,
        conversation=row.conversation,
        sources=row.sources,
    )
