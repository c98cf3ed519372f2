"""Keys of an index in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from memory.index_ports import EncoderStamp, Key, Pointer, Probe, Terms, Vector
from memory.model import KeyKind, Scope, Viewer, Visibility, derived_id

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
STAMP = EncoderStamp(name="test", size=3, fingerprint="0001")
EVERYONE = Scope(visibility=Visibility.EVERYONE, channel="general", requester="u1")
ANYBODY = Viewer(user="nobody", channel="elsewhere")


def key_id(name: str) -> str:
    """The id of the key that a test calls `name`."""
    return derived_id("test-key", name)


def key(
    name: str,
    *,
    dense: Sequence[float] | None = None,
    terms: Mapping[int, float] | None = None,
    kind: KeyKind = KeyKind.TURN,
    episode: str = "e1",
    scope: Scope = EVERYONE,
    said_at: datetime = NOON,
    language: str = "en",
) -> Key:
    """A key whose `dense` is brought to unit length."""
    return Key(
        id=key_id(name),
        kind=kind,
        pointer=Pointer(
            episode=episode,
            turn=None if kind is KeyKind.SUMMARY else f"turn-{name}",
            position=4,
            length=7,
            speaker='佐藤 "the" agent',
            requester="u1",
            language=language,
            said_at=said_at,
        ),
        scope=scope,
        dense=None if dense is None else unit(*dense),
        terms=words(terms or {}),
    )


def words(weights: Mapping[int, float]) -> Terms:
    """Terms with their weights, in ascending order."""
    return Terms(ids=tuple(sorted(weights)), weights=tuple(weights[term] for term in sorted(weights)))


def unit(*numbers: float) -> Vector:
    """A vector of length 1."""
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def near(*numbers: float, kind: KeyKind = KeyKind.TURN) -> Probe:
    """A search by meaning."""
    return Probe(kind=kind, dense=unit(*numbers))


def saying(*terms: int, kind: KeyKind = KeyKind.TURN) -> Probe:
    """A search by words, each of weight 1."""
    return Probe(kind=kind, terms=words(dict.fromkeys(terms, 1.0)))


def later(seconds: float) -> datetime:
    """So long after noon."""
    return NOON + timedelta(seconds=seconds)
