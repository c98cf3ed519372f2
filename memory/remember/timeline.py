"""What holds when: the ends that facts on one matter give each other, under one of three policies.

Ends are computed from the facts themselves, never written into them. So a late message, a repeated one, an edited and a
deleted one need no repair: whatever facts there are, in whatever order they came, the same timeline comes out. Only
what a person undid has to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from memory.facts import OF_PEOPLE, STATE, Closing, ClosingReason, Fact, Group, Undo, matter
from memory.model import Scope, Visibility


class Policy(StrEnum):
    """How facts that contradict are dealt with; all but the last are there to be compared with."""

    #: Everything is kept and nothing ends (Mem0 as it is today).
    APPEND = "append"
    #: What came last replaces what was there (the paper on Mem0).
    OVERWRITE = "overwrite"
    #: The dates decide, and what was true before stays true of its time (Zep).
    BITEMPORAL = "bitemporal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Facts with their ends, by the time from which they hold, and what ended them. A policy that knows no time of
    validity makes it `timeless`: what has not ended is true of every moment. `people` gives each other spelling of a
    person, folded, the one by which values are compared."""

    facts: tuple[Fact, ...] = ()
    closings: tuple[Closing, ...] = ()
    timeless: bool = False
    people: Mapping[str, str] = field(default_factory=dict)

    def holding(self, moment: datetime) -> tuple[Fact, ...]:
        """What is true at `moment`."""
        return tuple(fact for fact in self.facts if self._holds(fact, moment))

    def same(self, one: Fact, other: Fact) -> bool:
        """Whether their values are one, of people whatever they are called."""
        return _same(one, other, self.people)

    def _holds(self, fact: Fact, moment: datetime) -> bool:
        return fact.valid_to is None if self.timeless else fact.holds(moment)


def timeline(
    facts: Iterable[Fact],
    *,
    single: Collection[str],
    undos: Iterable[Undo] = (),
    people: Mapping[str, str] | None = None,
    policy: Policy = Policy.BITEMPORAL,
) -> Timeline:
    """The timeline of these facts, which are all that is known on their matters.

    Facts contradict when they share subject and predicate, the predicate is one of `single` (those that have one value
    at a time), the values differ, and whoever may see the earlier may see the later: what somebody told in private ends
    nothing that others rely on. What a ticket's own fields say is ended by nobody's words. The one that holds from an
    earlier time ends where the other begins; of two that begin together, the one that was said first never held. What
    is said without a day once it was announced for a day to come does not hold before that day. `people` are other
    spellings of people, as in a `Timeline`.
    """
    rules = _Rules(undone=frozenset((undo.fact, undo.by) for undo in undos), people=people or {})
    groups: dict[Group, list[Fact]] = {}
    for fact in sorted(facts, key=_in_time):
        groups.setdefault(fact.group, []).append(fact)
    parts = [
        _POLICIES[policy](group, rules) if name.predicate in single else _kept(group) for name, group in groups.items()
    ]
    return Timeline(
        facts=tuple(sorted((fact for part in parts for fact in part.facts), key=_in_time)),
        closings=tuple(closing for part in parts for closing in part.closings),
        timeless=policy is not Policy.BITEMPORAL,
        people=rules.people,
    )


def covers(wide: Scope, narrow: Scope) -> bool:
    """Whether everybody who may read `narrow` may read `wide`, wherever they ask."""
    if wide.visibility is Visibility.EVERYONE:
        return True
    if wide.visibility is not narrow.visibility:
        return False
    if wide.visibility is Visibility.PRIVATE:
        return wide.requester == narrow.requester
    return wide.channel == narrow.channel and wide.participants >= narrow.participants


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """The pairs (fact, by) whose end was undone, and who is who."""

    undone: frozenset[tuple[str, str]]
    people: Mapping[str, str]

    def same(self, one: Fact, other: Fact) -> bool:
        return _same(one, other, self.people)

    def may_end(self, by: Fact, fact: Fact) -> bool:
        """Nobody's words about a ticket end what its own fields say."""
        told = fact.made_by == STATE and by.made_by != STATE
        return not told and covers(by.scope, fact.scope) and (fact.id, by.id) not in self.undone


def _same(one: Fact, other: Fact, people: Mapping[str, str]) -> bool:
    """Whether the values are one; Keiko is Keiko Mori, who is whoever signs with that name."""
    if one.predicate not in OF_PEOPLE:
        return matter(one.value) == matter(other.value)
    first, second = (people.get(matter(fact.value), matter(fact.value)).split() for fact in (one, other))
    return set(first) <= set(second) or set(second) <= set(first)


def _in_time(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.recorded_at, fact.id


def _kept(group: Sequence[Fact]) -> Timeline:
    return Timeline(facts=tuple(group))


def _appended(group: Sequence[Fact], rules: _Rules) -> Timeline:
    return _kept(group)


def _overwritten(group: Sequence[Fact], rules: _Rules) -> Timeline:
    """Only what was said last is left; the others never were."""
    last = max(group, key=lambda fact: (fact.recorded_at, fact.id))
    others = (fact.ending(fact.valid_from) for fact in group if fact is not last)
    return Timeline(facts=(*others, last))


def _ended_by_dates(group: Sequence[Fact], rules: _Rules) -> Timeline:
    early = {fact.id: by for fact in group if (by := _announcement(fact, group, rules)) is not None}
    facts: list[Fact] = [fact.ending(fact.valid_from) for fact in group if fact.id in early]
    closings = [
        replace(_closing(fact, early[fact.id]), at=fact.valid_from, reason=ClosingReason.ANNOUNCED)
        for fact in group
        if fact.id in early
    ]
    begun = [fact for fact in group if fact.id not in early]
    for place, fact in enumerate(begun):
        later = begun[place + 1 :]
        by = next((other for other in later if not rules.same(other, fact) and rules.may_end(other, fact)), None)
        if by is None or (fact.valid_to is not None and fact.valid_to <= by.valid_from):
            facts.append(fact)
            continue
        facts.append(fact.ending(by.valid_from))
        closings.append(_closing(fact, by))
    return Timeline(facts=tuple(facts), closings=tuple(closings))


def _announcement(fact: Fact, group: Sequence[Fact], rules: _Rules) -> Fact | None:
    """What had announced this for a day that was still to come when it was said without one: 「これから私が担当します」
    after "Nadia from Monday on" means from Monday on. Where nothing else holds meanwhile, nothing is held back."""
    if fact.dated:
        return None
    announced = (
        other
        for other in group
        if other.dated and other.recorded_at < fact.recorded_at < other.valid_from
        if rules.same(other, fact) and rules.may_end(other, fact)
    )
    by = next(announced, None)
    waits = by is not None and any(
        other.valid_from <= fact.valid_from and not rules.same(other, fact) for other in group if other is not fact
    )
    return by if waits else None


def _closing(fact: Fact, by: Fact) -> Closing:
    return Closing(
        fact=fact.id,
        by=by.id,
        at=by.valid_from,
        known_at=max(fact.recorded_at, by.recorded_at),
        reason=_reason(fact, by),
    )


def _reason(fact: Fact, by: Fact) -> ClosingReason:
    if by.recorded_at < fact.recorded_at:
        return ClosingReason.ALREADY_HISTORY
    return ClosingReason.CORRECTED if by.valid_from == fact.valid_from else ClosingReason.REPLACED


_POLICIES: dict[Policy, Callable[[Sequence[Fact], _Rules], Timeline]] = {
    Policy.APPEND: _appended,
    Policy.OVERWRITE: _overwritten,
    Policy.BITEMPORAL: _ended_by_dates,
}
