"""Tickets in memory: the twin of the SQL store. Rows are worked out from the turns whenever they are asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.errors import TicketUnknown
from memory.model import Scope, Turn, Viewer
from memory.ports import Clock
from memory.redaction import RedactedTurn, redacted_turns
from memory.scope import may_read
from memory.stores.in_memory_deliveries import InMemoryDeliveries
from memory.stores.in_memory_mailbox import record
from memory.stores.in_memory_state import Memory
from memory.stores.ticket_rules import (
    Opened,
    Standing,
    already_opened,
    behind,
    changeable,
    chosen,
    history_of,
    opening_turn,
    part_of,
    ticket_of,
)
from memory.stores.words import cleaned, content, last_given, name_key, storable
from memory.text.redact import Redactor
from memory.tickets import Draft, Place, State, Ticket, TicketFilter, told_by_tracker


class InMemoryTicketReading:
    """The port `TicketReading` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def listed(self, viewer: Viewer, which: TicketFilter, after: Place | None, limit: int) -> list[Ticket]:
        rows = [row for row in self._seen(viewer) if _fits(row, which) and behind(row, after)]
        by_name = sorted(rows, key=lambda row: (row.key, row.conversation_id))
        newest = sorted(by_name, key=lambda row: row.changed_at, reverse=True)
        return self._told(newest[: max(limit, 0)], viewer)

    async def named(self, names: Sequence[str], viewer: Viewer) -> list[Ticket]:
        found = chosen(self._seen(viewer))
        return self._told([found[key] for key in dict.fromkeys(map(name_key, names)) if key in found], viewer)

    async def of_conversation(self, conversation: str, viewer: Viewer) -> list[Ticket]:
        rows = [row for row in self._seen(viewer) if row.conversation_id == conversation]
        return self._told(sorted(rows, key=lambda row: (row.opened_at, row.key)), viewer)

    async def history(self, name: str, viewer: Viewer) -> list[Turn]:
        row = chosen(self._seen(viewer)).get(name_key(name))
        return history_of(self._words(row, viewer, self._memory.scopes()), row.opened_by) if row else []

    def _seen(self, viewer: Viewer) -> list[Standing]:
        scopes = self._memory.scopes()
        return [row for row in self._memory.tickets() if may_read(viewer, scopes[row.opened_by])]

    def _told(self, rows: Iterable[Standing], viewer: Viewer) -> list[Ticket]:
        scopes = self._memory.scopes()
        return [self._ticket(row, self._words(row, viewer, scopes)) for row in rows]

    def _ticket(self, row: Standing, said: Sequence[Turn]) -> Ticket:
        kept = self._memory.turns[row.opened_by]
        title, status = last_given([turn.title for turn in said]), last_given([turn.status for turn in said])
        return ticket_of(row, kept.turn.conversation, "" if kept.going else kept.turn.text, title, status)

    def _words(self, row: Standing, viewer: Viewer, scopes: Mapping[str, Scope]) -> list[Turn]:
        seen = (turn for turn in self._memory.said_in(row.pair) if may_read(viewer, scopes[turn.id]))
        return [self._memory.turns[turn.id].told for turn in seen]


class InMemoryTicketWriting:
    """The port `TicketWriting` in memory."""

    def __init__(
        self, memory: Memory, clock: Clock, redactor: Redactor, deliveries: InMemoryDeliveries | None = None
    ) -> None:
        """`deliveries`: to which changes are owed to an outside tracker; None where there is none."""
        self._memory = memory
        self._clock = clock
        self._redactor = redactor
        self._deliveries = deliveries

    async def open(self, draft: Draft, opening: Turn, prefix: str) -> str:
        kept, place = self._memory.turns.get(draft.turn), cleaned(opening).conversation
        if kept is None or kept.turn.conversation != place:
            raise TicketUnknown
        known = already_opened(self._memory.tickets(place.id), draft.turn, kept.turn.ticket)
        if known is not None:
            return known
        name = self._next_name(storable(prefix))
        for other in self._memory.turns.values():
            if other.turn.conversation == place and other.turn.ticket is None and other.place >= kept.place:
                other.turn = replace(other.turn, ticket=name, revision=other.turn.revision + 1)
                other.pending = True
                other.versions.add(content(other.turn))
        category = None if draft.category is None else storable(draft.category)
        self._memory.opened[place.id, name_key(name)] = Opened(turn=draft.turn, category=category)
        told = await redacted_turns([opening_turn(opening, draft, name, kept.turn.said_at)], self._redactor)
        self._record(told)
        return name

    async def change(self, name: str, seen: int, change: Turn) -> None:
        turn = cleaned(change)
        if turn.id in self._memory.turns or turn.id in self._memory.withdrawn:
            return
        row = changeable(self._memory.tickets(turn.conversation.id), name, seen, turn)
        told = [said.said_at for said in self._memory.said_in(row.pair) if part_of(said).tells]
        said_at = max([turn.said_at, *told])
        changed = await redacted_turns([replace(turn, ticket=row.name, said_at=said_at)], self._redactor)
        self._record(changed)

    def _record(self, changes: Sequence[RedactedTurn]) -> None:
        record(self._memory, changes, self._clock())
        for change in changes:
            if self._deliveries is not None and not told_by_tracker(change):
                self._deliveries.owe(change, self._clock())

    async def idle(self, states: Collection[State], before: datetime, limit: int) -> list[str]:
        rows = [row for row in self._memory.tickets() if row.ours and row.state in states and row.changed_at < before]
        return [row.name for row in sorted(rows, key=lambda row: (row.changed_at, row.key))[: max(limit, 0)]]

    def _next_name(self, prefix: str) -> str:
        """A number that was never given, and no name that anything else has."""
        taken = {name_key(turn.ticket or turn.conversation.thread) for turn in self._memory.said()}
        while True:
            number = self._memory.numbers.get(name_key(prefix), 0) + 1
            self._memory.numbers[name_key(prefix)] = number
            if name_key(f"{prefix}-{number}") not in taken:
                return f"{prefix}-{number}"


def _fits(row: Standing, which: TicketFilter) -> bool:
    wanted = ((which.requester, row.requester), (which.assignee, row.assignee), (which.category, row.category))
    same = all(asked is None or storable(asked) == value for asked, value in wanted)
    asked_for = which.requester is None or not row.requester_gone
    return same and asked_for and which.open in (None, row.is_open)
