"""Acts in memory: the twin of the SQL store."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.acts import KNOWN_FOR, MOOT_AFTER, MOST, TakenAct
from memory.ports import LEAP
from memory.stores.act_rules import kept_part
from memory.stores.words import storable
from memory.text.redact import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """`act` is None once it is done."""

    id: str
    at: datetime
    act: TakenAct | None
    holder: str
    until: datetime


class InMemoryActBox:
    """The port `ActBox` in memory."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._rows: dict[str, _Row] = {}

    async def take(self, act: TakenAct, holder: str, seconds: int) -> bool:
        kept = await kept_part(act, self._redactor)
        if kept.id in self._rows:
            return False
        until = kept.at + timedelta(seconds=seconds)
        self._rows[kept.id] = _Row(id=kept.id, at=kept.at, act=kept, holder=holder, until=until)
        return True

    async def claim(self, platform: str, holder: str, now: datetime, seconds: int, limit: int) -> list[TakenAct]:
        until = now + timedelta(seconds=seconds)
        free = [
            (row, row.act)
            for row in self._rows.values()
            if row.act
            and row.act.platform == platform
            and (row.holder == holder or not now < row.until <= until + LEAP)
        ]
        mine = sorted(free, key=lambda one: (one[0].at, one[0].id))[: max(limit, 0)]
        for row, _ in mine:
            self._rows[row.id] = replace(row, holder=holder, until=until)
        return [act for _, act in mine]

    async def done(self, id: str) -> None:
        if row := self._rows.get(storable(id)):
            self._rows[row.id] = replace(row, act=None)

    async def drop_old(self, now: datetime) -> int:
        newest_first = sorted(self._rows.values(), key=lambda row: (row.at, row.id), reverse=True)
        kept = [row for row in newest_first if row.at >= now - (MOOT_AFTER if row.act else KNOWN_FOR)]
        kept = sorted(kept, key=lambda row: row.act is None)[:MOST]
        before = self._waiting()
        self._rows = {row.id: row for row in kept}
        return before - self._waiting()

    def _waiting(self) -> int:
        return sum(row.act is not None for row in self._rows.values())

    async def forget(self, person: str) -> None:
        own = storable(person)
        self._rows = {id: row for id, row in self._rows.items() if row.act is None or row.act.person != own}
