"""Which of what was found holds at the moment asked about. A quote that only tells what no longer holds (or does not
hold yet) gives way to the one that does; nothing gives way while it is the only answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.answers import Evidence
from memory.facts import ACCOUNT, STATE, Fact, Group, matter
from memory.recall.evidence import SUPPORT
from memory.remember.timeline import Timeline
from memory.text.first_person import speaks_of_oneself
from memory.text.glossary import NO_GLOSSARY, Glossary
from memory.text.sentences import runs_without, sentences

#: Characters of a sentence that cannot stand in another one by chance.
_SENTENCE = 6
#: Evidence of less than this share of the best one's trust is of something else.
_NEAR = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The facts that the evidence tells, as they stand at a moment: by turn those that hold and those that do not
    although another on the same matter does. `holding` are the facts that decide, `telling` by turn all that holds, on
    these matters or on others."""

    current: Mapping[str, tuple[Fact, ...]]
    stale: Mapping[str, tuple[Fact, ...]]
    holding: tuple[Fact, ...]
    telling: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)


def standing(told: Timeline, moment: datetime, turns: Collection[str], others: Iterable[Fact] = ()) -> Standing:
    """How the facts on the matters of these turns stand at `moment`; `others` are what they tell beside."""
    holding: dict[Group, list[Fact]] = {}
    true_then = told.holding(moment)
    for fact in true_then:
        holding.setdefault(fact.group, []).append(fact)
    said = [fact for fact in told.facts if fact.made_by != STATE]
    decided = [fact for fact in said if _contested(fact, holding.get(fact.group, ()), told, moment)]
    groups = {fact.group for fact in decided}
    return Standing(
        current=_by_turn([fact for fact in true_then if fact.made_by != STATE], turns),
        stale=_by_turn(decided, turns),
        holding=tuple(fact for group in sorted(groups) for fact in holding[group]),
        telling=_by_turn(filter(_is_told, [*true_then, *(fact for fact in others if fact.holds(moment))]), turns),
    )


def without_stale(
    evidence: Iterable[Evidence], stands: Standing, asked: str, glossary: Glossary = NO_GLOSSARY
) -> list[Evidence]:
    """The evidence without the sentences that tell only what does not hold. What is left of a quote stays word for word
    where it still has to do with what is `asked`, or tells something that holds; else the whole quote goes, since
    「お知らせが遅れてすみません。」 answers nothing."""
    kept: list[Evidence] = []
    for one in evidence:
        stale, current = _of(one, stands.stale), _of(one, stands.current)
        if not any(_tells(one, sentence, stale, current) for sentence in sentences(one.quote)):
            kept.append(one)
            continue
        telling = _of(one, stands.telling)
        runs = _runs(one, stale, current)
        kept.extend(replace(one, quote=run) for run in runs if glossary.overlap(asked, run) or _says(one, run, telling))
    return kept


def of_the_time(evidence: Sequence[Evidence], stands: Standing, moment: datetime) -> Sequence[Evidence]:
    """The evidence without what was said only after the moment asked about and tells nothing that held then; all of it,
    where the rest supports no answer, unless nothing of it had been said by then."""
    decide = {turn for fact in stands.holding for turn in fact.turn_ids}
    of_then = [
        one
        for one in evidence
        if one.said_from <= moment
        or not decide.isdisjoint(one.turn_ids)
        or _says(one, one.quote, _of(one, stands.telling))
    ]
    begun = any(one.said_from <= moment for one in evidence)
    return evidence if begun and not any(one.confidence >= SUPPORT for one in of_then) else of_then


def led(told: Iterable[Fact], evidence: Iterable[Evidence]) -> Mapping[Group, float]:
    """How much each matter is trusted: as much as the best evidence that tells anything of it."""
    confidence = _by_source(evidence)
    leading: dict[Group, float] = {}
    for fact in told:
        best = max(confidence.get(turn, 0.0) for turn in fact.turn_ids)
        leading[fact.group] = max(best, leading.get(fact.group, 0.0))
    return leading


def trusted(told: Iterable[Fact], evidence: Sequence[Evidence]) -> Mapping[Group, float]:
    """How much is trusted what decides on each matter. Of all matters of one predicate it is about the one that the
    best evidence leads to that is asked, unless that is far from the best of all: there it is as much as the best
    evidence of all. Who owns one thing decides nothing about another, however often owners are spoken of."""
    leading = led(told, evidence)
    best: dict[str, float] = {}
    for group, lead in leading.items():
        best[group.predicate] = max(lead, best.get(group.predicate, 0.0))
    most = max((one.confidence for one in evidence), default=0.0)
    asked = {group for group, lead in leading.items() if lead == best[group.predicate] and lead >= _NEAR * most}
    return {group: most if group in asked else lead for group, lead in leading.items()}


def _by_source(evidence: Iterable[Evidence]) -> Mapping[str, float]:
    confidence: dict[str, float] = {}
    for one in evidence:
        for turn in one.turn_ids:
            confidence[turn] = max(one.confidence, confidence.get(turn, 0.0))
    return confidence


def deciding(evidence: Iterable[Evidence], stands: Standing, trust: Mapping[Group, float]) -> list[Evidence]:
    """The evidence, of which what tells a fact that decides is trusted as its matter is, if not more already."""
    decide = {fact.id for fact in stands.holding}
    return [_deciding(one, [fact for fact in _of(one, stands.current) if fact.id in decide], trust) for one in evidence]


def with_ends(evidence: Iterable[Evidence], stands: Standing) -> list[Evidence]:
    """The evidence, each piece with the end of what it tells where all of that has ended."""
    return [_with_end(one, stands) for one in evidence]


def _deciding(one: Evidence, facts: Iterable[Fact], trust: Mapping[Group, float]) -> Evidence:
    said = [trust[fact.group] for fact in facts if _says(one, one.quote, [fact])]
    return replace(one, confidence=max([one.confidence, *said]))


def _contested(fact: Fact, holding: Sequence[Fact], told: Timeline, moment: datetime) -> bool:
    """Whether it does not hold while something else on the same matter does. What was said without a date ends nothing
    that was said with one: it may be an old story, or another name for the same. What is yet to come needs no end."""
    if not holding or fact in holding:
        return False
    if fact.valid_from > moment:
        return True
    others = all(not told.same(other, fact) for other in holding)
    return others and (not fact.dated or any(other.dated for other in holding))


def _is_told(fact: Fact) -> bool:
    """Whether it is in the words."""
    return fact.made_by != STATE and fact.predicate != ACCOUNT


def _of(one: Evidence, by_turn: Mapping[str, tuple[Fact, ...]]) -> list[Fact]:
    return [fact for turn in one.turn_ids for fact in by_turn.get(turn, ())]


def _by_turn(facts: Iterable[Fact], turns: Collection[str]) -> dict[str, tuple[Fact, ...]]:
    found: dict[str, tuple[Fact, ...]] = {}
    for fact in facts:
        for turn in fact.turn_ids:
            if turn in turns:
                found[turn] = (*found.get(turn, ()), fact)
    return found


def _runs(one: Evidence, stale: Sequence[Fact], current: Sequence[Fact]) -> list[str]:
    """The runs of sentences without those that tell only what is stale, each a verbatim part of the quote."""
    return runs_without(one.quote, lambda sentence: _tells(one, sentence, stale, current))


def _tells(one: Evidence, sentence: str, stale: Sequence[Fact], current: Sequence[Fact]) -> bool:
    """Whether the sentence tells only what is stale."""
    return _says(one, sentence, stale) and not _says(one, sentence, current)


def _says(one: Evidence, words: str, facts: Sequence[Fact]) -> bool:
    """Whether these words of the quote say one of the facts: its value stands in them (7 days do not stand in 17 days),
    they are the sentence that it was read off, or the value is who says them, of themselves: "Andon is mine"."""
    return any(_has_value(words, fact) or _is_source(words, fact) or _is_own(one, words, fact) for fact in facts)


def _has_value(words: str, fact: Fact) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(matter(fact.value))}(?![a-z0-9])", matter(words)) is not None


def _is_source(words: str, fact: Fact) -> bool:
    text = _closed_up(fact.text)
    return any(len(said) >= _SENTENCE and said in text for said in map(_closed_up, sentences(words)))


def _closed_up(text: str) -> str:
    return "".join(matter(text).split())


def _is_own(one: Evidence, words: str, fact: Fact) -> bool:
    of_them = matter(one.speaker) == matter(fact.value) and matter(fact.subject) in matter(words)
    return of_them and speaks_of_oneself(words)


def _with_end(one: Evidence, stands: Standing) -> Evidence:
    stale = [fact for fact in _of(one, stands.stale) if _says(one, one.quote, [fact])]
    ends = [fact.valid_to for fact in stale if fact.valid_to is not None]
    said_still = _says(one, one.quote, _of(one, stands.current))
    return one if not ends or said_still else replace(one, valid_to=max(ends))
