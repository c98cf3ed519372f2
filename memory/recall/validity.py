"""Which of what was found holds at the moment asked about. A quote that only tells what no longer holds (or does not
hold yet) gives way to the one that does; nothing gives way while it is the only answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.answers import Evidence
from memory.facts import STATE, Fact, Group, matter
from memory.remember.timeline import Timeline
from memory.text.sentences import sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The facts that the evidence tells, as they stand at a moment: by turn those that hold and those that do not
    although another on the same matter does. `holding` are the facts that decide."""

    current: Mapping[str, tuple[Fact, ...]]
    stale: Mapping[str, tuple[Fact, ...]]
    holding: tuple[Fact, ...]


def standing(told: Timeline, moment: datetime, turns: Collection[str]) -> Standing:
    """How the facts on the matters of these turns stand at `moment`."""
    holding: dict[Group, list[Fact]] = {}
    true_then = told.holding(moment)
    for fact in true_then:
        holding.setdefault(fact.group, []).append(fact)
    said = [fact for fact in told.facts if fact.made_by != STATE]
    decided = [fact for fact in said if _contested(fact, holding.get(fact.group, ()), moment)]
    groups = {fact.group for fact in decided}
    return Standing(
        current=_by_turn(true_then, turns),
        stale=_by_turn(decided, turns),
        holding=tuple(fact for group in sorted(groups) for fact in holding[group]),
    )


def without_stale(evidence: Iterable[Evidence], stands: Standing) -> list[Evidence]:
    """The evidence without the sentences that tell only what does not hold. What is left of a quote stays word for
    word; a quote of which nothing is left goes."""
    kept: list[Evidence] = []
    for one in evidence:
        stale = [fact for turn in one.turn_ids for fact in stands.stale.get(turn, ())]
        current = [fact for turn in one.turn_ids for fact in stands.current.get(turn, ())]
        kept.extend(replace(one, quote=piece) for piece in _pieces(one.quote, stale, current))
    return kept


def with_ends(evidence: Iterable[Evidence], stands: Standing) -> list[Evidence]:
    """The evidence, each piece with the end of what it tells where all of that has ended."""
    return [_with_end(one, stands) for one in evidence]


def _contested(fact: Fact, holding: Sequence[Fact], moment: datetime) -> bool:
    """Whether it does not hold while another value on the same matter does. What was said without a date ends nothing
    that was said with one: it may be an old story, or another name for the same. What is yet to come needs no end."""
    others = all(matter(other.value) != matter(fact.value) for other in holding)
    surely = fact.valid_from > moment or not fact.dated or any(other.dated for other in holding)
    return bool(holding) and others and surely


def _by_turn(facts: Iterable[Fact], turns: Collection[str]) -> dict[str, tuple[Fact, ...]]:
    found: dict[str, tuple[Fact, ...]] = {}
    for fact in facts:
        for turn in fact.turn_ids:
            if turn in turns:
                found[turn] = (*found.get(turn, ()), fact)
    return found


def _pieces(quote: str, stale: Sequence[Fact], current: Sequence[Fact]) -> list[str]:
    """The runs of sentences that may stay, each a verbatim part of the quote."""
    if not stale:
        return [quote]
    runs = [""]
    for sentence in sentences(quote):
        if _tells(sentence, stale) and not _tells(sentence, current):
            runs.append("")
        else:
            runs[-1] += sentence
    return [run.strip() for run in runs if any(character.isalnum() for character in run)]


def _tells(sentence: str, facts: Sequence[Fact]) -> bool:
    """Whether one of their values stands in the sentence: 7 days do not stand in 17 days."""
    words = matter(sentence)
    return any(re.search(rf"(?<![a-z0-9]){re.escape(matter(fact.value))}(?![a-z0-9])", words) for fact in facts)


def _with_end(one: Evidence, stands: Standing) -> Evidence:
    stale = [fact for turn in one.turn_ids for fact in stands.stale.get(turn, ()) if _tells(one.quote, [fact])]
    current = [fact for turn in one.turn_ids for fact in stands.current.get(turn, ())]
    ends = [fact.valid_to for fact in stale if fact.valid_to is not None]
    return one if not ends or _tells(one.quote, current) else replace(one, valid_to=max(ends))
