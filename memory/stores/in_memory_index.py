"""The index of keys as plain arithmetic over everything: what the others mean, and quick enough for small histories."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from memory.index_ports import EncoderStamp, Hit, Key, KeyPage, Probe, Terms, Vector, Vectors
from memory.model import KeyKind, Viewer
from memory.scope import may_read
from memory.stores.index_rules import asks_something, best_first, inverse_frequency, refuse_foreign


class InMemoryIndex:
    """A `KeyIndex` that forgets when the process ends."""

    def __init__(self) -> None:
        self._keys: dict[str, Key] = {}
        self._stamp: EncoderStamp | None = None

    async def put(self, keys: Sequence[Key]) -> None:
        """Write keys; one of the same id is replaced. Raises EncoderChanged."""
        refuse_foreign(keys, self._stamp)
        self._keys.update((key.id, key) for key in keys)

    async def remove(self, episodes: Sequence[str]) -> None:
        """Remove every key of these episodes."""
        gone = set(episodes)
        self._keys = {id_: key for id_, key in self._keys.items() if key.pointer.episode not in gone}

    async def search(self, probes: Sequence[Probe], viewer: Viewer, until: datetime, limit: int) -> list[list[Hit]]:
        """For each probe its best `limit` visible keys, best first. Raises EncoderChanged."""
        refuse_foreign((probe for probe in probes if self._stamp), self._stamp)
        visible = [key for key in self._keys.values() if key.pointer.said_at <= until and may_read(viewer, key.scope)]
        return [self._best(probe, visible, limit) for probe in probes]

    async def idf(self, kind: KeyKind, terms: Sequence[int]) -> Mapping[int, float]:
        """ln(1 + (N - n + .5) / (n + .5)) with N the keys of this kind that have words."""
        return self._idf(kind, terms)

    async def count(self, kind: KeyKind) -> int:
        """How many keys of this kind there are."""
        return sum(key.kind is kind for key in self._keys.values())

    async def sample(self, kind: KeyKind, language: str, limit: int) -> Vectors:
        """Dense vectors of up to `limit` keys of this kind and language, picked at random; shape (n, size)."""
        rows = [
            key.dense
            for key in self._keys.values()
            if key.kind is kind and key.pointer.language == language and key.dense is not None
        ]
        picked = random.sample(rows, min(limit, len(rows)))
        return np.array(picked, dtype=np.float32).reshape(len(picked), self._stamp.size if self._stamp else 0)

    async def page(self, kind: KeyKind, start: str | None, limit: int) -> KeyPage:
        """Up to `limit` keys of this kind from `start` on."""
        ids = sorted(id_ for id_, key in self._keys.items() if key.kind is kind and (start is None or id_ >= start))
        pointers = {id_: self._keys[id_].pointer for id_ in ids[:limit]}
        return KeyPage(pointers=pointers, next=ids[limit] if len(ids) > limit else None)

    async def known(self, kind: KeyKind, keys: Sequence[str]) -> set[str]:
        """Those of these ids that are keys of this kind."""
        return {id_ for id_ in keys if id_ in self._keys and self._keys[id_].kind is kind}

    async def stamp(self) -> EncoderStamp | None:
        """The encoder whose vectors are in here."""
        return self._stamp

    async def reset(self, stamp: EncoderStamp) -> None:
        """Forget all keys and note the encoder."""
        self._keys = {}
        self._stamp = stamp

    def _best(self, probe: Probe, visible: Sequence[Key], limit: int) -> list[Hit]:
        if not asks_something(probe):
            return []
        keys = [key for key in visible if key.kind is probe.kind and probe.language in (None, key.pointer.language)]
        scores = self._bm25(probe, keys) if probe.dense is None else _cosines(probe.dense, keys)
        return best_first(
            (Hit(key=key.id, pointer=key.pointer, score=scores[key.id]) for key in keys if key.id in scores), limit
        )

    def _bm25(self, probe: Probe, keys: Sequence[Key]) -> dict[str, float]:
        asked = _weights(probe.terms)
        idf = self._idf(probe.kind, tuple(asked))
        scores = {}
        for key in keys:
            said = _weights(key.terms)
            if shared := asked.keys() & said.keys():
                scores[key.id] = sum(asked[term] * said[term] * idf[term] for term in shared)
        return scores

    def _idf(self, kind: KeyKind, terms: Sequence[int]) -> dict[int, float]:
        worded = [key.terms.ids for key in self._keys.values() if key.kind is kind and key.terms.ids]
        having = Counter(term for ids in worded for term in ids)
        return {term: inverse_frequency(len(worded), having[term]) for term in terms}


def _cosines(asked: Vector, keys: Sequence[Key]) -> dict[str, float]:
    return {key.id: float(key.dense @ asked) for key in keys if key.dense is not None}


def _weights(terms: Terms | None) -> dict[int, float]:
    return dict(zip(terms.ids, terms.weights, strict=True)) if terms else {}
