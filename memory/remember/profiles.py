"""Profiles: what is known of a person or a system, read off the facts about it. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.facts import Fact, matter
from memory.remember.timeline import Timeline

_Same = Callable[[Fact, Fact], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued:
    """A value and the time for which it holds (`valid_to` is None while nothing ends it), with the facts that say so
    and the turns that they stand in, the first that said it first. A person goes by the name that was said last."""

    value: str
    valid_from: datetime
    valid_to: datetime | None
    precision: str
    confidence: float
    facts: tuple[str, ...]
    turn_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One thing about the subject: what holds (several values where there can be), and what held before; newest
    first."""

    predicate: str
    current: tuple[Valued, ...]
    history: tuple[Valued, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """`subject` as it is written in the newest fact; attributes in the order of their predicates."""

    subject: str
    attributes: tuple[Attribute, ...] = ()


def profile_of(line: Timeline, *subjects: str, at: datetime | None = None) -> Profile:
    """The profile of what goes by these names, the first being what it is called, out of a timeline, whose facts on
    other subjects are left out; as of `at`, or as it is since the last that is known.

    What begins only after `at` is neither current nor history. Facts of one value whose times touch are one entry.
    """
    names = set(map(matter, subjects))
    about = [fact for fact in line.facts if matter(fact.subject) in names and (at is None or fact.valid_from <= at)]
    called = [fact for fact in about if matter(fact.subject) == matter(subjects[0])]
    predicates = sorted({fact.predicate for fact in about})
    return Profile(
        subject=max(called, key=_in_time).subject if called else subjects[0],
        attributes=tuple(
            _attribute(name, [fact for fact in about if fact.predicate == name], line.same, at) for name in predicates
        ),
    )


def telling(line: Timeline, facts: Collection[str], *, at: datetime | None = None) -> tuple[Profile, ...]:
    """Of every subject of a timeline what stands on one of these facts, by their ids; subjects of which nothing is left
    are left out."""
    subjects = {matter(fact.subject): fact.subject for fact in line.facts if fact.id in facts}
    found = (profile_of(line, subject, at=at) for subject in subjects.values())
    return tuple(kept for kept in (_standing_on(one, facts) for one in found) if kept.attributes)


def _standing_on(profile: Profile, facts: Collection[str]) -> Profile:
    told = (
        Attribute(
            predicate=one.predicate,
            current=tuple(value for value in one.current if not set(value.facts).isdisjoint(facts)),
            history=tuple(value for value in one.history if not set(value.facts).isdisjoint(facts)),
        )
        for one in profile.attributes
    )
    return replace(profile, attributes=tuple(one for one in told if one.current or one.history))


def _attribute(predicate: str, facts: Sequence[Fact], same: _Same, at: datetime | None) -> Attribute:
    values = sorted(_valued(facts, same), key=lambda one: (one.valid_from, one.value), reverse=True)
    current = [one for one in values if _holds(one, at)]
    return Attribute(
        predicate=predicate, current=tuple(current), history=tuple(one for one in values if one not in current)
    )


def _holds(one: Valued, at: datetime | None) -> bool:
    return one.valid_to is None or (at is not None and at < one.valid_to)


def _valued(facts: Iterable[Fact], same: _Same) -> list[Valued]:
    """One entry for each value, of a person by whatever name, and stretch of time. A fact that ended before it began
    never held."""
    stretches: list[list[Fact]] = []
    for fact in sorted(facts, key=_in_time):
        if fact.valid_to is not None and fact.valid_to <= fact.valid_from:
            continue
        of_value = next((one for one in reversed(stretches) if same(one[-1], fact)), None)
        if of_value is not None and _touches(of_value, fact):
            of_value.append(fact)
        else:
            stretches.append([fact])
    return [_entry(stretch) for stretch in stretches]


def _touches(stretch: Sequence[Fact], fact: Fact) -> bool:
    end = _end(stretch)
    return end is None or fact.valid_from <= end


def _end(stretch: Sequence[Fact]) -> datetime | None:
    ends = [fact.valid_to for fact in stretch]
    return None if None in ends else max(end for end in ends if end is not None)


def _entry(stretch: Sequence[Fact]) -> Valued:
    first, last = stretch[0], stretch[-1]
    return Valued(
        value=first.value if matter(first.value) == matter(last.value) else last.value,
        valid_from=first.valid_from,
        valid_to=_end(stretch),
        precision=first.precision,
        confidence=max(fact.confidence for fact in stretch),
        facts=tuple(fact.id for fact in stretch),
        turn_ids=tuple(dict.fromkeys(turn for fact in stretch for turn in fact.turn_ids)),
    )


def _in_time(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.recorded_at, fact.id
