"""The index of keys on one machine: Qdrant's engine over a folder, in a process of its own."""

from __future__ import annotations

from array import array
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from memory.index_ports import EncoderStamp, Hit, Key, KeyPage, Probe, Vector, Vectors
from memory.model import KeyKind, Viewer
from memory.stores.index_rules import asks_something, best_first, in_chunks, refuse_foreign
from memory.stores.qdrant_edge_process import EdgeProcess
from memory.stores.qdrant_edge_wire import Found, Stamp, StoredKey, Want
from memory.stores.qdrant_filters import KIND, payload, reach_of, reachable, unpacked

#: A search may wait behind one write, which takes a few hundredths of a second, or behind a clean-up.
_READ_SECONDS = 15.0
#: Removing many keys rewrites what is left: some ten seconds at 60,000 keys.
_WRITE_SECONDS = 300.0


class EdgeIndex:
    """A `KeyIndex` in a folder that one process owns at a time. Key ids are UUIDs.

    Every acknowledged write survives a killed process, and a power cut. Every call raises IndexUnavailable when the
    engine cannot serve it in time, and IndexDamaged when it finds files that it cannot read.
    """

    def __init__(self, process: EdgeProcess, stamp: EncoderStamp | None) -> None:
        self._process = process
        self._stamp = stamp

    async def put(self, keys: Sequence[Key]) -> None:
        """Write keys; one of the same id is replaced. On the disk when this returns. Raises EncoderChanged."""
        refuse_foreign(keys, self._stamp)
        # Vectors that are searched together lie together: the engine reads runs of them in half the time.
        stored = sorted(map(_stored, keys), key=lambda key: (key.kind, key.reach, key.language))
        for chunk in in_chunks(stored):
            await self._process.call("put", chunk, seconds=_WRITE_SECONDS)
        await self._process.call("settle", seconds=_WRITE_SECONDS)

    async def remove(self, episodes: Sequence[str]) -> None:
        """Remove every key of these episodes."""
        if episodes:
            await self._process.call("remove", tuple(episodes), seconds=_WRITE_SECONDS)

    async def search(self, probes: Sequence[Probe], viewer: Viewer, until: datetime, limit: int) -> list[list[Hit]]:
        """For each probe its best `limit` visible keys, best first. Raises EncoderChanged."""
        if self._stamp is None:  # words only
            probes = [replace(probe, dense=None) for probe in probes]
        refuse_foreign(probes, self._stamp)
        wants = [_want(probe) for probe in probes if asks_something(probe)]
        found = iter(
            await self._process.call("search", wants, reachable(viewer, until), limit, seconds=_READ_SECONDS)
            if wants
            else ()
        )
        return [_hits(next(found), limit) if asks_something(probe) else [] for probe in probes]

    async def idf(self, kind: KeyKind, terms: Sequence[int]) -> Mapping[int, float]:
        """How rare each term is, as the engine weighs it; removed keys count until the engine has cleaned up."""
        idf: dict[int, float] = await self._process.call("idf", kind.value, tuple(terms), seconds=_READ_SECONDS)
        return idf

    async def count(self, kind: KeyKind) -> int:
        """How many keys of this kind there are."""
        return int(await self._process.call("count", kind.value, seconds=_READ_SECONDS))

    async def sample(self, kind: KeyKind, language: str, limit: int) -> Vectors:
        """Dense vectors of up to `limit` keys of this kind and language, picked at random; shape (n, size)."""
        rows = await self._process.call("sample", kind.value, language, limit, seconds=_READ_SECONDS)
        return np.array(rows, dtype=np.float32).reshape(len(rows), self._stamp.size if self._stamp else 0)

    async def page(self, kind: KeyKind, start: str | None, limit: int) -> KeyPage:
        """Up to `limit` keys of this kind from `start` on."""
        packed: dict[str, str]
        packed, beyond = await self._process.call("page", kind.value, start, limit, seconds=_READ_SECONDS)
        return KeyPage(pointers={id_: unpacked(pointer) for id_, pointer in packed.items()}, next=beyond)

    async def known(self, kind: KeyKind, keys: Sequence[str]) -> set[str]:
        """Those of these ids that are keys of this kind."""
        return set(await self._process.call("known", kind.value, tuple(keys), seconds=_READ_SECONDS))

    async def stamp(self) -> EncoderStamp | None:
        """The encoder whose vectors are in here; None while the index is new."""
        return self._stamp

    async def reset(self, stamp: EncoderStamp) -> None:
        """Empty the index and note the encoder. Whoever dies meanwhile leaves a new index."""
        await self._process.call("reset", Stamp(**asdict(stamp)), seconds=_WRITE_SECONDS)
        self._stamp = stamp


@asynccontextmanager
async def open_edge_index(folder: Path) -> AsyncIterator[EdgeIndex]:
    """The index in `folder`, new when there is none.

    Raises IndexInUse when another process has it, IndexDamaged when it cannot be read or keys are missing.
    """
    process = EdgeProcess(folder)
    try:
        stamp: Stamp | None = await process.open()
        yield EdgeIndex(process, EncoderStamp(**asdict(stamp)) if stamp else None)
    finally:
        await process.aclose()


def _stored(key: Key) -> StoredKey:
    reach = reach_of(key)
    return StoredKey(
        id=key.id,
        kind=key.kind.value,
        reach=reach.value,
        language=key.pointer.language,
        dense=None if key.dense is None else _floats(key.dense),
        term_ids=key.terms.ids,
        term_weights=key.terms.weights,
        # What says where a key lies need not stand in it.
        payload={name: value for name, value in payload(key).items() if name != KIND},
    )


def _want(probe: Probe) -> Want:
    return Want(
        kind=probe.kind.value,
        language=probe.language,
        dense=None if probe.dense is None else _floats(probe.dense),
        term_ids=probe.terms.ids if probe.terms else (),
        term_weights=probe.terms.weights if probe.terms else (),
    )


def _floats(vector: Vector) -> array[float]:
    return array("f", np.asarray(vector, dtype=np.float32).tobytes())


def _hits(found: Found, limit: int) -> list[Hit]:
    hits = zip(found.ids, found.pointers, found.scores, strict=True)
    return best_first((Hit(key=id_, pointer=unpacked(pointer), score=score) for id_, pointer, score in hits), limit)
