"""Evolution: what a note's links show about it, as a new version that says which links brought it.

A version is computed from the note that the words made (or that an administrator went back to), never from an earlier
evolution: so a second run changes nothing, and what came from a link goes when the link goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.facts import Event, Link, matter
from memory.model import Note
from memory.remember.breadth import as_wide, may_lend
from memory.remember.common_ground import BOILERPLATE, Words, names_somebody
from memory.remember.notes import own_context, with_relation
from memory.text.entities import normalise
from memory.text.language import LanguageCode

#: How many linked notes must agree.
_AGREED = 2
#: What a note may hold in all.
_MOST_KEYWORDS, _MOST_TAGS, _MOST_RELATED = 12, 8, 3
#: A link this strong is told in the context.
_TOLD_FROM = 0.6
_EVOLVED, _ROLLED_BACK = "linked: ", "rollback to "
_SEE_ALSO: Mapping[LanguageCode, str] = {"ja": "関連: {}", "en": "see also {}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A linked note as its words made it, with its own words."""

    link: Link
    words: Words
    note: Note


def rollback_cause(version: int) -> str:
    return f"{_ROLLED_BACK}{version}"


def ground_of(versions: Sequence[Note]) -> Note:
    """The version that evolution starts from: the newest that no evolution made. `versions` has the oldest first."""
    return next((note for note in reversed(versions) if not note.cause.startswith(_EVOLVED)), versions[0])


def evolved(
    versions: Sequence[Note],
    words: Words,
    neighbours: Iterable[Neighbour],
    events: Iterable[Event],
    now: datetime,
) -> Note | None:
    """The next version of a note; None when its links show nothing that the newest version does not say.

    Only notes that are seen where this one is, or more widely, count. A tag or keyword comes in when at least two of
    them have it and it stands in this episode's own words; or when it is a keyword of an event that this episode and
    those two belong to, and whoever reads this note may read them. After a rollback only links made since count.
    """
    ground, newest = ground_of(versions), versions[-1]
    heard = [each for each in neighbours if _counts(each, words, ground)]
    common = {keyword for event in events for keyword in event.keywords}
    said = [(each, each.note.keywords) for each in heard]
    keywords = _agreed(said, words, common, ground.keywords)[: max(0, _MOST_KEYWORDS - len(ground.keywords))]
    tags = _agreed([(each, _lasting_tags(each)) for each in heard], words, (), ground.tags)
    tags = tags[: max(0, _MOST_TAGS - len(ground.tags))]
    related = _related(words, heard)
    brought = {each.words.episode.id for _, by in (*keywords, *tags, ("", related)) for each in by}
    note = replace(
        ground,
        version=newest.version + 1,
        fingerprint=newest.fingerprint,
        keywords=(*ground.keywords, *(word for word, _ in keywords)),
        tags=(*ground.tags, *(word for word, _ in tags)),
        context=_context(ground, words.language, related),
        made_at=now,
        cause=_EVOLVED + (", ".join(sorted(brought)) or "nothing any more"),
    )
    return None if _content(note) == _content(newest) else note


def _content(note: Note) -> tuple[object, ...]:
    return note.summary, note.keywords, note.tags, note.context, note.entities


def _context(ground: Note, language: LanguageCode, related: Sequence[Neighbour]) -> str:
    if not related:
        return ground.context
    names = ", ".join(each.words.episode.name for each in related)
    return with_relation(own_context(ground), _SEE_ALSO[language].format(names))


def _counts(each: Neighbour, words: Words, ground: Note) -> bool:
    """An administrator who went back has seen what the links of that time bring."""
    seen = ground.cause.startswith(_ROLLED_BACK) and each.link.made_at <= ground.made_at
    return not seen and as_wide(each.words.episode, words.episode)


def _agreed(
    said: Sequence[tuple[Neighbour, Sequence[str]]], words: Words, common: Collection[str], held: Sequence[str]
) -> list[tuple[str, Sequence[Neighbour]]]:
    """What at least two tickets say and this note does not hold yet, the most agreed on first, with who says it."""
    known = {normalise(word) for word in held} | BOILERPLATE
    spelling: dict[str, str] = {}
    by: dict[str, list[Neighbour]] = {}
    for each, word in ((each, word) for each, found in said for word in dict.fromkeys(found)):
        folded = normalise(word)
        spelling.setdefault(folded, word)
        if folded not in known and not names_somebody(folded, words, each.words):
            by.setdefault(folded, []).append(each)
    fitting = {word: _fit(word, who, words, common) for word, who in by.items()}
    agreed = [word for word, who in fitting.items() if len({each.words.episode.name for each in who}) >= _AGREED]
    return [(spelling[word], fitting[word]) for word in sorted(agreed, key=lambda word: (-len(fitting[word]), word))]


def _fit(word: str, who: Sequence[Neighbour], words: Words, common: Collection[str]) -> Sequence[Neighbour]:
    """Those of these neighbours from whom the word may be taken."""
    if words.has(word):
        return who
    return [each for each in who if may_lend(each.words.episode, words.episode)] if matter(word) in common else []


def _lasting_tags(each: Neighbour) -> list[str]:
    """Tags that tell what it is about: how a ticket stands says nothing about another."""
    states = {normalise(turn.status) for turn in each.words.episode.turns if turn.status}
    return [tag for tag in each.note.tags if normalise(tag) not in states]


def _related(words: Words, heard: Sequence[Neighbour]) -> list[Neighbour]:
    """The tickets that are worth a look, each once, the closest first."""
    told: dict[str, Neighbour] = {}
    for each in sorted(heard, key=lambda one: (-one.link.strength, one.words.episode.name)):
        source = each.words.episode
        near = each.link.strength >= _TOLD_FROM and bool(source.ticket) and source.name != words.episode.name
        if near and may_lend(source, words.episode):
            told.setdefault(source.name, each)
    return list(told.values())[:_MOST_RELATED]
