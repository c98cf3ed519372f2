"""Whether several people report the same thing just now: by the names that they share and by what they mean."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from re import sub
from unicodedata import normalize

from memory.incidents import Sign
from memory.index_ports import Centre, Encoder, KeyIndex, Probe
from memory.model import Episode, KeyKind, Note, Turn, Viewer, Visibility
from memory.ports import Reading
from memory.recall.calibration import aim
from memory.remember.common_ground import Shared, Tie, Words, as_written, common_ground, stands_in, strength, words_of
from memory.remember.extraction.states import RULES
from memory.remember.rarity import Rarity, rarity_of
from memory.remember.rules import keywords_of
from memory.scope import narrowest
from memory.text.entities import normalise
from memory.text.glossary import NO_GLOSSARY, Glossary
from memory.text.language import detect_language
from memory.text.sparse import exact_terms, question_terms

#: Signs whose words are looked at: the nearest by meaning.
_LOOKED_AT = 24
#: How likely two reports must be to be of the same thing where both call it by its name, and how near in meaning all
#: the same: two may name one system and want different things of it.
_LIKELY, _NEAR = 0.55, 0.25
#: How near in meaning where they share no name: only nearly the same words say the same.
_VERY_NEAR = 0.65
#: What sharing the name of a system is worth, one of the site's glossary or one written with a capital letter.
_WORTH_OF_A_SYSTEM = 0.45
_NAMES_TOLD = 3
_NAMES = (Tie.CODE, Tie.HOST, Tie.NAME)
#: Who sees what everybody may read, and nothing else.
_ANYBODY = Viewer(user="", channel="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Signs of the same trouble: those that are like a sign itself (`near`), and those like one of these (`far`)."""

    near: tuple[Sign, ...] = ()
    far: tuple[Sign, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """A message as it is compared."""

    turn: Turn
    words: Words
    site_names: frozenset[str]


class Likeness:
    """Compares questions that were asked lately. Each is embedded once, and at most a fixed number is looked at."""

    def __init__(
        self, *, reading: Reading, index: KeyIndex, encoder: Encoder, glossary: Glossary = NO_GLOSSARY
    ) -> None:
        self._reading = reading
        self._index = index
        self._encoder = encoder
        self._glossary = glossary

    async def sign(self, turn: Turn) -> Sign:
        """What is kept of a question to compare it by. Raises EncoderUnavailable."""
        return Sign(
            turn=turn.id,
            conversation=turn.conversation,
            person=turn.author,
            at=turn.said_at,
            language=detect_language(turn.text, "en"),
            meaning=await self._encoder.question(turn.text),
        )

    async def same(self, sign: Sign, others: Sequence[Sign], until: datetime) -> Alike:
        """Those of the others by which other people report what this one reports.

        Their words are read whoever may see them, and none is handed on. Raises StoreUnavailable, EncoderUnavailable
        and IndexUnavailable.
        """
        theirs = [other for other in others if other.person != sign.person]
        if not theirs:
            return Alike()
        centres = await self._questions_alike()
        near = _nearest(sign, theirs, centres)
        reports = await self._reports([sign, *near], until)
        own = reports.pop(sign.turn, None)
        if own is None or not reports:
            return Alike()
        rarity = await rarity_of(_in_common([own, *reports.values()]), self._index)
        meanings = _Meanings({one.turn: one for one in (sign, *near)}, centres)
        near_by, far = await asyncio.to_thread(_connected, own, list(reports.values()), rarity, meanings)
        return Alike(near=meanings.signs_of(near_by), far=meanings.signs_of(far))

    async def earlier(self, turn: Turn, viewer: Viewer, until: datetime) -> list[Turn]:
        """Messages of other conversations that the viewer may see and that report what this one reports, the nearest in
        meaning first. Raises as `same` does."""
        language = detect_language(turn.text, "en")
        level = aim(await self._encoder.question(turn.text), language, await self._encoder.centres())
        probes = [Probe(kind=KeyKind.TURN, language=name, dense=level.vector) for name in level.offsets]
        hits = [hit for part in await self._index.search(probes, viewer, until, _LOOKED_AT) for hit in part]
        meanings = {hit.pointer.turn: level.meaning(hit.score, hit.pointer.language) for hit in hits}
        found = await self._reading.turns([name for name in meanings if name], viewer, until)
        others = [self._report(one) for one in found if not one.derived and one.conversation != turn.conversation]
        own = self._report(turn)
        rarity = await rarity_of(_in_common([own, *others]), self._index)
        same = [other for other in others if _same(own, other, rarity, meanings[other.turn.id])]
        return [other.turn for other in sorted(same, key=lambda other: -meanings[other.turn.id])]

    async def names(self, signs: Sequence[Sign], until: datetime) -> tuple[str, ...]:
        """What these reports have in common by name, as everybody may read it: as it is written where everybody may
        see it, among them or elsewhere. Raises as `same` does."""
        reports = list((await self._reports(signs, until)).values())
        rarity = await rarity_of(_in_common(reports), self._index)
        shared = await asyncio.to_thread(_shared_names, reports, rarity)
        public = [one.turn.text for one in reports if one.turn.visibility is Visibility.EVERYONE]
        found = [await self._public(name, public, until) for name in shared[: 2 * _NAMES_TOLD]]
        return tuple(name for name in found if name)[:_NAMES_TOLD]

    async def _public(self, name: str, public: Sequence[str], until: datetime) -> str:
        """The name as it stands where everybody may read it; empty where it stands nowhere."""
        texts = [normalize("NFKC", text) for text in (*public, *await self._public_texts(name, until))]
        written = (as_written(name, text) for text in texts if stands_in(name, normalise(text)))
        return next(written, "")

    async def _public_texts(self, name: str, until: datetime) -> list[str]:
        terms = exact_terms(name)
        terms = terms if terms.ids else question_terms(name)
        if not terms.ids:
            return []
        [hits] = await self._index.search([Probe(kind=KeyKind.TURN, terms=terms)], _ANYBODY, until, 3)
        turns = await self._reading.turns([hit.pointer.turn for hit in hits if hit.pointer.turn], _ANYBODY, until)
        return [turn.text for turn in turns if not turn.derived]

    async def _questions_alike(self) -> Mapping[str, Centre]:
        """Two questions are compared, and neither is a passage."""
        centres = await self._encoder.centres()
        return {name: Centre(question=one.question, passage=one.question) for name, one in centres.items()}

    async def _reports(self, signs: Sequence[Sign], until: datetime) -> dict[str, _Report]:
        """By turn; those whose words are gone are left out. Nothing of them is shown to anybody."""
        everything = Viewer(user="", agent=True)
        turns = await self._reading.turns([sign.turn for sign in signs], everything, until)
        return {turn.id: self._report(turn) for turn in turns}

    def _report(self, turn: Turn) -> _Report:
        return _Report(turn=turn, words=_words(turn), site_names=frozenset(self._glossary.names_in(turn.text)))


@dataclass(frozen=True, slots=True)
class _Meanings:
    """What signs mean, by turn, as it is compared."""

    signs: Mapping[str, Sign]
    centres: Mapping[str, Centre]

    def signs_of(self, reports: Sequence[_Report]) -> tuple[Sign, ...]:
        return tuple(self.signs[report.turn.id] for report in reports)

    def between(self, one: _Report, other: _Report) -> float:
        """Levelled cosine, the same in both directions."""
        ways = ((one.turn.id, other.turn.id), (other.turn.id, one.turn.id))
        return sum(_aimed(self.signs[asks], self.signs[asked], self.centres) for asks, asked in ways) / len(ways)


def _words(turn: Turn) -> Words:
    """One question as common ground is found by: an episode of its own."""
    episode = Episode(
        id=turn.id, conversation=turn.conversation, ticket=None, turns=(turn,), scope=narrowest([turn]), tokens=0
    )
    note = Note(
        episode=turn.id,
        version=1,
        fingerprint="",
        summary="",
        keywords=keywords_of(turn.text),
        made_by=RULES,
        made_at=turn.said_at,
    )
    return words_of(episode, note)


def _aimed(one: Sign, other: Sign, centres: Mapping[str, Centre]) -> float:
    level = aim(one.meaning, one.language, centres)
    return level.meaning(float(level.vector @ other.meaning), other.language)


def _nearest(sign: Sign, others: Sequence[Sign], centres: Mapping[str, Centre]) -> list[Sign]:
    """Those of this encoder that lie nearest."""
    level = aim(sign.meaning, sign.language, centres)
    same = [other for other in others if other.meaning.shape == sign.meaning.shape]
    return sorted(same, key=lambda other: -level.meaning(float(level.vector @ other.meaning), other.language))[
        :_LOOKED_AT
    ]


def _in_common(reports: Sequence[_Report]) -> list[str]:
    """Names and keywords that two reports have."""
    counts = Counter(word for one in reports for word in {*one.words.names, *one.words.keywords})
    return [word for word, count in counts.items() if count > 1]


def _connected(
    own: _Report, others: Sequence[_Report], rarity: Rarity, meanings: _Meanings
) -> tuple[list[_Report], list[_Report]]:
    """Those that report the same as this one, and those that report the same as one of them: who calls a thing by its
    code and who describes it have a third in common, who does both. No further, as in a chain of likeness its ends are
    not alike."""
    near, left = _parted(own, others, rarity, meanings)
    far = list[_Report]()
    for one in near:
        found, left = _parted(one, left, rarity, meanings)
        far += found
    return near, far


def _parted(
    one: _Report, others: Sequence[_Report], rarity: Rarity, meanings: _Meanings
) -> tuple[list[_Report], list[_Report]]:
    """Those that report the same as this one, and the rest."""
    same = [_same(one, other, rarity, meanings.between(one, other)) for other in others]
    found = [other for other, is_same in zip(others, same, strict=True) if is_same]
    return found, [other for other, is_same in zip(others, same, strict=True) if not is_same]


def _same(one: _Report, other: _Report, rarity: Rarity, meaning: float) -> bool:
    """Whether the two are likely to report the same; `meaning` is their levelled cosine."""
    if meaning < _NEAR or _differ(one.words, other.words):
        return False
    if meaning >= _VERY_NEAR or not _may_share(one, other):
        return meaning >= _VERY_NEAR
    shared = [_weighed(each, one, other, rarity) for each in common_ground(one.words, other.words, rarity, meaning)]
    shared += _site_names(one, other)
    named = any(each.tie in _NAMES for each in shared)
    return named and strength(shared) >= _LIKELY


def _may_share(one: _Report, other: _Report) -> bool:
    """Whether it is worth looking for names that both have: most share none, and to look closely takes long."""
    plain = other.words.plain
    return bool(one.site_names & other.site_names) or any(
        word in plain for word in (*one.words.names, *one.words.keywords) if word[:1].isascii()
    )


def _weighed(shared: Shared, one: _Report, other: _Report, rarity: Rarity) -> Shared:
    """A topic that both write with a capital letter is the name of a system: Warifu, VPN."""
    word = normalise(shared.words)
    if shared.tie is not Tie.TOPIC or not all(as_written(word, by.words.text)[:1].isupper() for by in (one, other)):
        return shared
    return Shared(tie=Tie.NAME, words=shared.words, worth=_WORTH_OF_A_SYSTEM * rarity.weight(word))


def _site_names(one: _Report, other: _Report) -> Iterator[Shared]:
    if both := one.site_names & other.site_names:
        yield Shared(tie=Tie.NAME, words=min(both), worth=_WORTH_OF_A_SYSTEM)


def _differ(one: Words, other: Words) -> bool:
    """QX-7713 and QX-7731, or prn-3f-01 and prn-3f-10, are two things, where nothing else is shared by its name."""
    names, others = set(one.names), set(other.names)
    return names.isdisjoint(others) and not _kinds(names).isdisjoint(_kinds(others))


def _kinds(names: set[str]) -> set[str]:
    return {sub(r"\d", "#", name) for name in names}


def _shared_names(reports: Sequence[_Report], rarity: Rarity) -> list[str]:
    """The folded names that two or more share, those first that most do."""
    counts: Counter[str] = Counter()
    for one, other in combinations(reports, 2):
        shared = [_weighed(each, one, other, rarity) for each in common_ground(one.words, other.words, rarity, 0.0)]
        counts.update({normalise(each.words) for each in shared if each.tie in _NAMES})
        counts.update(normalise(name) for name in one.site_names & other.site_names)
    return sorted(counts, key=lambda name: (-counts[name], name))
