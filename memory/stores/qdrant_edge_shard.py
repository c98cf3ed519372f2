"""The keys of one kind: one shard of Qdrant's engine, searched from end to end, without a graph.

Each kind has a shard of its own, so that a search by meaning passes over no keys of other kinds, and the engine counts
a term's rarity among keys of one kind.
"""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import qdrant_edge as qdrant

from memory.stores.qdrant_edge_models import (
    MEANING,
    WORDS_OF_ALL,
    configuration,
    dense_names,
    field_indexes,
    filter_of,
    narrowed,
    point,
    reach_named,
    room_for_vectors,
    vector_of,
)
from memory.stores.qdrant_edge_rarity import Rarities
from memory.stores.qdrant_edge_wire import Found, StoredKey, Want
from memory.stores.qdrant_filters import LANGUAGE, POINTER, SAID_AT, Condition, Conditions, Has, Is, Reach

#: What is looked for in the vector of a name, by words or by meaning.
Query = tuple[str, qdrant.Query, qdrant.SearchParams | None]


class KindShard:
    """An open shard; `meant` when its keys may have dense vectors."""

    def __init__(self, shard: qdrant.EdgeShard, *, meant: bool) -> None:
        self._shard = shard
        self._meant = meant
        self._rarities = Rarities(shard, self.count)

    @classmethod
    def create(cls, folder: Path, size: int | None) -> KindShard:
        """An empty one, with room for vectors of `size` numbers or for none."""
        shard = qdrant.EdgeShard.create(str(folder), configuration(size))
        for one in field_indexes():
            shard.update(one)
        return cls(shard, meant=size is not None)

    @classmethod
    def load(cls, folder: Path, *, meant: bool) -> KindShard:
        return cls(qdrant.EdgeShard.load(str(folder)), meant=meant)

    def make_room(self, size: int) -> None:
        """Vectors may be put from now on. Repeating it does no harm."""
        for one in room_for_vectors(size):
            self._shard.update(one)
        self._meant = True

    def put(self, keys: Iterable[StoredKey]) -> None:
        self._rarities.forget()
        self._shard.update(qdrant.UpdateOperation.upsert_points([point(key) for key in keys]))

    def remove(self, gone: Condition) -> None:
        """Remove what meets a condition, and give back the space when it is much."""
        self._rarities.forget()
        self._shard.update(qdrant.UpdateOperation.delete_points_by_filter(filter_of(gone)))
        self._shard.flush()
        if self._shard.optimize():
            self._shard.flush()

    def flush(self) -> None:
        self._shard.flush()

    def close(self) -> None:
        """Let go of the files."""
        self._shard.close()

    def count(self, *conditions: Condition) -> int:
        return self._shard.count(qdrant.CountRequest(filter=filter_of(*conditions), exact=True))

    def newest(self) -> int:
        """When the newest of its words was said; 0 while it is empty."""
        order = qdrant.OrderBy(SAID_AT, qdrant.Direction.Desc)
        records, _ = self._shard.scroll(qdrant.ScrollRequest(limit=1, with_payload=[SAID_AT], order_by=order))
        return max(((record.payload or {})[SAID_AT] for record in records), default=0)

    def search(self, want: Want, conditions: Mapping[Reach, Conditions], limit: int) -> Found:
        """The best `limit`, best first."""
        hits = [
            hit
            for name, query, params in self._queries(want)
            for hit in self._hits(query, params, narrowed(name, want, conditions[reach_named(name)]), limit)
        ]
        best = sorted(hits, key=lambda hit: -hit.score)[:limit]
        return Found(
            ids=[str(hit.id) for hit in best],
            pointers=[(hit.payload or {})[POINTER] for hit in best],
            scores=[hit.score for hit in best],
        )

    def idf(self, terms: Sequence[int]) -> dict[int, float]:
        """How rare each term is among these keys."""
        return {term: self._rarities.of(term).whole for term in terms}

    def sample(self, language: str, limit: int) -> list[array[float]]:
        """Dense vectors of keys of a language, picked at random."""
        held = {name: self.count(Is(LANGUAGE, (language,)), Has(name)) for name in self._dense_names(language)}
        names = [name for name, count in held.items() if count]
        if not names:
            return []
        some = min(limit, sum(held.values()))
        drawn = Counter(random.sample(names, some, counts=[held[name] for name in names]))
        return [vector for name, count in drawn.items() for vector in self._some(name, language, count)]

    def page(self, start: str | None, limit: int) -> tuple[dict[str, str], str | None]:
        """Packed pointers by id, from an id on, and where the next page begins."""
        records, beyond = self._shard.scroll(qdrant.ScrollRequest(offset=start, limit=limit, with_payload=[POINTER]))
        pointers = {str(record.id): (record.payload or {})[POINTER] for record in records}
        return pointers, None if beyond is None else str(beyond)

    def known(self, keys: Sequence[str]) -> list[str]:
        """Those of these ids that are keys."""
        return [str(record.id) for record in self._shard.retrieve(list(keys), with_payload=False, with_vector=False)]

    def _some(self, name: str, language: str, count: int) -> list[array[float]]:
        wanted = filter_of(Is(LANGUAGE, (language,)), Has(name))
        request = qdrant.QueryRequest(limit=count, query=qdrant.Sample.Random, filter=wanted, with_vector=[name])
        return [array("f", vector_of(one, name)) for one in self._shard.query(request)]

    def _dense_names(self, language: str | None) -> list[str]:
        return dense_names(language) if self._meant else []

    def _queries(self, want: Want) -> list[Query]:
        if want.dense is not None:
            dense, names = list(want.dense), self._dense_names(want.language)
            return [(name, qdrant.Query.Nearest(dense, using=name), MEANING) for name in names]
        words = [(name, self._rarities.weighed(name, want.term_ids, want.term_weights)) for name in WORDS_OF_ALL]
        return [(name, qdrant.Query.Nearest(sparse, using=name), None) for name, sparse in words if sparse]

    def _hits(
        self, query: qdrant.Query, params: qdrant.SearchParams | None, conditions: Conditions, limit: int
    ) -> list[qdrant.ScoredPoint]:
        request = qdrant.QueryRequest(
            limit=limit,
            query=query,
            filter=filter_of(*conditions) if conditions else None,
            params=params,
            with_payload=[POINTER],
        )
        return self._shard.query(request)
