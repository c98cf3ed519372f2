"""What holds when: the ends that facts on one matter give each other, under one of three policies.

Ends are computed from the facts themselves, never written into them. So a late message, a repeated one, an edited and a
deleted one need no repair: whatever facts there are, in whatever order they came, the same timeline comes out. Only
what a person undid has to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.facts import Closing, ClosingReason, Fact, Group, Undo, matter
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
    """Facts with their ends, by the time from which they hold, and what ended them."""

    facts: tuple[Fact, ...] = ()
    closings: tuple[Closing, ...] = ()

    def holding(self, moment: datetime) -> tuple[Fact, ...]:
        """What is true at `moment`."""
        return tuple(fact for fact in self.facts if fact.holds(moment))


def timeline(
    facts: Iterable[Fact],
    *,
    single: Collection[str],
    undos: Iterable[Undo] = (),
    policy: Policy = Policy.BITEMPORAL,
) -> Timeline:
    """The timeline of these facts, which are all that is known on their matters.

    Facts contradict when they share subject and predicate, the predicate is one of `single` (those that have one value
    at a time), the values differ, and whoever may see the earlier may see the later: what somebody told in private ends
    nothing that others rely on. The one that holds from an earlier time ends where the other begins; of two that begin
    together, the one that was said first never held.
    """
    undone = frozenset((undo.fact, undo.by) for undo in undos)
    groups: dict[Group, list[Fact]] = {}
    for fact in sorted(facts, key=_in_time):
        groups.setdefault(fact.group, []).append(fact)
    parts = [
        _POLICIES[policy](group, undone) if name.predicate in single else _kept(group) for name, group in groups.items()
    ]
    return Timeline(
        facts=tuple(sorted((fact for part in parts for fact in part.facts), key=_in_time)),
        closings=tuple(closing for part in parts for closing in part.closings),
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


Pairs = frozenset[tuple[str, str]]


def _in_time(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.recorded_at, fact.id


def _kept(group: Sequence[Fact]) -> Timeline:
    return Timeline(facts=tuple(group))


def _appended(group: Sequence[Fact], undone: Pairs) -> Timeline:
    return _kept(group)


def _overwritten(group: Sequence[Fact], undone: Pairs) -> Timeline:
    """Only what was said last is left."""
    return Timeline(facts=(max(group, key=lambda fact: (fact.recorded_at, fact.id)),))


def _ended_by_dates(group: Sequence[Fact], undone: Pairs) -> Timeline:
    facts: list[Fact] = []
    closings: list[Closing] = []
    for place, fact in enumerate(group):
        by = next(
            (later for later in group[place + 1 :] if _ends(later, fact) and (fact.id, later.id) not in undone), None
        )
        if by is None or (fact.valid_to is not None and fact.valid_to <= by.valid_from):
            facts.append(fact)
            continue
        facts.append(fact.ending(by.valid_from))
        closings.append(_closing(fact, by))
    return Timeline(facts=tuple(facts), closings=tuple(closings))


def _ends(later: Fact, fact: Fact) -> bool:
    return matter(later.value) != matter(fact.value) and covers(later.scope, fact.scope)


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


_POLICIES: dict[Policy, Callable[[Sequence[Fact], Pairs], Timeline]] = {
    Policy.APPEND: _appended,
    Policy.OVERWRITE: _overwritten,
    Policy.BITEMPORAL: _ended_by_dates,
}
