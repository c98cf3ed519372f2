"""How rare words are in this memory: what everybody says connects nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from memory.index_ports import KeyIndex, Terms
from memory.model import KeyKind
from memory.text.sparse import exact_terms, question_terms

#: A name is common when more episodes have it than this, and than this share of all.
_COMMON_FROM = 20
_COMMON_SHARE = 0.05
#: A word that is no name is rare when no more than this beyond the square root of all episodes have it.
_FEW = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Rarity:
    """In how many of `total` episodes each word stands (`having`); one that was not asked for counts as in all."""

    total: int
    having: Mapping[str, float]

    def weight(self, word: str) -> float:
        """1 for what two episodes share, slowly less for what more do."""
        return 1 / (1 + 0.25 * math.log2(max(2.0, self._having(word)) / 2))

    def name_connects(self, name: str) -> bool:
        """Whether sharing this code, host or version means anything."""
        return self._having(name) <= max(_COMMON_FROM, _COMMON_SHARE * self.total)

    def word_connects(self, word: str) -> bool:
        """Whether sharing this word means anything."""
        return self._having(word) <= _FEW + math.sqrt(self.total)

    def _having(self, word: str) -> float:
        return self.having.get(word, max(self.total, 1))


async def rarity_of(words: Collection[str], index: KeyIndex) -> Rarity:
    """How rare these words are among episodes: two calls of the index, however many words."""
    terms = {word: _terms_of(word) for word in dict.fromkeys(words)}
    wanted = sorted({term for found in terms.values() for term in found.ids})
    total = await index.count(KeyKind.SUMMARY)
    if not wanted:
        return Rarity(total=total, having={})
    idf = await index.idf(KeyKind.SUMMARY, wanted)
    having = {word: min(_having(total, idf[term]) for term in found.ids) for word, found in terms.items() if found.ids}
    return Rarity(total=total, having=having)


def _terms_of(word: str) -> Terms:
    exact = exact_terms(word)
    return exact if exact.ids else question_terms(word)


def _having(total: int, idf: float) -> float:
    """The number of texts with a term, out of its IDF, which is ln((total + 1) / (having + .5))."""
    return max(0.0, (total + 1) / math.exp(idf) - 0.5)
