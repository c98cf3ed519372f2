"""The index of keys on a Qdrant server or cluster. Several bots may use it at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import numpy as np
from qdrant_client import AsyncQdrantClient, models

from config.schema import IndexSettings
from memory.errors import IndexUnavailable
from memory.index_ports import EncoderStamp, Hit, Key, KeyPage, Probe, Vectors
from memory.model import KeyKind, Viewer
from memory.stores.index_rules import asks_something, best_first, in_chunks, inverse_frequency, refuse_foreign
from memory.stores.qdrant_filters import (
    DENSE,
    EPISODE,
    LANGUAGE,
    POINTER,
    WORDS,
    Conditions,
    Has,
    Is,
    in_language,
    payload,
    readable,
    unpacked,
)
from memory.stores.qdrant_server_collections import Collections, Edition
from memory.stores.qdrant_server_models import point, rendered, vectors_of

#: Wider than the engine's habit, because the filter of who may see what takes most of a graph's neighbours away.
_SEARCH_WIDTH = 256

Result = TypeVar("Result")


class ServerIndex:
    """A `KeyIndex` on a server. Key ids are UUIDs.

    Every call raises IndexUnavailable when the server cannot be reached, refuses, or takes longer than
    `index.timeout_seconds`.
    """

    def __init__(self, client: AsyncQdrantClient, settings: IndexSettings) -> None:
        self._client = client
        self._collections = Collections(client, settings)
        self._edition = Edition()

    async def open(self) -> None:
        """Create what is missing: an empty index of words."""
        self._edition = await self._collections.complete()

    async def put(self, keys: Sequence[Key]) -> None:
        """Write keys; one of the same id is replaced. On the server's disk when this returns. Raises EncoderChanged."""
        await self.stamp()
        await self._served(lambda edition: self._put(keys, edition))

    async def remove(self, episodes: Sequence[str]) -> None:
        """Remove every key of these episodes."""
        if not episodes:
            return
        await self.stamp()
        await self._served(lambda edition: self._remove(episodes, edition))

    async def search(self, probes: Sequence[Probe], viewer: Viewer, until: datetime, limit: int) -> list[list[Hit]]:
        """For each probe its best `limit` visible keys, best first. Raises EncoderChanged."""
        conditions = readable(viewer, until)
        return await self._served(lambda edition: self._search(probes, conditions, limit, edition))

    async def idf(self, kind: KeyKind, terms: Sequence[int]) -> Mapping[int, float]:
        """How rare each term is, as the server weighs it."""
        return await self._served(lambda edition: self._idf(kind, terms, edition)) if terms else {}

    async def count(self, kind: KeyKind) -> int:
        """How many keys of this kind there are."""
        return (await self._asked(kind, lambda name: self._client.count(name, exact=True))).count

    async def sample(self, kind: KeyKind, language: str, limit: int) -> Vectors:
        """Dense vectors of up to `limit` keys of this kind and language, picked at random; shape (n, size)."""
        return await self._served(lambda edition: self._sample(kind, language, limit, edition))

    async def page(self, kind: KeyKind, start: str | None, limit: int) -> KeyPage:
        """Up to `limit` keys of this kind from `start` on."""
        records, beyond = await self._asked(
            kind,
            lambda name: self._client.scroll(
                name, offset=start, limit=limit, with_payload=[POINTER], with_vectors=False
            ),
        )
        pointers = {str(record.id): unpacked((record.payload or {})[POINTER]) for record in records}
        return KeyPage(pointers=pointers, next=None if beyond is None else str(beyond))

    async def known(self, kind: KeyKind, keys: Sequence[str]) -> set[str]:
        """Those of these ids that are keys of this kind."""
        found = await self._asked(
            kind,
            lambda name: self._client.retrieve(name, list(keys), with_payload=False, with_vectors=False),
        )
        return {str(record.id) for record in found}

    async def stamp(self) -> EncoderStamp | None:
        """The encoder whose vectors are in here, as the server knows it; None while the index is new."""
        self._edition = await self._collections.edition()
        return self._edition.stamp

    async def reset(self, stamp: EncoderStamp) -> None:
        """Empty the index and note the encoder. Others that search meanwhile find all that there was, or nothing."""
        self._edition = await self._collections.renew(stamp)

    async def _put(self, keys: Sequence[Key], edition: Edition) -> None:
        refuse_foreign(keys, edition.stamp)
        for kind in KeyKind:
            for chunk in in_chunks([key for key in keys if key.kind is kind]):
                points = [point(key, payload(key)) for key in chunk]
                await self._ask(self._client.upsert(self._named(kind, edition), points, wait=True))

    async def _remove(self, episodes: Sequence[str], edition: Edition) -> None:
        gone = rendered((Is(EPISODE, tuple(episodes)),))
        await self._all(
            self._client.delete(self._named(kind, edition), models.FilterSelector(filter=gone), wait=True)
            for kind in KeyKind
        )

    async def _search(
        self, probes: Sequence[Probe], conditions: Conditions, limit: int, edition: Edition
    ) -> list[list[Hit]]:
        if edition.stamp is None:  # words only
            probes = [replace(probe, dense=None) for probe in probes]
        refuse_foreign(probes, edition.stamp)
        kinds = list({probe.kind: None for probe in probes if asks_something(probe)})
        found = await self._all(
            self._client.query_batch_points(
                self._named(kind, edition),
                [
                    _request(probe, conditions, limit)
                    for probe in probes
                    if probe.kind is kind and asks_something(probe)
                ],
            )
            for kind in kinds
        )
        answers = {kind: iter(responses) for kind, responses in zip(kinds, found, strict=True)}
        return [_hits(next(answers[probe.kind]), limit) if asks_something(probe) else [] for probe in probes]

    async def _idf(self, kind: KeyKind, terms: Sequence[int], edition: Edition) -> Mapping[int, float]:
        name = self._named(kind, edition)
        responses, having_words = await asyncio.gather(
            self._ask(self._client.query_batch_points(name, [_one_hit(term) for term in terms])),
            self._ask(self._client.count(name, rendered((Has(WORDS),)), exact=True)),
        )
        unknown = inverse_frequency(having_words.count, 0)
        return {term: _weight(response, term) or unknown for term, response in zip(terms, responses, strict=True)}

    async def _sample(self, kind: KeyKind, language: str, limit: int, edition: Edition) -> Vectors:
        if edition.stamp is None:
            return np.zeros((0, 0), dtype=np.float32)
        response = await self._ask(
            self._client.query_points(
                self._named(kind, edition),
                query=models.SampleQuery(sample=models.Sample.RANDOM),
                query_filter=rendered((Is(LANGUAGE, (language,)), Has(DENSE))),
                limit=limit,
                with_payload=False,
                with_vectors=[DENSE],
            )
        )
        rows = [vectors_of(one)[DENSE] for one in response.points]
        return np.array(rows, dtype=np.float32).reshape(len(rows), edition.stamp.size)

    def _named(self, kind: KeyKind, edition: Edition) -> str:
        return self._collections.named(kind, edition.end)

    async def _asked(self, kind: KeyKind, call: Callable[[str], Awaitable[Result]]) -> Result:
        """What one call says about the collection of this kind."""
        return await self._served(lambda edition: self._ask(call(self._named(kind, edition))))

    async def _served(self, work: Callable[[Edition], Awaitable[Result]]) -> Result:
        """What came of it. Where another bot has made the index anew since this one looked, the work fails, as its
        collections are gone: then it is done once more, with those that count now."""
        if self._edition.stamp is None:  # nothing would fail where only meanings are asked for
            await self.stamp()
        held = self._edition
        try:
            return await work(held)
        except IndexUnavailable:
            await self.stamp()
            if self._edition == held:
                raise
            return await work(self._edition)

    async def _all(self, calls: Iterable[Awaitable[Result]]) -> list[Result]:
        return await asyncio.gather(*map(self._ask, calls))

    async def _ask(self, call: Awaitable[Result]) -> Result:
        return await self._collections.ask(call)


@asynccontextmanager
async def open_server_index(settings: IndexSettings) -> AsyncIterator[ServerIndex]:
    """The index on the configured server; new collections are created. Raises IndexUnavailable."""
    client = AsyncQdrantClient(
        url=settings.url,
        api_key=settings.api_key.get_secret_value() if settings.api_key else None,
        timeout=int(settings.timeout_seconds) + 1,
        check_compatibility=False,  # it would ask before the first call, with no time limit of ours
    )
    try:
        index = ServerIndex(client, settings)
        await index.open()
        yield index
    finally:
        await client.close()


def _request(probe: Probe, conditions: Conditions, limit: int) -> models.QueryRequest:
    words = probe.terms and models.SparseVector(indices=list(probe.terms.ids), values=list(probe.terms.weights))
    dense = None if probe.dense is None else [float(number) for number in probe.dense]
    return models.QueryRequest(
        query=models.NearestQuery(nearest=dense or words),
        using=DENSE if dense else WORDS,
        filter=rendered((*conditions, *in_language(probe.language))),
        params=models.SearchParams(hnsw_ef=max(_SEARCH_WIDTH, 2 * limit)) if dense else None,
        limit=limit,
        with_payload=[POINTER],
    )


def _one_hit(term: int) -> models.QueryRequest:
    return models.QueryRequest(
        query=models.NearestQuery(nearest=models.SparseVector(indices=[term], values=[1.0])),
        using=WORDS,
        limit=1,
        with_vector=[WORDS],
    )


def _hits(response: models.QueryResponse, limit: int) -> list[Hit]:
    return best_first(
        (
            Hit(key=str(one.id), pointer=unpacked((one.payload or {})[POINTER]), score=one.score)
            for one in response.points
        ),
        limit,
    )


def _weight(response: models.QueryResponse, term: int) -> float | None:
    """The IDF of a term, read off the score of its one hit; None when nothing has it."""
    if not response.points:
        return None
    words: Any = vectors_of(response.points[0])[WORDS]
    return float(response.points[0].score / words.values[words.indices.index(term)])
