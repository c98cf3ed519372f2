"""Profiles: what is known of a person or a system, read off the facts about it. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.facts import Fact, matter


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued:
    """A value and the time for which it holds (`valid_to` is None while nothing ends it), with the facts that say so
    and the turns that they stand in, the first that said it first."""

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


def profile_of(facts: Sequence[Fact], subject: str, *, at: datetime | None = None) -> Profile:
    """The profile of `subject` out of a timeline's facts (see `memory.remember.timeline`), of which those on other
    subjects are left out; as of `at`, or as it is since the last that is known.

    What begins only after `at` is neither current nor history. Facts of one value whose times touch are one entry.
    """
    about = [
        fact for fact in facts if matter(fact.subject) == matter(subject) and (at is None or fact.valid_from <= at)
    ]
    if not about:
        return Profile(subject=subject)
    newest = max(about, key=_in_time)
    predicates = sorted({fact.predicate for fact in about})
    return Profile(
        subject=newest.subject,
        attributes=tuple(
            _attribute(name, [fact for fact in about if fact.predicate == name], at) for name in predicates
        ),
    )


def _attribute(predicate: str, facts: Sequence[Fact], at: datetime | None) -> Attribute:
    values = sorted(_valued(facts), key=lambda one: (one.valid_from, one.value), reverse=True)
    current = [one for one in values if _holds(one, at)]
    return Attribute(
        predicate=predicate, current=tuple(current), history=tuple(one for one in values if one not in current)
    )


def _holds(one: Valued, at: datetime | None) -> bool:
    return one.valid_to is None or (at is not None and at < one.valid_to)


def _valued(facts: Iterable[Fact]) -> list[Valued]:
    """One entry for each value and stretch of time. A fact that ended before it began never held."""
    entries: dict[str, list[list[Fact]]] = {}
    for fact in sorted(facts, key=_in_time):
        if fact.valid_to is not None and fact.valid_to <= fact.valid_from:
            continue
        stretches = entries.setdefault(matter(fact.value), [])
        if stretches and _touches(stretches[-1], fact):
            stretches[-1].append(fact)
        else:
            stretches.append([fact])
    return [_entry(stretch) for stretches in entries.values() for stretch in stretches]


def _touches(stretch: Sequence[Fact], fact: Fact) -> bool:
    end = _end(stretch)
    return end is None or fact.valid_from <= end


def _end(stretch: Sequence[Fact]) -> datetime | None:
    ends = [fact.valid_to for fact in stretch]
    return None if None in ends else max(end for end in ends if end is not None)


def _entry(stretch: Sequence[Fact]) -> Valued:
    first = stretch[0]
    return Valued(
        value=first.value,
        valid_from=first.valid_from,
        valid_to=_end(stretch),
        precision=first.precision,
        confidence=max(fact.confidence for fact in stretch),
        facts=tuple(fact.id for fact in stretch),
        turn_ids=tuple(dict.fromkeys(turn for fact in stretch for turn in fact.turn_ids)),
    )


def _in_time(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.recorded_at, fact.id
