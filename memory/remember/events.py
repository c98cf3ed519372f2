"""Events: facts of one happening, gathered by what they share and when.

What belongs together only grows as facts join (more names, a longer span), so the same facts come out as the same
events in whatever order they were gathered, as long as none is full.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.facts import Event, Fact, matter
from memory.model import derived_id
from memory.remember.breadth import scope_class
from memory.remember.common_ground import BOILERPLATE
from memory.text.entities import exact_entities, normalise
from memory.text.language import detect_language
from memory.text.sentences import sentences

#: What is further apart in time is another happening, whatever it shares.
TOUCHES = timedelta(days=7)
#: Facts of one event; a full one takes in no more.
MOST_FACTS = 60
#: A fact that holds since long before it was said, or will long after, is of the day on which it was said.
_OF_THE_DAY = timedelta(days=14)
_MOST_KEYWORDS, _MOST_PEOPLE = 20, 20
_SENTENCES, _LONGEST = 2, 200
#: Predicates by which a ticket's state is told.
_STATES = frozenset(("status", "assignee"))
_VERSION = re.compile(r"v?\d+(?:\.\d+)+")
RULES = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Facts of one scope class that belong together, in the order in which they were said.

    `tickets` are those that they were told in; `names` are codes, hosts and tickets, normalised; `words` are folded
    keywords and people. `version` is the newest of the events that they were in.
    """

    facts: tuple[Fact, ...]
    tickets: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]
    first_at: datetime
    last_at: datetime
    version: int

    @property
    def place(self) -> tuple[str, str]:
        return scope_class(self.facts[0].scope)

    @property
    def episodes(self) -> frozenset[str]:
        return frozenset(fact.episode for fact in self.facts)


def happening_of(facts: Sequence[Fact], tickets: Mapping[str, str], version: int = 0) -> Happening:
    """These facts, of which there is at least one; `tickets` names the ticket of each episode that has one."""
    told_in = frozenset(name for fact in facts if (name := tickets.get(fact.episode)))
    return Happening(
        facts=_as_said(facts),
        tickets=told_in,
        names=frozenset(name for fact in facts for name in names_in(fact)) | frozenset(map(normalise, told_in)),
        words=frozenset(matter(word) for fact in facts for word in (*fact.keywords, *fact.people)) - BOILERPLATE,
        first_at=min(map(_when, facts)),
        last_at=max(map(_when, facts)),
        version=version,
    )


def merged(one: Happening, other: Happening) -> Happening:
    return Happening(
        facts=_as_said((*one.facts, *other.facts)),
        tickets=one.tickets | other.tickets,
        names=one.names | other.names,
        words=one.words | other.words,
        first_at=min(one.first_at, other.first_at),
        last_at=max(one.last_at, other.last_at),
        version=max(one.version, other.version),
    )


def _as_said(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    once = {fact.id: fact for fact in facts}
    return tuple(sorted(once.values(), key=lambda fact: (fact.recorded_at, fact.id)))


def names_in(fact: Fact) -> list[str]:
    """The exact names in a fact; a version number names nothing that happens."""
    said = "\n".join((fact.subject, fact.value, fact.text, *fact.keywords))
    return [name for name in exact_entities(said) if not _VERSION.fullmatch(name)]


def belong_together(
    one: Happening, other: Happening, *, common: Collection[str], linked: Collection[frozenset[str]]
) -> bool:
    """Whether two are the same happening: seen in the same place, near in time, and with a ticket or a name that is not
    `common`; or with a keyword or person, where their episodes are among the closely `linked` pairs."""
    if one.place != other.place or len(one.facts) + len(other.facts) > MOST_FACTS:
        return False
    if one.first_at - other.last_at > TOUCHES or other.first_at - one.last_at > TOUCHES:
        return False
    if (one.names & other.names).difference(common):
        return True
    close = any(frozenset((here, there)) in linked for here in one.episodes for there in other.episodes)
    return close and bool(one.words & other.words)


def event_of(happening: Happening) -> Event:
    """The event as these facts make it; its id is that of the fact that was said first."""
    facts = happening.facts
    return Event(
        id=derived_id("event", facts[0].id),
        version=happening.version + 1,
        summary=_summary(happening),
        people=tuple(dict.fromkeys(name for fact in facts for name in fact.people))[:_MOST_PEOPLE],
        keywords=_keywords(happening),
        first_at=happening.first_at,
        last_at=happening.last_at,
        facts=tuple(fact.id for fact in facts),
        made_by=RULES,
    )


def says_the_same(one: Event, other: Event) -> bool:
    """Whether two versions differ in nothing but their number."""
    parts = ("id", "summary", "people", "keywords", "first_at", "last_at", "facts")
    return all(getattr(one, part) == getattr(other, part) for part in parts)


def _when(fact: Fact) -> datetime:
    far = abs(fact.valid_from - fact.recorded_at) > _OF_THE_DAY
    return fact.recorded_at if far else fact.valid_from


def _keywords(happening: Happening) -> tuple[str, ...]:
    """Its tickets and names, by which others find it, then what most of its facts are about."""
    counts = Counter(matter(word) for fact in happening.facts for word in dict.fromkeys(fact.keywords))
    topics = sorted(counts.keys() - BOILERPLATE, key=lambda word: (-counts[word], word))
    by_key = {matter(word): word for word in (*topics, *sorted(happening.names), *sorted(happening.tickets))}
    order = (*sorted(happening.tickets), *sorted(happening.names), *topics)
    return tuple(by_key[key] for key in dict.fromkeys(map(matter, order)))[:_MOST_KEYWORDS]


def _summary(happening: Happening) -> str:
    """What most of the others touch on, in the order in which it came true. How a ticket stands is told where nobody
    said anything better."""
    states = {fact.id for fact in happening.facts if _is_state(fact, happening.tickets)}
    about = {fact.id: _features(fact) for fact in happening.facts}
    shared = Counter(feature for features in about.values() for feature in features)
    ranked = sorted(
        _tellable(happening.facts, states),
        key=lambda fact: (
            fact.id in states,
            -sum(shared[feature] - 1 for feature in about[fact.id]),
            fact.recorded_at,
            fact.id,
        ),
    )
    chosen = ranked[:1]
    for fact in ranked[1:]:
        if len(chosen) < _SENTENCES and all(_tells_more(fact, other) for other in chosen):
            chosen.append(fact)
    said = [_sentence(fact.text) for fact in sorted(chosen, key=_order)]
    return ("" if detect_language(said[0], "en") == "ja" else " ").join(said)


def _tellable(facts: Sequence[Fact], states: Collection[str]) -> list[Fact]:
    """Each text once, and of a ticket's states the last."""
    last = {fact.group: fact.id for fact in sorted(facts, key=_order)}
    once = {normalise(fact.text): fact for fact in reversed(facts)}
    return [fact for fact in once.values() if fact.id not in states or last[fact.group] == fact.id]


def _tells_more(fact: Fact, other: Fact) -> bool:
    """Whether it is on another matter and in other words."""
    one, two = normalise(_sentence(fact.text)), normalise(_sentence(other.text))
    return fact.group != other.group and one not in two and two not in one


def _order(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.recorded_at, fact.id


def _is_state(fact: Fact, tickets: Iterable[str]) -> bool:
    return fact.predicate in _STATES and matter(fact.subject) in set(map(matter, tickets))


def _features(fact: Fact) -> set[str]:
    """What connects a fact with others."""
    return {*names_in(fact), *(matter(word) for word in (fact.subject, fact.value, *fact.keywords, *fact.people))}


def _sentence(text: str) -> str:
    """The first sentence, ended as one."""
    first = next(iter(sentences(text)), text)
    line = " ".join(first.split())
    whole = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    ended = whole.endswith(("。", ".", "!", "?", "！", "？", "…"))
    return whole if ended else whole + ("。" if detect_language(whole, "en") == "ja" else ".")
