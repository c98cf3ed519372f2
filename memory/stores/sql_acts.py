"""Acts that wait to be done, in SQL: one statement decides whose they are, so two processes cannot both win."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, and_, delete, func, or_, select, update

from memory.acts import KNOWN_FOR, MOOT_AFTER, MOST, TakenAct
from memory.ports import LEAP
from memory.stores.act_rules import kept_part
from memory.stores.sql_engine import Database
from memory.stores.tables_acts import acts
from memory.text.redact import Redactor

_WAITS = acts.c.fields.is_not(None)
_DONE = acts.c.fields.is_(None)


class SqlActBox:
    """The port `ActBox` on SQLite and PostgreSQL."""

    def __init__(self, database: Database, redactor: Redactor) -> None:
        self._database = database
        self._redactor = redactor

    async def take(self, act: TakenAct, holder: str, seconds: int) -> bool:
        kept = await kept_part(act, self._redactor)
        row = {
            "id": kept.id,
            "platform": kept.platform,
            "workspace": kept.workspace,
            "person": kept.person,
            "at": kept.at,
            "fields": kept.fields,
            "words": kept.words,
            "holder": holder,
            "until": kept.at + timedelta(seconds=seconds),
        }
        new = self._database.insert(acts).values(row).on_conflict_do_nothing().returning(acts.c.id)
        return bool(await self._database.change(new))

    async def claim(self, platform: str, holder: str, now: datetime, seconds: int, limit: int) -> list[TakenAct]:
        until = now + timedelta(seconds=seconds)
        nobodys = or_(acts.c.holder == holder, acts.c.until <= now, acts.c.until > until + LEAP)
        free = and_(acts.c.platform == platform, _WAITS, nobodys)
        oldest = select(acts.c.id).where(free).order_by(acts.c.at, acts.c.id).limit(max(limit, 0))
        # Asked twice: of two who claim at once on PostgreSQL, the second looks at each row again and finds it taken.
        mine = update(acts).where(acts.c.id.in_(oldest), free)
        held = mine.values(holder=holder, until=until).returning(acts)
        found = [_act_of(row) for row in await self._database.change(held)]
        return sorted(found, key=lambda act: (act.at, act.id))

    async def done(self, id: str) -> None:
        emptied = update(acts).where(acts.c.id == id).values(person=None, fields=None, words=None)
        await self._database.change(emptied)

    async def drop_old(self, now: datetime) -> int:
        # Whatever is moot is also older than what need not be known: so the index serves for both.
        old = and_(acts.c.at < now - KNOWN_FOR, or_(_DONE, acts.c.at < now - MOOT_AFTER))
        async with self._database.writing() as connection:
            gone = list((await connection.execute(delete(acts).where(old).returning(acts.c.person))).scalars())
            if ((await connection.execute(select(func.count()).select_from(acts))).scalar() or 0) > MOST:
                order = (_DONE, acts.c.at.desc(), acts.c.id.desc())
                kept = select(acts.c.id).order_by(*order).limit(MOST)
                beyond = delete(acts).where(acts.c.id.not_in(kept)).returning(acts.c.person)
                gone += list((await connection.execute(beyond)).scalars())
        # Of what is done it is not kept whose it was.
        return sum(person is not None for person in gone)

    async def forget(self, person: str) -> None:
        await self._database.change(delete(acts).where(acts.c.person == person))


def _act_of(row: Row[Any]) -> TakenAct:
    return TakenAct(
        id=row.id,
        platform=row.platform,
        workspace=row.workspace,
        person=row.person,
        at=row.at,
        fields=row.fields,
        words=row.words,
    )
