"""What finding needs from outside: an encoder, and an index of keys. Each has an in-memory twin and one contract suite.

Searching cannot be called without a viewer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memory.model import KeyKind, Scope, Viewer

#: One row per text, float32, unit length: shape (n, size).
Vectors = npt.NDArray[np.float32]
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderStamp:
    """Which vectors an index holds. `fingerprint` is a hash of the vectors of fixed probe texts: the same name with
    other weights is another encoder."""

    name: str
    size: int
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Centre:
    """What an encoder says about *any* text of one language: the mean vector of unrelated questions, and of unrelated
    passages, each of shape (size,). Unrelated texts look alike to an encoder (cosines of .7 to .85 for the e5 family),
    and those of one language more than those of two; subtracting the centre leaves the meaning."""

    question: Vector
    passage: Vector


class Encoder(Protocol):
    """Turns texts into unit vectors, off the event loop and in batches. Raises EncoderUnavailable."""

    async def stamp(self) -> EncoderStamp: ...

    async def centres(self) -> Mapping[str, Centre]:
        """The centre of each language ("ja", "en"), measured on neutral sentences that this package ships."""
        ...

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found; shape (len(texts), size)."""
        ...

    async def question(self, text: str) -> Vector:
        """The vector of a text that asks; shape (size,)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A sparse vector of BM25 terms: parallel term ids (unsigned 32 bit) and weights, ids unique and ascending."""

    ids: tuple[int, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """What a key points at, with what ranking has to know of it, so that nothing is fetched for a mere candidate.

    `turn` is None for an episode's own keys. `position` counts from 0 among the episode's `length` turns that have
    keys. `language` is "ja" or "en".
    """

    episode: str
    turn: str | None
    position: int
    length: int
    speaker: str
    requester: str
    language: str
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One index entry. Not every kind has a dense vector, and none has while the encoder is unavailable."""

    id: str
    kind: KeyKind
    pointer: Pointer
    scope: Scope
    dense: Vector | None
    terms: Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A key that matched; `score` is the engine's (cosine, or BM25 with the engine's IDF)."""

    key: str
    pointer: Pointer
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One search in one kind of key, by exactly one of: a dense vector, BM25 terms; in one language, or in all.

    Cosines of two languages cannot be compared before they are levelled, so a search by meaning asks each by itself.
    """

    kind: KeyKind
    language: str | None = None
    dense: Vector | None = None
    terms: Terms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPage:
    """Keys of one kind with what each points at, by id; `next` is where the next page begins, None behind the last."""

    pointers: Mapping[str, Pointer]
    next: str | None


class KeyIndex(Protocol):
    """Finds keys by meaning and by words. It can always be rebuilt from SQL. Raises IndexUnavailable and its kin."""

    async def put(self, keys: Sequence[Key]) -> None:
        """Write keys; one of the same id is replaced. Durable when this returns."""
        ...

    async def remove(self, episodes: Sequence[str]) -> None:
        """Remove every key of these episodes; unknown ones are no error."""
        ...

    async def search(self, probes: Sequence[Probe], viewer: Viewer, until: datetime, limit: int) -> list[list[Hit]]:
        """For each probe its best `limit` keys that the viewer may see and that were said up to `until`, best first.

        The scope and the time are part of the engine's own query, never a filter over what it returned.
        """
        ...

    async def idf(self, kind: KeyKind, terms: Sequence[int]) -> Mapping[int, float]:
        """How rare each term is among keys of this kind, as the engine weighs it: ln(1 + (N - n + .5) / (n + .5))."""
        ...

    async def count(self, kind: KeyKind) -> int: ...

    async def sample(self, kind: KeyKind, language: str, limit: int) -> Vectors:
        """Dense vectors of up to `limit` keys of this kind and language, picked at random: what this memory's texts
        have in common. Shape (n, size); n is 0 when there are none."""
        ...

    async def page(self, kind: KeyKind, start: str | None, limit: int) -> KeyPage:
        """Up to `limit` keys of this kind from `start` on, where an earlier page said that the next one begins; None is
        the first. For upkeep, which compares them with the words and shows them to nobody."""
        ...

    async def known(self, kind: KeyKind, keys: Sequence[str]) -> set[str]:
        """Those of these ids that are keys of this kind."""
        ...

    async def stamp(self) -> EncoderStamp | None:
        """The encoder whose vectors are in here; None while the index is new."""
        ...

    async def reset(self, stamp: EncoderStamp) -> None:
        """Empty the index and note the encoder whose vectors will be written."""
        ...
