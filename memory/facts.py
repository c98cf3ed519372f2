"""Facts and what is derived from them: statements with the time for which they hold and the time at which we knew.

A fact is what somebody's words say. It is never changed: what ends it is computed from the other facts on the same
matter (`memory.remember.timeline`), so that a late message, a repeated one and a deleted one all come out right.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from memory.model import Scope, derived_id, require_aware

#: `made_by` of the facts that code reads off a ticket's fields and signatures: exact, and not told in words.
STATE = "ticket state"
#: Under what name an author signs what a person is called: of 岡部, the account is okabe.
ACCOUNT = "account"
#: Predicates of what happened once: it was then, and does not go on.
OF_A_MOMENT = frozenset(("did", "outage"))
#: Predicates whose values are people.
OF_PEOPLE = frozenset(("owner", "assignee"))


class ClosingReason(StrEnum):
    """Why a fact ends where another begins."""

    #: The other holds from a later time and was said later.
    REPLACED = "replaced"
    #: Both hold from the same time; the other was said later.
    CORRECTED = "corrected"
    #: This one was told late, when the other was known already.
    ALREADY_HISTORY = "already_history"
    #: The other had announced the same for a day that was still to come.
    ANNOUNCED = "announced"


# A timeline compares the same few names and facts with one another again and again.
@lru_cache(maxsize=8192)
def matter(name: str) -> str:
    """One spelling of a subject or a value for comparing: width, case, spaces and a long vowel at its end do not
    matter, everything else does. Room 101 and Room 102 are two rooms."""
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return folded.removesuffix("ー") or folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One self-contained statement: of `subject`, `predicate` is `value`; `text` says it in the source's language.

    World time: it holds from `valid_from` up to, not including, `valid_to`; None while nothing ends it. `precision` is
    that of `valid_from` ("day", "month" …). `dated` tells that the words gave a date; without one the message's time
    counts. Knowledge: we held it from `recorded_at` (when it was said) up to `retired_at` (when its words were edited
    away). `turn_ids` say so; the first is where it is found. `people` and `keywords` connect it with others.
    """

    subject: str
    predicate: str
    value: str
    text: str
    people: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    episode: str
    turn_ids: tuple[str, ...]
    scope: Scope
    valid_from: datetime
    valid_to: datetime | None = None
    precision: str
    dated: bool
    recorded_at: datetime
    retired_at: datetime | None = None
    confidence: float
    made_by: str

    def __post_init__(self) -> None:
        for name in ("valid_from", "recorded_at", "valid_to", "retired_at"):
            value = getattr(self, name)
            if value is not None:
                require_aware(value, name)
        if not self.turn_ids:
            raise ValueError("a fact needs at least one turn that says so")

    @property
    def id(self) -> str:
        """The same statement of the same turns is the same fact, however often it is made."""
        said = (matter(self.subject), self.predicate, matter(self.value))
        # Two times that are equal may be written with different offsets, and then are two facts.
        return _fact_id(self.turn_ids, said, self.valid_from, self.valid_from.utcoffset())

    @property
    def group(self) -> Group:
        return Group(subject=matter(self.subject), predicate=self.predicate)

    def holds(self, moment: datetime) -> bool:
        """Whether it is true at `moment` in the world."""
        return self.valid_from <= moment and (self.valid_to is None or moment < self.valid_to)

    def ending(self, moment: datetime | None) -> Fact:
        """This fact, ending at `moment` unless it ends earlier anyway."""
        ends = [end for end in (self.valid_to, moment) if end is not None]
        return replace(self, valid_to=min(ends, default=None))


@lru_cache(maxsize=8192)
def _fact_id(turns: tuple[str, ...], said: tuple[str, ...], since: datetime, offset: timedelta | None) -> str:
    return derived_id("fact", *turns, *said, since.isoformat())


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Group:
    """What facts must share to be able to contradict: `subject` folded by `matter`, and the predicate."""

    subject: str
    predicate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """`fact` ends at `at` because of `by`; known since `known_at`. Computed, never stored."""

    fact: str
    by: str
    at: datetime
    known_at: datetime
    reason: ClosingReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Somebody's word, given at `at`, that `by` does not end `fact`; taken back at `until`, None while it counts. What
    was believed before and after stays as it was."""

    fact: str
    by: str
    who: str
    why: str
    at: datetime
    until: datetime | None = None

    def __post_init__(self) -> None:
        require_aware(self.at, "at")
        if self.until is not None:
            require_aware(self.until, "until")

    def counts(self, known_at: datetime) -> bool:
        """Whether it was given by then and not taken back yet."""
        return self.at <= known_at and (self.until is None or known_at < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Facts of one happening. `version` grows when facts join and the summary is made again."""

    id: str
    version: int
    summary: str
    people: tuple[str, ...]
    keywords: tuple[str, ...]
    first_at: datetime
    last_at: datetime
    facts: tuple[str, ...]
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The note of `episode` found that of `other` to have to do with it, and why; `strength` is 0 to 1. A link is
    followed in both directions."""

    episode: str
    other: str
    reason: str
    strength: float
    made_by: str
    made_at: datetime

    def __post_init__(self) -> None:
        require_aware(self.made_at, "made_at")
        if self.episode == self.other:
            raise ValueError("a link joins two notes")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Telling:
    """`turn`, now in `episode`, tells a fact of `event`."""

    event: str
    turn: str
    episode: str
