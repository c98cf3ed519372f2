"""Stored keys and conditions in the classes of Qdrant's engine."""

from __future__ import annotations

from typing import Any

import qdrant_edge as qdrant

from memory.errors import IndexDamaged
from memory.stores.qdrant_edge_wire import Stamp, StoredKey
from memory.stores.qdrant_filters import DENSE, KINDS, WORDS, Condition, Has, Is

#: Above any size, so that the engine's clean-up only drops what was removed and builds no graph.
_NO_GRAPH = 1_000_000_000


def words_of(kind: str) -> str:
    """The name of the sparse vector of a kind."""
    return f"{WORDS}-{kind}"


def configuration(stamp: Stamp | None) -> qdrant.EdgeConfig:
    """How the shard is laid out; without an encoder it has no dense vectors."""
    dense = (
        qdrant.EdgeVectorParams(
            stamp.size, qdrant.Distance.Cosine, datatype=qdrant.VectorStorageDatatype.Float16, memory=qdrant.Memory.Cold
        )
        if stamp
        else None
    )
    words = qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf, memory=qdrant.Memory.Cold)
    return qdrant.EdgeConfig(
        vectors={DENSE: dense} if dense else None,
        sparse_vectors={words_of(kind): words for kind in KINDS},
        optimizers=qdrant.EdgeOptimizersConfig(indexing_threshold=_NO_GRAPH),
        max_search_threads=2,
        payload_memory=qdrant.Memory.Cold,
    )


def point(key: StoredKey) -> qdrant.Point:
    """A key as it is stored; it may have a dense vector, words, both or neither."""
    vectors: dict[str, Any] = {}
    if key.dense is not None:
        vectors[DENSE] = key.dense
    if key.term_ids:
        vectors[words_of(key.kind)] = qdrant.SparseVector(list(key.term_ids), list(key.term_weights))
    return qdrant.Point(key.id, vectors, key.payload)


def vector_of(found: qdrant.ScoredPoint, name: str) -> Any:
    """A named vector of a hit. Raises IndexDamaged when it is not there."""
    if not isinstance(found.vector, dict):
        raise IndexDamaged
    return found.vector[name]


def filter_of(*conditions: Condition) -> qdrant.Filter:
    """All of these conditions as a filter; none at all lets everything through."""
    return qdrant.Filter(must=[_rendered(condition) for condition in conditions])


def _rendered(condition: Condition) -> Any:
    if isinstance(condition, Is):
        return qdrant.FieldCondition(condition.field, match=qdrant.MatchAny(list(condition.values)))
    if isinstance(condition, Has):
        return qdrant.HasVectorCondition(condition.vector)
    return qdrant.FieldCondition(condition.field, range=qdrant.RangeFloat(lte=float(condition.most)))
