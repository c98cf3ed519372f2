"""Stored keys and conditions in the classes of Qdrant's client."""

from __future__ import annotations

from typing import Any

from qdrant_client import models

from memory.errors import IndexUnavailable
from memory.index_ports import Key
from memory.stores.qdrant_filters import DENSE, WORDS, Condition, Conditions, Has, Is, IsNot


def point(key: Key, payload: dict[str, Any]) -> models.PointStruct:
    """A key as it is stored; it may have a dense vector, words, both or neither."""
    vectors: dict[str, Any] = {}
    if key.dense is not None:
        vectors[DENSE] = [float(number) for number in key.dense]
    if key.terms.ids:
        vectors[WORDS] = models.SparseVector(indices=list(key.terms.ids), values=list(key.terms.weights))
    return models.PointStruct(id=key.id, vector=vectors, payload=payload)


def vectors_of(found: models.ScoredPoint) -> dict[str, Any]:
    """The named vectors of a hit. Raises IndexUnavailable when the server left them out."""
    if not isinstance(found.vector, dict):
        raise IndexUnavailable
    return dict(found.vector)


def rendered(conditions: Conditions) -> models.Filter:
    """The conditions as a filter."""
    return models.Filter(must=[_part(condition) for condition in conditions])


def _part(condition: Condition) -> models.Condition:
    if isinstance(condition, IsNot):
        return models.Filter(must_not=[_part(Is(condition.field, (condition.value,)))])
    if isinstance(condition, Is):
        return models.FieldCondition(key=condition.field, match=models.MatchAny(any=list(condition.values)))
    if isinstance(condition, Has):
        return models.HasVectorCondition(has_vector=condition.vector)
    return models.FieldCondition(key=condition.field, range=models.Range(lte=condition.most))
