"""Messages addressed to the bot, in SQL: the reply that is owed stands in the row of the turn itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, delete, exists, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.mailbox import Waiting
from memory.model import Conversation, Turn
from memory.ports import Clock, Recorded
from memory.redaction import redacted_turns
from memory.stores.sql_cut import lock, unlink
from memory.stores.sql_deliveries import owe_forgotten
from memory.stores.sql_engine import Database, parts
from memory.stores.sql_fact_cut import drop_facts, said_in
from memory.stores.sql_holds import keep
from memory.stores.sql_inbox import Inbox
from memory.stores.sql_rows import row_of
from memory.stores.sql_stale_notes import turn_changed
from memory.stores.sql_ticket_rows import PAIR, disown, index_tickets, keep_settled, pairs, settled_among
from memory.stores.tables import Moment, ReplyState, turns, withdrawn
from memory.stores.tables_facts import fact_sources
from memory.stores.ticket_rules import Standing
from memory.stores.words import cleaned
from memory.text.redact import Redactor

#: Asked for each message: to make them anew would take longer than to run them.
_WAITS = select(exists().where(turns.c.id == bindparam("turn"), turns.c.reply == ReplyState.DUE))
_ENGAGED = select(
    exists().where(
        turns.c.conversation_id == bindparam("place"), turns.c.reply.is_not(None), turns.c.id != bindparam("besides")
    )
)
_OWED_BEFORE = (
    select(turns.c.id)
    .where(
        turns.c.conversation_id == bindparam("place"),
        turns.c.said_at < bindparam("moment", type_=Moment),
        turns.c.reply == ReplyState.DUE,
    )
    .order_by(turns.c.said_at, turns.c.seq)
    .limit(bindparam("most"))
)
_REPLIED = (
    update(turns).where(turns.c.id == bindparam("turn"), turns.c.reply == ReplyState.DUE).values(reply=ReplyState.GIVEN)
)


class SqlMailbox:
    """The port `Mailbox` on SQLite and PostgreSQL."""

    def __init__(
        self, database: Database, inbox: Inbox, clock: Clock, redactor: Redactor, *, tracked: bool = False
    ) -> None:
        """`tracked`: that a ticket is forgotten is owed to an outside tracker."""
        self._tracked = tracked
        self._database = database
        self._inbox = inbox
        self._clock = clock
        self._redactor = redactor

    async def receive(self, turn: Turn) -> Recorded:
        [kept] = await redacted_turns([turn], self._redactor)
        return await self._inbox.put([row_of(cleaned(kept), self._clock()) | {"reply": ReplyState.DUE}])

    async def waits(self, turn: str) -> bool:
        [[due]] = await self._database.rows(_WAITS, {"turn": turn})
        return bool(due)

    async def replied(self, turn: str) -> None:
        await self._database.change(_REPLIED, {"turn": turn})

    async def waiting(self, platform: str, limit: int) -> list[Waiting]:
        place = (turns.c.platform, turns.c.workspace, turns.c.channel, turns.c.thread)
        due = select(turns.c.id, turns.c.author, *place).where(
            turns.c.platform == platform, turns.c.reply == ReplyState.DUE
        )
        rows = await self._database.rows(due.order_by(turns.c.seq).limit(max(limit, 0)))
        return [
            Waiting(
                turn=row.id,
                conversation=Conversation(
                    platform=row.platform, workspace=row.workspace, channel=row.channel, thread=row.thread
                ),
                author=row.author,
            )
            for row in rows
        ]

    async def owed_before(self, turn: Turn, limit: int) -> list[str]:
        asked = {"place": turn.conversation.id, "moment": turn.said_at, "most": max(limit, 0)}
        return [row.id for row in await self._database.rows(_OWED_BEFORE, asked)]

    async def engaged(self, conversation: str, *, besides: str = "") -> bool:
        [[addressed]] = await self._database.rows(_ENGAGED, {"place": conversation, "besides": besides})
        return bool(addressed)

    async def will_go(self, *turns: str) -> None:
        for some in parts(turns):
            async with self._database.writing() as connection:
                await _go(connection, some)

    async def all_will_go(self, author: str) -> None:
        async with self._database.writing() as connection:
            await disown(self._database, connection, author)
        rows = await self._database.rows(select(turns.c.id).where(turns.c.author == author))
        await self.will_go(*[row.id for row in rows])

    async def withdraw(self, *turns: str) -> list[str]:
        async with self._database.deriving() as connection:
            await lock(connection, turns)
            # One after the other: what is left of a ticket is told anew by each that goes.
            taken = [await take_back(self._database, connection, turn, self._clock()) for turn in turns]
            if self._tracked:
                forgotten = [ticket for one in taken for ticket in one.forgotten]
                await owe_forgotten(self._database, connection, forgotten, self._clock())
        return list(dict.fromkeys(one.episode for one in taken if one.episode is not None))


async def _go(connection: AsyncConnection, ids: Sequence[str]) -> None:
    await lock(connection, ids)
    await connection.execute(update(turns).where(turns.c.id.in_(ids)).values(going=true()))


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """The `episode` that a turn was in, and the tickets that are `forgotten` with it, as they were."""

    episode: str | None
    forgotten: Sequence[Standing]


async def take_back(database: Database, connection: AsyncConnection, turn: str, at: datetime) -> TakenBack:
    """Delete the turn with all that was made of it, and note that it comes no more."""
    never_again = database.insert(withdrawn).values(turn_id=turn, at=at)
    await connection.execute(never_again.on_conflict_do_nothing())
    there = (await connection.execute(_place_of(turn).with_for_update())).one_or_none()
    episode = there.episode_id if there else None
    of_tickets = pairs([there] if there else [])
    settled = await settled_among(connection, of_tickets)
    await keep(connection, turn)
    await turn_changed(connection, turn)
    await _forget(connection, turn, episode)
    await keep_settled(connection, settled)
    return TakenBack(episode=episode, forgotten=await index_tickets(database, connection, of_tickets))


def _place_of(turn: str) -> Select[Any]:
    return select(turns.c.episode_id, *PAIR).where(turns.c.id == turn)


async def _forget(connection: AsyncConnection, turn: str, episode: str | None) -> None:
    said = select(fact_sources.c.fact).where(fact_sources.c.turn_id == turn)
    gone = set((await connection.execute(said)).scalars())
    if episode is not None:
        # A fact that cites other turns of the episode may have its subject or the ticket's title from this one.
        gone |= await said_in(connection, [episode])
    await drop_facts(connection, gone)
    await connection.execute(delete(turns).where(turns.c.id == turn))
    if episode is not None:
        await unlink(connection, [episode])
