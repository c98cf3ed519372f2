"""The words in memory: the twin of the SQL store, for tests and for trying things out. Gone when the process ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from secrets import token_bytes

from config.redaction import RedactionSettings
from memory.model import Episode, Note, Turn, Viewer
from memory.ports import LEAP, Clock, Recorded, Retry, TicketState
from memory.redaction import redacted_turns, redactor_of
from memory.scope import may_read
from memory.stores.in_memory_acts import InMemoryActBox
from memory.stores.in_memory_audit import InMemoryAuditLog
from memory.stores.in_memory_deliveries import InMemoryDeliveries
from memory.stores.in_memory_facts import InMemoryFactReading, InMemoryFactWriting
from memory.stores.in_memory_feedback import InMemoryFeedback
from memory.stores.in_memory_followers import InMemoryFollowers
from memory.stores.in_memory_holds import InMemoryHolds
from memory.stores.in_memory_incidents import InMemoryIncidents
from memory.stores.in_memory_inspection import InMemoryInspection
from memory.stores.in_memory_ledger import InMemoryLedger
from memory.stores.in_memory_lines import InMemoryLines
from memory.stores.in_memory_mailbox import InMemoryMailbox, record
from memory.stores.in_memory_membership import InMemoryMembership
from memory.stores.in_memory_personal import InMemoryPersonal
from memory.stores.in_memory_shelf import InMemoryShelf
from memory.stores.in_memory_state import Cut, Kept, Memory, shown_part
from memory.stores.in_memory_tickets import InMemoryTicketReading, InMemoryTicketWriting
from memory.stores.in_memory_vault import InMemoryVault
from memory.stores.words import as_it_was, cleaned_note, name_key, readings, states, storable
from memory.text.redact import Redactor


class InMemoryReading:
    """The port `Reading` in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def recent(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        said = [kept.turn for kept in self._seen(viewer, until) if kept.turn.conversation.id == conversation]
        return said[-limit:] if limit > 0 else []

    async def live(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        seen = [kept for kept in self._seen(viewer, until) if kept.turn.conversation.id == conversation]
        said = [kept.turn for kept in seen if kept.pending]
        return said[-limit:] if limit > 0 else []

    async def episodes(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Episode]:
        scopes, members = self._memory.scopes(), self._memory.members()
        found = []
        for name in dict.fromkeys(ids):
            part = [kept for kept in members.get(name, []) if kept.turn.said_at <= until]
            if seen := shown_part(part, viewer, scopes):
                found.append(self._memory.episode(name, seen))
        return found

    async def turns(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Turn]:
        found = {kept.turn.id: kept.turn for kept in self._seen(viewer, until)}
        return [found[name] for name in dict.fromkeys(ids) if name in found]

    async def as_of(self, ids: Sequence[str], viewer: Viewer, moment: datetime) -> list[Turn]:
        scopes = self._memory.scopes()
        kept = [self._memory.turns[name] for name in dict.fromkeys(ids) if name in self._memory.turns]
        seen = [one for one in kept if may_read(viewer, scopes[one.turn.id])]
        now = {one.turn.id: one.turn for one in seen}
        found = as_it_was(now, [turn for one in seen for turn in one.older], moment)
        return [found[name] for name in now if name in found]

    async def named(self, ref: str, viewer: Viewer, until: datetime) -> list[Turn]:
        return [kept.turn for kept in self._seen(viewer, until) if _is_called(kept.turn, ref)]

    async def tickets(self, names: Sequence[str], viewer: Viewer, until: datetime) -> list[TicketState]:
        found = states(kept.told for kept in self._seen(viewer, until))
        return [found[key] for key in dict.fromkeys(map(name_key, names)) if key in found]

    async def ended(self, since: datetime, until: datetime, viewer: Viewer, limit: int) -> list[str]:
        scopes, members = self._memory.scopes(), self._memory.members()
        last = {name: part[-1].turn.said_at for name, part in sorted(members.items())}
        seen = [name for name in last if since <= last[name] <= until and shown_part(members[name], viewer, scopes)]
        return sorted(seen, key=last.__getitem__, reverse=True)[: max(limit, 0)]

    async def notes(self, episodes: Sequence[str], viewer: Viewer) -> Mapping[str, Note]:
        scopes, members = self._memory.scopes(), self._memory.members()
        found = {}
        for name in dict.fromkeys(episodes):
            note = self._memory.newest_note(name)
            if note and shown_part(members.get(name, []), viewer, scopes):
                found[name] = note
        return found

    def _seen(self, viewer: Viewer, until: datetime) -> list[Kept]:
        scopes = self._memory.scopes()
        early = (kept for kept in self._memory.in_time() if kept.turn.said_at <= until)
        return [kept for kept in early if may_read(viewer, scopes[kept.turn.id])]


class InMemoryWriting:
    """The port `Writing` in memory. To `deliveries` it is owed that a ticket is forgotten."""

    def __init__(
        self, memory: Memory, clock: Clock, redactor: Redactor, deliveries: InMemoryDeliveries | None = None
    ) -> None:
        self._deliveries = deliveries
        self._memory = memory
        self._clock = clock
        self._redactor = redactor

    async def record(self, turns: Sequence[Turn]) -> Recorded:
        return record(self._memory, await redacted_turns(turns, self._redactor), self._clock())

    async def due(self, idle_before: datetime, grown_to: int, limit: int) -> list[str]:
        waiting: dict[str, list[datetime]] = {}
        for kept in self._memory.turns.values():
            if kept.pending:
                waiting.setdefault(kept.turn.conversation.id, []).append(kept.recorded_at)
        ready = [name for name, times in waiting.items() if max(times) < idle_before or len(times) >= grown_to]
        return sorted(ready, key=lambda name: (min(waiting[name]), name))[: max(limit, 0)]

    async def open_run(self, conversation: str) -> list[Turn]:
        ours = [kept for kept in self._memory.in_time() if kept.turn.conversation.id == conversation]
        first = next((kept.place for kept in ours if kept.pending), None)
        if first is None:
            return []
        starts: dict[str, tuple[datetime, int]] = {}
        for kept in ours:
            if kept.episode is not None:
                starts.setdefault(kept.episode, kept.place)
        start = max((place for place in starts.values() if place < first), default=first)
        return [kept.turn for kept in ours if kept.place >= start]

    async def store_episodes(self, conversation: str, episodes: Sequence[Episode]) -> list[str]:
        before: set[str | None] = set()
        for episode in episodes:
            there = self._kept(episode)
            before.update(kept.episode for kept in there)
            whole = len(there) == len(episode.turns)
            if whole:
                self._memory.cuts[episode.id] = Cut(ticket=episode.ticket, tokens=episode.tokens)
            for kept in there:
                kept.episode = episode.id if whole else None
                kept.pending = kept.pending or not whole
        touched = before | {episode.id for episode in episodes}
        gone = touched - {kept.episode for kept in self._memory.turns.values()}
        self._memory.forget(name for name in gone if name is not None)
        return sorted(name for name in gone & before if name is not None)

    async def store_note(self, note: Note) -> None:
        if note.episode in self._memory.cuts:
            self._memory.notes.setdefault(note.episode, {}).setdefault(note.version, cleaned_note(note))

    async def newest_notes(self, episodes: Sequence[str]) -> Mapping[str, Note]:
        found = {name: self._memory.newest_note(name) for name in episodes}
        return {name: note for name, note in found.items() if note is not None}

    async def mark_flushed(self, episodes: Sequence[Episode]) -> None:
        flushed = {turn.id: turn.revision for episode in episodes for turn in episode.turns}
        for name, revision in flushed.items():
            kept = self._memory.turns.get(name)
            if kept is not None and kept.turn.revision == revision and kept.episode is not None:
                kept.pending = False

    async def store_retry(self, retry: Retry) -> None:
        if retry.episode in self._memory.cuts:
            self._memory.retries[retry.episode] = replace(retry, error=storable(retry.error))

    async def due_retries(self, now: datetime, limit: int) -> list[Retry]:
        waiting = [retry for retry in self._memory.retries.values() if retry.next_at <= now]
        return sorted(waiting, key=lambda retry: (retry.next_at, retry.episode))[: max(limit, 0)]

    async def drop_retries(self, episodes: Sequence[str]) -> None:
        for name in episodes:
            self._memory.retries.pop(name, None)

    async def episodes_after(self, last: str | None, limit: int) -> list[Episode]:
        later = sorted(name for name in self._memory.cuts if last is None or name > last)
        return await self.episodes_of(later[: max(limit, 0)])

    async def episodes_of(self, ids: Sequence[str]) -> list[Episode]:
        members = self._memory.members()
        return [self._memory.episode(name, members[name]) for name in dict.fromkeys(ids) if name in members]

    async def expired(self, before: datetime, limit: int) -> list[Episode]:
        old = [
            (part[-1].turn.said_at, name)
            for name, part in self._memory.members().items()
            if part[-1].turn.said_at < before
            and part[0].turn.conversation.id not in self._memory.holds
            and not any(kept.pinned or kept.pending for kept in part)
        ]
        return await self.episodes_of([name for _, name in sorted(old)[: max(limit, 0)]])

    async def erase(self, episodes: Sequence[str]) -> int:
        held = {kept.episode for kept in self._memory.turns.values() if kept.turn.conversation.id in self._memory.holds}
        doomed = set(episodes) - held
        turns = [name for name, kept in self._memory.turns.items() if kept.episode in doomed]
        before = self._memory.tickets()
        for name in turns:
            del self._memory.turns[name]
        self._memory.forget(doomed)
        self._memory.drop_facts()
        forgotten = self._memory.keep_tickets(before)
        if self._deliveries is not None:
            self._deliveries.owe_forgotten(forgotten, self._clock())
        return len(turns)

    async def pin(self, episodes: Sequence[str], pinned: bool) -> None:
        chosen = set(episodes)
        for kept in self._memory.turns.values():
            if kept.episode in chosen:
                kept.pinned = pinned

    async def reopen_all(self) -> int:
        for kept in self._memory.turns.values():
            kept.pending = True
        turns = len(self._memory.turns)
        self._memory.rebuild = (self._clock(), turns) if turns else None
        return turns

    async def end_rebuild(self) -> None:
        if not self._memory.left_to_rebuild():
            self._memory.rebuild = None

    async def counts(self) -> Mapping[str, int]:
        return {
            "turns": len(self._memory.turns),
            "pending": sum(kept.pending for kept in self._memory.turns.values()),
            "episodes": len(self._memory.cuts),
            "notes": sum(map(len, self._memory.notes.values())),
            "retries": len(self._memory.retries),
        }

    def _kept(self, episode: Episode) -> list[Kept]:
        return [self._memory.turns[turn.id] for turn in episode.turns if turn.id in self._memory.turns]


class InMemoryLeases:
    """The port `Leases` in memory: holds within one process."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, datetime]] = {}

    async def acquire(self, name: str, holder: str, now: datetime, seconds: int) -> bool:
        owner, until = self._held.get(name, (holder, now))
        whole = now + timedelta(seconds=seconds)
        if owner != holder and now < until <= whole + LEAP:
            return False
        self._held[name] = (holder, whole)
        return True

    async def release(self, name: str, holder: str) -> None:
        if self._held.get(name, ("", None))[0] == holder:
            del self._held[name]


class InMemoryStore:
    """All ports of a store over plain dictionaries."""

    def __init__(
        self,
        *,
        clock: Clock,
        redaction: RedactionSettings | None = None,
        memory: Memory | None = None,
        tracked: bool = False,
    ) -> None:
        """`memory` is that of a store before this one. `tracked`: changes of tickets are owed to an outside tracker."""
        self.memory = memory = memory or Memory()
        self.redactor = redactor_of(redaction or RedactionSettings(), token_bytes(32))
        self.deliveries = InMemoryDeliveries()
        owed = self.deliveries if tracked else None
        self.reading = InMemoryReading(memory)
        self.writing = InMemoryWriting(memory, clock, self.redactor, owed)
        self.mailbox = InMemoryMailbox(memory, clock, self.redactor, owed)
        self.membership = InMemoryMembership(memory)
        self.leases = InMemoryLeases()
        self.audit = InMemoryAuditLog()
        self.holds = InMemoryHolds(memory)
        self.inspection = InMemoryInspection(memory, self.redactor)
        self.ledger = InMemoryLedger(memory, self.audit)
        self.facts = InMemoryFactReading(memory)
        self.fact_writing = InMemoryFactWriting(memory)
        self.personal = InMemoryPersonal(memory)
        self.feedback = InMemoryFeedback()
        self.vault = InMemoryVault()
        self.acts = InMemoryActBox(self.redactor)
        self.shelf = InMemoryShelf()
        self.tickets = InMemoryTicketReading(memory)
        self.ticket_writing = InMemoryTicketWriting(memory, clock, self.redactor, owed)
        self.incidents = InMemoryIncidents(memory)
        self.lines = InMemoryLines(memory)
        self.followers = InMemoryFollowers(memory)


def _is_called(turn: Turn, ref: str) -> bool:
    name, message = name_key(turn.ticket or turn.conversation.thread), name_key(turn.message)
    return any(meant == name and part in (None, message) for meant, part in readings(ref))
