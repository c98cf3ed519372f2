"""Notes to the support team that show what is not so any more: noted in the transaction by which that is so."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, bindparam, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.stores.tables_lines import ticket_lines, ticket_note_turns
from memory.stores.tables_tickets import tickets
from memory.stores.ticket_rules import Pair

_STALE = update(ticket_lines).values(changed=ticket_lines.c.changed + 1)
_OF_TURN = _STALE.where(ticket_lines.c.request == bindparam("its_turn"))
#: Two statements: each finds its rows by an index of its own.
_BESIDE_TURN = _STALE.where(
    ticket_lines.c.id.in_(select(ticket_note_turns.c.line).where(ticket_note_turns.c.turn_id == bindparam("its_turn")))
)
_OF_TICKET = _STALE.where(
    ticket_lines.c.conversation_id == bindparam("its_place"), ticket_lines.c.key == bindparam("its_key")
)


async def turn_changed(connection: AsyncConnection, turn: str) -> None:
    """This turn got other words, or goes."""
    for stale in (_OF_TURN, _BESIDE_TURN):
        await connection.execute(stale, {"its_turn": turn})


async def turns_go(connection: AsyncConnection, which: Select[tuple[str]]) -> None:
    """The turns of these ids are about to be deleted."""
    beside = select(ticket_note_turns.c.line).where(ticket_note_turns.c.turn_id.in_(which))
    for lines in (ticket_lines.c.request.in_(which), ticket_lines.c.id.in_(beside)):
        await connection.execute(_STALE.where(lines))


async def ticket_changed(connection: AsyncConnection, ticket: Pair) -> None:
    """This ticket has another state, owner or title."""
    place, key = ticket
    await connection.execute(_OF_TICKET, {"its_place": place, "its_key": key})


async def tickets_gone(connection: AsyncConnection, gone: Sequence[Pair]) -> None:
    """Of these tickets nothing is left."""
    await connection.execute(_OF_TICKET, [{"its_place": place, "its_key": key} for place, key in gone])


async def forgotten(connection: AsyncConnection, person: str) -> None:
    """Who made these requests is being forgotten; before the tickets go, as nothing else leads to the notes."""
    its = (tickets.c.conversation_id == ticket_lines.c.conversation_id, tickets.c.key == ticket_lines.c.key)
    asked = exists(select(tickets.c.key).where(*its, tickets.c.requester == person))
    await connection.execute(_STALE.where(asked).values(forgotten=True))
