"""What the in-memory store keeps, in plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.facts import Event, Fact, Link, Undo
from memory.holds import Hold, KeptVersion
from memory.membership import Move
from memory.model import Episode, Note, Scope, Turn, Viewer
from memory.ports import Retry
from memory.scope import may_read, narrowest, shown
from memory.stores.ticket_rules import (
    Opened,
    Pair,
    Standing,
    belonging,
    has_lost,
    is_forgotten,
    last_of_left,
    part_of,
    standing,
)
from memory.stores.words import Content, content, name_key
from memory.tickets import State


@dataclass(slots=True, kw_only=True)
class Kept:
    """A turn with what the store knows about it; `order` decides between equal times."""

    order: int
    turn: Turn
    recorded_at: datetime
    versions: set[Content]
    #: As it stood before each revision.
    older: list[Turn] = field(default_factory=list)
    pending: bool = True
    pinned: bool = False
    episode: str | None = None
    #: Whether a reply is owed; None where nothing was addressed to the bot.
    owed: bool | None = None
    #: Whether it is about to be taken back.
    going: bool = False

    @property
    def told(self) -> Turn:
        """As tickets tell it: what is about to go gives no title."""
        return replace(self.turn, title=None) if self.going else self.turn

    @property
    def place(self) -> tuple[datetime, int]:
        return self.turn.said_at, self.order


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What is kept of an episode beside its turns."""

    ticket: str | None
    tokens: int


@dataclass(slots=True, kw_only=True)
class Memory:
    """Everything there is, in plain dictionaries."""

    turns: dict[str, Kept] = field(default_factory=dict)
    #: Turns that their authors took back.
    withdrawn: set[str] = field(default_factory=set)
    cuts: dict[str, Cut] = field(default_factory=dict)
    notes: dict[str, dict[int, Note]] = field(default_factory=dict)
    retries: dict[str, Retry] = field(default_factory=dict)
    recorded: int = 0
    #: When a rebuild of the index began, and how many turns there were then.
    rebuild: tuple[datetime, int] | None = None
    facts: dict[str, Fact] = field(default_factory=dict)
    #: By fact: the turns that say so, as far as they are still there.
    sources: dict[str, list[str]] = field(default_factory=dict)
    #: By fact: from when to when it was retired and had not yet been made again.
    lapses: dict[str, list[tuple[datetime, datetime]]] = field(default_factory=dict)
    undos: dict[tuple[str, str], Undo] = field(default_factory=dict)
    #: As they were stored; which of the facts still belong to an event is in `event_of`.
    events: dict[str, Event] = field(default_factory=dict)
    event_of: dict[str, str] = field(default_factory=dict)
    links: dict[tuple[str, str], Link] = field(default_factory=dict)
    #: The tickets that were opened here, and by prefix the last number that was given.
    opened: dict[Pair, Opened] = field(default_factory=dict)
    #: The tickets of which the message that opened them is no longer there.
    openers_gone: set[Pair] = field(default_factory=set)
    #: The tickets of which who asked was forgotten.
    requesters_gone: set[Pair] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)
    holds: dict[str, Hold] = field(default_factory=dict)
    out_of_sight: list[KeptVersion] = field(default_factory=list)
    #: The last move of each person by platform, channel and person.
    moves: dict[tuple[str, str, str], Move] = field(default_factory=dict)

    def left_to_rebuild(self) -> int:
        """How many turns the rebuild that is under way has not come to."""
        began_at, _ = self.rebuild or (None, 0)
        return sum(
            kept.pending and began_at is not None and kept.recorded_at <= began_at for kept in self.turns.values()
        )

    def in_time(self) -> list[Kept]:
        return sorted(self.turns.values(), key=lambda kept: kept.place)

    def said(self) -> list[Turn]:
        return [kept.turn for kept in self.in_time()]

    def said_in(self, ticket: Pair) -> list[Turn]:
        """The turns of this ticket, in time order."""
        return [turn for turn in self.said() if turn.ticket is not None and _pair(turn) == ticket]

    def tickets(self, conversation: str | None = None) -> list[Standing]:
        """The rows of all tickets, or of those of a conversation."""
        parts: dict[Pair, list[Turn]] = {}
        for turn in self.said():
            if turn.ticket is not None and conversation in (None, turn.conversation.id):
                parts.setdefault(_pair(turn), []).append(turn)
        return [
            standing(
                pair,
                list(map(part_of, said)),
                self.opened.get(pair),
                opener_gone=pair in self.openers_gone,
                requester_gone=pair in self.requesters_gone,
            )
            for pair, said in parts.items()
        ]

    def with_ticket(self, turn: Turn) -> Turn:
        """A new turn with the ticket that it belongs to, where it names none."""
        place = turn.conversation.id
        if turn.ticket is not None or not any(pair[0] == place for pair in self.opened):
            return turn
        ticket = belonging(self.tickets(place), turn.said_at)
        return replace(turn, ticket=ticket.name) if ticket else turn

    def keep_tickets(self, before: Sequence[Standing]) -> list[Standing]:
        """What is kept of tickets of which turns went; `before` is how they stood. Nothing is where every turn went.
        The tickets that are forgotten by it, as they stood."""
        left: dict[Pair, set[str]] = {}
        for turn in self.said():
            if turn.ticket is not None:
                left.setdefault(_pair(turn), set()).add(turn.id)
        self.opened = {pair: opened for pair, opened in self.opened.items() if pair in left}
        self.openers_gone.update(row.pair for row in before if has_lost(row, left.get(row.pair, ())))
        self.openers_gone.intersection_update(left)
        self.requesters_gone.intersection_update(left)
        for row in before:
            # As a row in SQL that is worked out anew: what is left of it opened it from now on.
            if row.pair in self.openers_gone and row.pair in self.opened:
                opened = self.opened[row.pair]
                now = next(one for one in self.tickets(row.conversation_id) if one.pair == row.pair)
                self.opened[row.pair] = replace(opened, turn=now.opened_by)
        return [row for row in before if is_forgotten(row, left.get(row.pair, ()))]

    def keep_settled(self, of: Iterable[Pair]) -> None:
        """Tickets that were settled stay so although who settled them is forgotten: what is left says so instead."""
        for pair in of:
            last = last_of_left(self.said_in(pair))
            if last is not None:
                kept = self.turns[last.id]
                kept.older.append(last)
                kept.turn = replace(last, status=State.CLOSED.value, revision=last.revision + 1)
                kept.versions.add(content(kept.turn))
                kept.pending = True

    def members(self) -> dict[str, list[Kept]]:
        """The turns of each episode, in time order."""
        found: dict[str, list[Kept]] = {}
        for kept in self.in_time():
            if kept.episode is not None:
                found.setdefault(kept.episode, []).append(kept)
        return found

    def episode(self, name: str, members: Iterable[Kept]) -> Episode:
        said = tuple(kept.turn for kept in members)
        return Episode(
            id=name,
            conversation=said[0].conversation,
            ticket=self.cuts[name].ticket,
            turns=said,
            scope=narrowest(said),
            tokens=self.cuts[name].tokens,
        )

    def newest_note(self, episode: str) -> Note | None:
        versions = self.notes.get(episode)
        return versions[max(versions)] if versions else None

    def scopes(self) -> dict[str, Scope]:
        """The scope of each turn; who took part is everybody who wrote in its conversation and did not leave since."""
        authors: dict[str, set[str]] = {}
        for kept in self.turns.values():
            place, author = kept.turn.conversation, kept.turn.author
            move = self.moves.get((place.platform, place.channel, author))
            authors.setdefault(place.id, set()).update(() if move and move.gone else (author,))
        return {
            name: replace(narrowest([kept.turn]), participants=frozenset(authors[kept.turn.conversation.id]))
            for name, kept in self.turns.items()
        }

    def fact(self, name: str) -> Fact:
        """With the scope that its turns give it now."""
        kept = self.facts[name]
        return replace(kept, scope=narrowest(self.turns[turn].turn for turn in self.sources[name]))

    def event(self, name: str) -> Event:
        """With the facts that belong to it now."""
        kept = self.events[name]
        return replace(kept, facts=tuple(fact for fact in kept.facts if self.event_of.get(fact) == name))

    def drop_facts(self, of_episode: str | None = None) -> None:
        """Forget the facts of which a turn is gone or is of this episode, with all that was made of them."""
        gone = {name for name, said in self.sources.items() if not self.turns.keys() >= set(said)}
        if of_episode is not None:
            part = {name for name, kept in self.turns.items() if kept.episode == of_episode}
            gone |= {name for name, said in self.sources.items() if not part.isdisjoint(said)}
        self.drop_events(gone)
        for name in gone:
            del self.facts[name], self.sources[name]
            self.lapses.pop(name, None)
            self.event_of.pop(name, None)
        self.undos = {pair: undo for pair, undo in self.undos.items() if gone.isdisjoint(pair)}
        self.drop_empty_events()

    def drop_events(self, of_facts: set[str]) -> None:
        """Forget the events whose summaries repeat these facts; their other facts belong to none."""
        for name in [name for name, event in self.events.items() if not of_facts.isdisjoint(event.facts)]:
            del self.events[name]
        self.event_of = {fact: event for fact, event in self.event_of.items() if event in self.events}

    def drop_empty_events(self) -> None:
        for name in self.events.keys() - set(self.event_of.values()):
            del self.events[name]

    def keep_out_of_sight(self, kept: Kept) -> None:
        """Before a turn is deleted, where its conversation is under hold; the newest version has the last number."""
        turn = kept.turn
        if turn.conversation.id not in self.holds:
            return
        older = sorted(version[0] or "" for version in kept.versions if version[0] != turn.text)
        for revision, text in enumerate((*older, turn.text), turn.revision - len(older)):
            version = KeptVersion(
                turn=turn.id,
                revision=revision,
                conversation=turn.conversation.id,
                message=turn.message,
                author=turn.author,
                said_at=turn.said_at,
                text=text,
            )
            self.out_of_sight.append(version)

    def forget(self, episodes: Iterable[str]) -> None:
        gone = set(episodes)
        for name in gone:
            self.cuts.pop(name, None)
            self.notes.pop(name, None)
            self.retries.pop(name, None)
        self.links = {pair: link for pair, link in self.links.items() if gone.isdisjoint(pair)}


def _pair(turn: Turn) -> Pair:
    return turn.conversation.id, name_key(turn.ticket or turn.conversation.thread)


def shown_part(part: Sequence[Kept], viewer: Viewer, scopes: Mapping[str, Scope]) -> list[Kept]:
    """What the viewer gets of an episode's turns; `scopes` by turn."""
    return shown(part, may=lambda kept: may_read(viewer, scopes[kept.turn.id]), derived=lambda kept: kept.turn.derived)
