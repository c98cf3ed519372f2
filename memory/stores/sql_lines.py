"""Lines between who asked and the support team, in SQL."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, exists, func, or_, select, true, update

from memory.lines import Copy, Line, Side
from memory.model import Conversation
from memory.stores.sql_engine import Database
from memory.stores.sql_stale_notes import forgotten
from memory.stores.tables import turns, withdrawn
from memory.stores.tables_lines import ticket_copies, ticket_lines, ticket_note_turns
from memory.stores.tables_tickets import tickets
from memory.stores.words import name_key
from memory.tickets import State

#: What has to be done with a copy: it is not made, not up to date, or of a message that was taken back.
_NOT_MADE = ticket_copies.c.message.is_(None)
_REVISED = turns.c.revision != ticket_copies.c.revision
_TAKEN_BACK = withdrawn.c.turn_id.is_not(None)


class SqlLines:
    """The port `Lines` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lay(self, line: Line, at: datetime) -> None:
        place = line.place
        new = self._database.insert(ticket_lines).values(
            id=place.id,
            conversation_id=line.conversation,
            key=name_key(line.ticket),
            name=line.ticket,
            platform=place.platform,
            workspace=place.workspace,
            channel=place.channel,
            thread=place.thread,
            laid_at=at,
            request=line.request,
        )
        async with self._database.writing() as connection:
            await connection.execute(new.on_conflict_do_nothing())

    async def at(self, place: Conversation) -> Line | None:
        found = await self._lines(select(ticket_lines).where(ticket_lines.c.id == place.id))
        return found[0] if found else None

    async def of_ticket(self, conversation: str, ticket: str) -> Line | None:
        its = (ticket_lines.c.conversation_id == conversation, ticket_lines.c.key == name_key(ticket))
        found = await self._lines(select(ticket_lines).where(*its).order_by(ticket_lines.c.laid_at.desc()).limit(1))
        return found[0] if found else None

    async def told(self, line: Line, at: datetime) -> None:
        await self._change(line, ticket_lines.c.told_at.is_(None), told_at=at)

    async def owe(self, line: Line, copy: Copy) -> bool:
        values = {"line": line.place.id, "side": copy.side.value, "at": copy.at, "revision": 0}
        new = self._database.insert(ticket_copies).values(turn_id=copy.turn, **values).on_conflict_do_nothing()
        async with self._database.writing() as connection:
            return (await connection.execute(new.returning(ticket_copies.c.turn_id))).scalar() is not None

    async def behind(self, line: Line) -> list[Copy]:
        said = func.coalesce(turns.c.said_at, ticket_copies.c.at)
        wanted = _behind(ticket_copies, _TAKEN_BACK.label("withdrawn")).where(ticket_copies.c.line == line.place.id)
        async with self._database.reading() as connection:
            rows = (await connection.execute(wanted.order_by(said, ticket_copies.c.at, turns.c.seq))).all()
        return [_copy(row) for row in rows]

    async def begin(self, turn: str) -> None:
        await self._change_copy(turn, begun=True)

    async def undo(self, turn: str) -> None:
        await self._change_copy(turn, begun=False)

    async def made(self, turn: str, message: str, revision: int) -> None:
        await self._change_copy(turn, message=message, revision=revision)

    async def drop(self, turn: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(ticket_copies).where(ticket_copies.c.turn_id == turn))

    async def waiting(self, platform: str, since: datetime, limit: int) -> list[Line]:
        some = _behind(ticket_copies.c.line).where(ticket_copies.c.at >= since)
        here = (ticket_lines.c.platform == platform, ticket_lines.c.id.in_(some))
        return await self._lines(select(ticket_lines).where(*here).order_by(ticket_lines.c.id).limit(max(limit, 0)))

    async def silent(self, states: Collection[State], before: datetime, limit: int) -> list[Line]:
        later = ticket_lines.alias()
        newer = exists().where(
            later.c.conversation_id == ticket_lines.c.conversation_id,
            later.c.key == ticket_lines.c.key,
            later.c.laid_at > ticket_lines.c.laid_at,
        )
        of_ticket = (tickets.c.conversation_id == ticket_lines.c.conversation_id) & (
            tickets.c.key == ticket_lines.c.key
        )
        quiet = (tickets.c.state.in_(sorted(states)), tickets.c.changed_at < before, tickets.c.ours == true(), ~newer)
        fresh = or_(ticket_lines.c.reminded.is_(None), ticket_lines.c.reminded != tickets.c.changes)
        wanted = select(ticket_lines).join(tickets, of_ticket).where(*quiet, fresh)
        return await self._lines(wanted.order_by(tickets.c.changed_at, tickets.c.key).limit(max(limit, 0)))

    async def remind(self, line: Line, changes: int) -> None:
        fresh = or_(ticket_lines.c.reminded.is_(None), ticket_lines.c.reminded != changes)
        await self._change(line, fresh, reminded=changes, reminder=changes)

    async def reminders(self, platform: str, limit: int) -> list[Line]:
        due = (ticket_lines.c.platform == platform, ticket_lines.c.reminder.is_not(None))
        return await self._lines(select(ticket_lines).where(*due).order_by(ticket_lines.c.id).limit(max(limit, 0)))

    async def reminded(self, line: Line) -> None:
        await self._change(line, ticket_lines.c.reminder == line.reminder, reminder=None)

    async def stale(self, platform: str, limit: int) -> list[Line]:
        behind = (ticket_lines.c.platform == platform, ticket_lines.c.changed != ticket_lines.c.drawn)
        return await self._lines(select(ticket_lines).where(*behind).order_by(ticket_lines.c.id).limit(max(limit, 0)))

    async def shows(self, line: Line, turns: Collection[str]) -> None:
        its = line.place.id
        rows = [{"turn_id": turn, "line": its} for turn in sorted({*turns})]
        async with self._database.writing() as connection:
            await connection.execute(delete(ticket_note_turns).where(ticket_note_turns.c.line == its))
            if rows:
                new = self._database.insert(ticket_note_turns).on_conflict_do_nothing()
                await connection.execute(new, rows)

    async def drawn(self, line: Line) -> None:
        await self._change(line, true(), drawn=line.changed)

    async def forget(self, person: str) -> None:
        async with self._database.writing() as connection:
            await forgotten(connection, person)

    async def _lines(self, wanted: Select[Any]) -> list[Line]:
        async with self._database.reading() as connection:
            return [_line(row) for row in (await connection.execute(wanted)).all()]

    async def _change_copy(self, turn: str, **values: object) -> None:
        change = update(ticket_copies).where(ticket_copies.c.turn_id == turn).values(**values)
        async with self._database.writing() as connection:
            await connection.execute(change)

    async def _change(self, line: Line, where: ColumnElement[bool], **values: object) -> None:
        change = update(ticket_lines).where(ticket_lines.c.id == line.place.id, where).values(**values)
        async with self._database.writing() as connection:
            await connection.execute(change)


def _behind(*wanted: Any) -> Select[Any]:
    joined = ticket_copies.outerjoin(turns, turns.c.id == ticket_copies.c.turn_id)
    joined = joined.outerjoin(withdrawn, withdrawn.c.turn_id == ticket_copies.c.turn_id)
    return select(*wanted).select_from(joined).where(or_(_NOT_MADE, _REVISED, _TAKEN_BACK))


def _line(row: Row[Any]) -> Line:
    place = Conversation(platform=row.platform, workspace=row.workspace, channel=row.channel, thread=row.thread)
    return Line(
        ticket=row.name,
        conversation=row.conversation_id,
        place=place,
        told_at=row.told_at,
        reminder=row.reminder,
        request=row.request,
        forgotten=row.forgotten,
        changed=row.changed,
    )


def _copy(row: Row[Any]) -> Copy:
    return Copy(
        turn=row.turn_id,
        side=Side(row.side),
        at=row.at,
        message=row.message,
        revision=row.revision,
        begun=row.begun,
        withdrawn=bool(row.withdrawn),
    )
