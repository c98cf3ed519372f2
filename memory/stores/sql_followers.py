"""Who wants to hear how a ticket ends, in SQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, and_, delete, or_, select

from memory.followers import Follower
from memory.model import Conversation
from memory.stores.sql_engine import Database
from memory.stores.tables_followers import ticket_followers
from memory.stores.tables_tickets import tickets
from memory.stores.words import name_key

_THEIRS = ticket_followers.c


class SqlFollowers:
    """The port `Followers` on SQLite and PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def follow(self, follower: Follower) -> bool:
        new = self._database.insert(ticket_followers).values(_row(follower)).on_conflict_do_nothing()
        return bool(await self._database.change(new.returning(_THEIRS.person)))

    async def owed(self, platform: str, limit: int) -> list[Follower]:
        ticket = and_(tickets.c.conversation_id == _THEIRS.conversation_id, tickets.c.key == _THEIRS.key)
        ended = or_(tickets.c.key.is_(None), tickets.c.settled_at.is_not(None))
        wanted = select(ticket_followers, tickets.c.name.label("ticket")).outerjoin(tickets, ticket)
        here = wanted.where(_THEIRS.platform == platform, ended)
        oldest = here.order_by(_THEIRS.at, _THEIRS.key, _THEIRS.person).limit(max(limit, 0))
        return [_follower(row, row.ticket or row.key) for row in await self._database.rows(oldest)]

    async def of(self, conversation: str, ticket: str, limit: int) -> list[Follower]:
        its = (_THEIRS.conversation_id == conversation, _THEIRS.key == name_key(ticket))
        oldest = select(ticket_followers).where(*its).order_by(_THEIRS.at, _THEIRS.person).limit(max(limit, 0))
        return [_follower(row, ticket) for row in await self._database.rows(oldest)]

    async def told(self, follower: Follower) -> None:
        this = (
            _THEIRS.conversation_id == follower.conversation,
            _THEIRS.key == name_key(follower.ticket),
            _THEIRS.person == follower.person,
        )
        await self._database.change(delete(ticket_followers).where(*this))

    async def forget(self, person: str) -> None:
        await self._database.change(delete(ticket_followers).where(_THEIRS.person == person))


def _row(follower: Follower) -> dict[str, Any]:
    place = follower.place
    return {
        "conversation_id": follower.conversation,
        "key": name_key(follower.ticket),
        "person": follower.person,
        "name": follower.via or follower.ticket,
        "platform": place.platform,
        "workspace": place.workspace,
        "channel": place.channel,
        "thread": place.thread,
        "language": follower.language,
        "at": follower.at,
    }


def _follower(row: Row[Any], ticket: str) -> Follower:
    """`ticket` as it is called; what is kept beside its key is the name that the follower knows."""
    place = Conversation(platform=row.platform, workspace=row.workspace, channel=row.channel, thread=row.thread)
    own = name_key(row.name) == row.key
    return Follower(
        ticket=row.name if own else ticket,
        conversation=row.conversation_id,
        person=row.person,
        place=place,
        language=row.language,
        at=row.at,
        via="" if own else row.name,
    )
