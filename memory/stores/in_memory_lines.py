"""Lines between who asked and the support team, in memory: the twin of the SQL store."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory.lines import Copy, Line
from memory.model import Conversation
from memory.stores.in_memory_state import Memory
from memory.stores.words import name_key
from memory.tickets import State

#: More than a message has revisions, or a ticket changes.
_MANY = 1_000_000


@dataclass(slots=True, kw_only=True)
class _Laid:
    line: Line
    at: datetime
    reminded: int | None = None
    #: What the note shows, as a number that is another one when that changes, and the one at which it was drawn last.
    drawn: int = 0
    #: What the note shows beside its request; what it shows from another time on is no change of that.
    turns: frozenset[str] = frozenset()
    base: int = 0


@dataclass(slots=True, kw_only=True)
class _Owed:
    line: str
    copy: Copy


class InMemoryLines:
    """The port `Lines` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lines: dict[str, _Laid] = {}
        self._copies: dict[str, _Owed] = {}

    async def lay(self, line: Line, at: datetime) -> None:
        laid = _Laid(line=replace(line, told_at=None, reminder=None, forgotten=False), at=at)
        if line.place.id not in self._lines:
            self._lines[line.place.id] = replace(laid, drawn=self._shows(laid))

    async def at(self, place: Conversation) -> Line | None:
        laid = self._lines.get(place.id)
        return self._marked(laid) if laid else None

    async def of_ticket(self, conversation: str, ticket: str) -> Line | None:
        pair = (conversation, name_key(ticket))
        laid = [one for one in self._lines.values() if _pair(one.line) == pair]
        return max(laid, key=lambda one: one.at).line if laid else None

    async def told(self, line: Line, at: datetime) -> None:
        laid = self._lines[line.place.id]
        laid.line = replace(laid.line, told_at=laid.line.told_at or at)

    async def owe(self, line: Line, copy: Copy) -> bool:
        if copy.turn in self._copies:
            return False
        self._copies[copy.turn] = _Owed(line=line.place.id, copy=replace(copy, message=None, revision=0, begun=False))
        return True

    async def behind(self, line: Line) -> list[Copy]:
        copies = [self._as_it_is(one.copy) for one in self._copies.values() if one.line == line.place.id]
        return sorted(filter(self._is_behind, copies), key=lambda copy: (self._said_at(copy), copy.at))

    async def begin(self, turn: str) -> None:
        self._change(turn, begun=True)

    async def undo(self, turn: str) -> None:
        self._change(turn, begun=False)

    async def made(self, turn: str, message: str, revision: int) -> None:
        self._change(turn, message=message, revision=revision)

    async def drop(self, turn: str) -> None:
        self._copies.pop(turn, None)

    async def waiting(self, platform: str, since: datetime, limit: int) -> list[Line]:
        owed = {one.line for one in self._copies.values() if one.copy.at >= since and self._is_behind(one.copy)}
        return self._of(platform, lambda laid: laid.line.place.id in owed)[: max(limit, 0)]

    async def silent(self, states: Collection[State], before: datetime, limit: int) -> list[Line]:
        found = []
        for row in sorted(self._memory.tickets(), key=lambda row: (row.changed_at, row.key)):
            if not row.ours or row.state not in states or row.changed_at >= before:
                continue
            laid = [one for one in self._lines.values() if _pair(one.line) == row.pair]
            newest = max(laid, key=lambda one: one.at, default=None)
            if newest and newest.reminded != row.changes:
                found.append(newest.line)
        return found[: max(limit, 0)]

    async def remind(self, line: Line, changes: int) -> None:
        laid = self._lines[line.place.id]
        if laid.reminded != changes:
            laid.reminded, laid.line = changes, replace(laid.line, reminder=changes)

    async def reminders(self, platform: str, limit: int) -> list[Line]:
        return self._of(platform, lambda laid: laid.line.reminder is not None)[: max(limit, 0)]

    async def reminded(self, line: Line) -> None:
        laid = self._lines[line.place.id]
        if laid.line.reminder == line.reminder:
            laid.line = replace(laid.line, reminder=None)

    async def stale(self, platform: str, limit: int) -> list[Line]:
        found = self._of(platform, lambda laid: self._shows(laid) != laid.drawn)
        return [self._marked(self._lines[line.place.id]) for line in found][: max(limit, 0)]

    async def shows(self, line: Line, turns: Collection[str]) -> None:
        laid = self._lines[line.place.id]
        before = self._shows(laid)
        laid.turns = frozenset(turns)
        laid.base += before - self._shows(laid)

    async def drawn(self, line: Line) -> None:
        self._lines[line.place.id].drawn = line.changed

    async def forget(self, person: str) -> None:
        asked = {row.pair for row in self._memory.tickets() if row.requester == person}
        for laid in self._lines.values():
            laid.line = replace(laid.line, forgotten=laid.line.forgotten or _pair(laid.line) in asked)

    def _marked(self, laid: _Laid) -> Line:
        return replace(laid.line, changed=self._shows(laid))

    def _shows(self, laid: _Laid) -> int:
        beside = [self._revision(turn) for turn in sorted(laid.turns)]
        here = [row for row in self._memory.tickets(laid.line.conversation) if row.pair == _pair(laid.line)]
        states = (sum(1 + row.changes for row in here), laid.line.forgotten)
        shown = (self._revision(laid.line.request or ""), *states, *beside)
        return laid.base + sum(part * int(_MANY**place) for place, part in enumerate(shown))

    def _revision(self, turn: str) -> int:
        kept = self._memory.turns.get(turn)
        return kept.turn.revision if kept else 0

    def _change(self, turn: str, **values: Any) -> None:
        if turn in self._copies:
            owed = self._copies[turn]
            owed.copy = replace(owed.copy, **values)

    def _of(self, platform: str, which: Callable[[_Laid], bool]) -> list[Line]:
        laid = sorted(self._lines.items())
        return [one.line for _, one in laid if one.line.place.platform == platform and which(one)]

    def _as_it_is(self, copy: Copy) -> Copy:
        return replace(copy, withdrawn=copy.turn in self._memory.withdrawn)

    def _is_behind(self, copy: Copy) -> bool:
        kept = self._memory.turns.get(copy.turn)
        revised = kept is not None and kept.turn.revision != copy.revision
        return copy.message is None or revised or copy.turn in self._memory.withdrawn

    def _said_at(self, copy: Copy) -> datetime:
        kept = self._memory.turns.get(copy.turn)
        return kept.turn.said_at if kept else copy.at


def _pair(line: Line) -> tuple[str, str]:
    return line.conversation, name_key(line.ticket)
