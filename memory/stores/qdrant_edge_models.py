"""Stored keys and conditions in the classes of Qdrant's engine.

A key's place is the name of its vectors. Keys that anybody may see and all others have vectors of different names, so
that the first are searched without a filter, which is what a search costs; when a key is put again with another scope,
the engine replaces it as a whole, and nothing of it stays in the old place.
"""

from __future__ import annotations

from typing import Any

import qdrant_edge as qdrant

from memory.errors import IndexDamaged
from memory.stores.qdrant_edge_wire import StoredKey, Want
from memory.stores.qdrant_filters import (
    DENSE,
    EPISODE,
    LANGUAGE,
    LANGUAGES,
    READERS,
    SAID_AT,
    WORDS,
    Condition,
    Conditions,
    Has,
    Is,
    IsNot,
    Reach,
    in_language,
)

#: Above any size, so that the engine's clean-up only drops what was removed and builds no graph.
_NO_GRAPH = 1_000_000_000
_FLOATS = qdrant.VectorStorageDatatype.Float16
#: Four bits a number, kept beside the whole ones and read in their place: a quarter of what search by meaning reads.
_ROUGH = qdrant.TurboQuantQuantizationConfig(bits=qdrant.TurboQuantBitSize.Bits4, memory=qdrant.Memory.Cold)
#: Of each vector of its language, roughly; the order of the best is that of the whole vectors, of so many times as many
#: as are wanted. With a quarter of that one neighbour in seventy was missed among 300,000.
MEANING = qdrant.SearchParams(quantization=qdrant.QuantizationSearchParams(rescore=True, oversampling=8.0))
_KEYWORDS = (EPISODE, LANGUAGE, READERS)

#: The names of all sparse vectors.
WORDS_OF_ALL = tuple(f"{WORDS}-{reach.value}" for reach in Reach)
#: The names of all dense vectors: open ones by language, which saves the filter for it.
DENSE_OF_ALL = (*(f"{DENSE}-{Reach.OPEN}-{language}" for language in LANGUAGES), f"{DENSE}-{Reach.LIMITED}")


def words_of(reach: str) -> str:
    """The name of the sparse vector of a key."""
    return f"{WORDS}-{reach}"


def dense_of(reach: str, language: str) -> str:
    """The name of the dense vector of a key."""
    return f"{DENSE}-{reach}-{language}" if reach == Reach.OPEN else f"{DENSE}-{reach}"


def reach_named(name: str) -> Reach:
    """The reach of the keys that have a vector of this name."""
    return Reach(name.split("-")[1])


def configuration(size: int | None) -> qdrant.EdgeConfig:
    """How a shard is laid out, with dense vectors of `size` numbers or none.

    Without a log of its own: what was put counts once it is on the disk, and the log would be kept in memory twice.
    """
    words = qdrant.EdgeSparseVectorParams(modifier=qdrant.Modifier.Idf, memory=qdrant.Memory.Cold)
    return qdrant.EdgeConfig(
        vectors=_dense(size) if size else None,
        sparse_vectors=dict.fromkeys(WORDS_OF_ALL, words),
        optimizers=qdrant.EdgeOptimizersConfig(indexing_threshold=_NO_GRAPH),
        max_search_threads=2,
        payload_memory=qdrant.Memory.Cold,
        wal_enabled=False,
    )


def _dense(size: int) -> dict[str, qdrant.EdgeVectorParams]:
    cold = qdrant.EdgeVectorParams(
        size, qdrant.Distance.Cosine, datatype=_FLOATS, memory=qdrant.Memory.Cold, quantization_config=_ROUGH
    )
    return dict.fromkeys(DENSE_OF_ALL, cold)


def room_for_vectors(size: int) -> list[qdrant.UpdateOperation]:
    """Gives dense vectors to a shard that was laid out without. Only a new shard keeps them roughly as well: these are
    read whole by every search, until the index is made anew."""
    return [
        qdrant.UpdateOperation.create_dense_vector(name, size, qdrant.Distance.Cosine, datatype=_FLOATS)
        for name in DENSE_OF_ALL
    ]


def field_indexes() -> list[qdrant.UpdateOperation]:
    """Indexes on what is filtered by."""
    time = qdrant.IntegerIndexParams(lookup=False, range=True, enable_hnsw=False)
    words = qdrant.KeywordIndexParams(enable_hnsw=False)
    create = qdrant.UpdateOperation.create_field_index
    return [create(SAID_AT, time), *(create(name, words) for name in _KEYWORDS)]


def point(key: StoredKey) -> qdrant.Point:
    """A key as it is stored; it may have a dense vector, words, both or neither."""
    vectors: dict[str, Any] = {}
    if key.dense is not None:
        vectors[dense_of(key.reach, key.language)] = key.dense
    if key.term_ids:
        vectors[words_of(key.reach)] = qdrant.SparseVector(list(key.term_ids), list(key.term_weights))
    return qdrant.Point(key.id, vectors, key.payload)


def dense_names(language: str | None) -> list[str]:
    """Where keys of a language, or of all, have their dense vectors."""
    return [name for name in DENSE_OF_ALL if language in (None, name.split("-")[-1]) or name == DENSE_OF_ALL[-1]]


def narrowed(name: str, want: Want, conditions: Conditions) -> Conditions:
    """The conditions and the wanted language, where the vector's name does not say it."""
    said = want.dense is not None and reach_named(name) is Reach.OPEN
    return conditions if said else (*conditions, *in_language(want.language))


def vector_of(found: qdrant.ScoredPoint, name: str) -> Any:
    """A named vector of a hit. Raises IndexDamaged when it is not there."""
    if not isinstance(found.vector, dict):
        raise IndexDamaged
    return found.vector[name]


def filter_of(*conditions: Condition) -> qdrant.Filter:
    """All of these conditions as a filter; none at all lets everything through."""
    return qdrant.Filter(must=[_rendered(condition) for condition in conditions])


def _rendered(condition: Condition) -> Any:
    if isinstance(condition, IsNot):
        return qdrant.Filter(must_not=[_rendered(Is(condition.field, (condition.value,)))])
    if isinstance(condition, Is):
        return qdrant.FieldCondition(condition.field, match=qdrant.MatchAny(list(condition.values)))
    if isinstance(condition, Has):
        return qdrant.HasVectorCondition(condition.vector)
    return qdrant.FieldCondition(condition.field, range=qdrant.RangeFloat(lte=float(condition.most)))
