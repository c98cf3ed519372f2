"""Messages addressed to the bot in memory: the twin of the SQL mailbox, and how turns are recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.mailbox import Waiting
from memory.model import Turn
from memory.ports import Clock, Recorded
from memory.redaction import RedactedTurn, redacted_turns
from memory.stores.in_memory_deliveries import InMemoryDeliveries
from memory.stores.in_memory_state import Kept, Memory
from memory.stores.words import cleaned, content, is_repeat, lasting
from memory.text.redact import Redactor


class InMemoryMailbox:
    """The port `Mailbox` in memory."""

    def __init__(
        self, memory: Memory, clock: Clock, redactor: Redactor, deliveries: InMemoryDeliveries | None = None
    ) -> None:
        """`deliveries`: to which it is owed that a ticket is forgotten; None where there is no outside tracker."""
        self._deliveries = deliveries
        self._memory = memory
        self._clock = clock
        self._redactor = redactor

    async def receive(self, turn: Turn) -> Recorded:
        [kept] = await redacted_turns([turn], self._redactor)
        recorded = record(self._memory, [kept], self._clock())
        if recorded.new:
            self._memory.turns[cleaned(turn).id].owed = True
        return recorded

    async def waits(self, turn: str) -> bool:
        kept = self._memory.turns.get(turn)
        return kept is not None and kept.owed is True

    async def replied(self, turn: str) -> None:
        if await self.waits(turn):
            self._memory.turns[turn].owed = False

    async def waiting(self, platform: str, limit: int) -> list[Waiting]:
        owed = [kept for kept in self._memory.turns.values() if kept.owed]
        here = [kept.turn for kept in sorted(owed, key=lambda kept: kept.order)]
        return [
            Waiting(turn=turn.id, conversation=turn.conversation, author=turn.author)
            for turn in here
            if turn.conversation.platform == platform
        ][: max(limit, 0)]

    async def owed_before(self, turn: Turn, limit: int) -> list[str]:
        owed = [kept for kept in self._memory.turns.values() if kept.owed]
        here = [kept for kept in owed if kept.turn.conversation.id == turn.conversation.id]
        before = [kept for kept in here if kept.turn.said_at < turn.said_at]
        return [kept.turn.id for kept in sorted(before, key=lambda kept: (kept.turn.said_at, kept.order))][
            : max(limit, 0)
        ]

    async def engaged(self, conversation: str, *, besides: str = "") -> bool:
        others = (kept for name, kept in self._memory.turns.items() if name != besides)
        return any(kept.owed is not None and kept.turn.conversation.id == conversation for kept in others)

    async def will_go(self, *turns: str) -> None:
        for kept in (self._memory.turns[turn] for turn in turns if turn in self._memory.turns):
            kept.going = True

    async def all_will_go(self, author: str) -> None:
        self._memory.requesters_gone.update(row.pair for row in self._memory.tickets() if row.requester == author)
        await self.will_go(*[name for name, kept in self._memory.turns.items() if kept.turn.author == author])

    async def withdraw(self, *turns: str) -> list[str]:
        episodes = [self._take_back(turn) for turn in turns]
        return list(dict.fromkeys(episode for episode in episodes if episode is not None))

    def _take_back(self, turn: str) -> str | None:
        """The episode that the turn was in."""
        self._memory.withdrawn.add(turn)
        if turn not in self._memory.turns:
            return None
        before = self._memory.tickets(self._memory.turns[turn].turn.conversation.id)
        kept = self._memory.turns.pop(turn)
        self._memory.keep_out_of_sight(kept)
        self._memory.drop_facts(of_episode=kept.episode)
        self._memory.keep_settled(row.pair for row in before if not row.is_open)
        forgotten = self._memory.keep_tickets(before)
        if self._deliveries is not None:
            self._deliveries.owe_forgotten(forgotten, self._clock())
        self._forget(kept.episode)
        return kept.episode

    def _forget(self, episode: str | None) -> None:
        """What was made from an episode that lost some of its words; the rest waits for the next flush."""
        rest = [kept for kept in self._memory.turns.values() if episode is not None and kept.episode == episode]
        for kept in rest:
            kept.pending, kept.episode = True, None
        if episode is not None:
            self._memory.forget([episode])


def record(memory: Memory, turns: Sequence[RedactedTurn], at: datetime) -> Recorded:
    """Record turns as they come; what became of them."""
    outcomes = [_record(memory, turn, at) for turn in [cleaned(turn) for turn in turns]]
    return Recorded(**{name: outcomes.count(name) for name in ("new", "repeated", "revised")})


def _record(memory: Memory, turn: Turn, at: datetime) -> str:
    kept, words = memory.turns.get(turn.id), content(turn)
    if turn.id in memory.withdrawn:
        return "repeated"
    if kept is None:
        memory.recorded += 1
        said = replace(memory.with_ticket(turn), revision=1)
        memory.turns[turn.id] = Kept(
            order=memory.recorded, turn=said, recorded_at=at, versions={content(said)}, pinned=lasting(said)
        )
        return "new"
    if is_repeat(words, kept.versions):
        return "repeated"
    moved = turn.ticket not in (None, kept.turn.ticket)
    before = memory.tickets(turn.conversation.id) if moved else []
    kept.older.append(kept.turn)
    kept.turn = replace(turn, ticket=turn.ticket or kept.turn.ticket, revision=kept.turn.revision + 1)
    if moved:
        memory.keep_tickets(before)
    kept.versions.add(content(kept.turn))
    kept.recorded_at, kept.pending = at, True
    return "revised"
