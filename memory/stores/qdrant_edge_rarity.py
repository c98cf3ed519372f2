"""How rare a term is among all keys of a kind, although the engine counts it apart for open and for limited ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import qdrant_edge as qdrant

from memory.stores.qdrant_edge_models import WORDS_OF_ALL, vector_of
from memory.stores.qdrant_filters import Has

#: Terms that are remembered between two writes.
_MOST = 20_000

#: How many keys of a shard meet a condition.
Count = Callable[[Has], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rarity:
    """The IDF of a term: `whole` over all keys of the kind; `apart` as the engine weighs it in each sparse vector that
    has the term."""

    whole: float
    apart: Mapping[str, float]


class Rarities:
    """Those of one shard, from one write to the next."""

    def __init__(self, shard: qdrant.EdgeShard, count: Count) -> None:
        self._shard = shard
        self._held = cache(lambda name: count(Has(name)))
        self._known: dict[int, Rarity] = {}

    def forget(self) -> None:
        """After a write."""
        self._held.cache_clear()
        self._known.clear()

    def of(self, term: int) -> Rarity:
        if term not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[term] = self._measured(term)
        return self._known[term]

    def weighed(self, name: str, terms: Sequence[int], weights: Sequence[float]) -> qdrant.SparseVector | None:
        """A question's terms for one sparse vector, so that scores come out as over all keys; None if it has none."""
        known = [(term, weight, self.of(term)) for term, weight in zip(terms, weights, strict=True)]
        found = [
            (term, weight * rarity.whole / rarity.apart[name]) for term, weight, rarity in known if name in rarity.apart
        ]
        return qdrant.SparseVector([term for term, _ in found], [weight for _, weight in found]) if found else None

    def _measured(self, term: int) -> Rarity:
        apart = {name: weight for name in WORDS_OF_ALL if (weight := self._weight(name, term)) is not None}
        having = sum(_having(self._held(name), weight) for name, weight in apart.items())
        return Rarity(whole=_idf(sum(map(self._held, WORDS_OF_ALL)), having), apart=apart)

    def _weight(self, name: str, term: int) -> float | None:
        """Read off the score of one hit, since the engine tells no frequencies; None if no key has the term."""
        query = qdrant.Query.Nearest(qdrant.SparseVector([term], [1.0]), using=name)
        hits = self._shard.query(qdrant.QueryRequest(limit=1, query=query, with_vector=[name]))
        if not hits:
            return None
        words = vector_of(hits[0], name)
        return float(hits[0].score / words.values[words.indices.index(term)])


def _idf(total: int, having: int) -> float:
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def _having(total: int, idf: float) -> int:
    """How many of `total` have a term of this IDF."""
    return min(total, max(1, round((total + 1) / math.exp(idf) - 0.5)))
