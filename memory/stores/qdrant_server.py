"""The index of keys on a Qdrant server or cluster: one collection for each kind of key, and one that names the encoder.
Several bots may use it at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import datetime
from json import JSONDecodeError
from typing import Any, TypeVar

import numpy as np
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from config.schema import IndexSettings
from memory.errors import IndexUnavailable
from memory.index_ports import EncoderStamp, Hit, Key, KeyPage, Probe, Vectors
from memory.model import KeyKind, Viewer
from memory.stores.index_rules import asks_something, best_first, in_chunks, inverse_frequency, refuse_foreign
from memory.stores.qdrant_filters import (
    DENSE,
    EPISODE,
    KEYWORDS,
    LANGUAGE,
    POINTER,
    SAID_AT,
    WORDS,
    Conditions,
    Has,
    Is,
    in_language,
    payload,
    readable,
    unpacked,
)
from memory.stores.qdrant_server_models import point, rendered, vectors_of

_STAMP_ID = 1
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
        self._settings = settings
        self._stamp: EncoderStamp | None = None

    async def open(self) -> None:
        """Create what is missing: an empty index of words."""
        for name in (*map(self._collection, KeyKind), self._stamp_collection):
            if not await self._ask(self._client.collection_exists(name)):
                await self._make_missing(name)
        await self.stamp()

    async def put(self, keys: Sequence[Key]) -> None:
        """Write keys; one of the same id is replaced. On the server's disk when this returns. Raises EncoderChanged."""
        refuse_foreign(keys, await self.stamp())
        for kind in KeyKind:
            for chunk in in_chunks([key for key in keys if key.kind is kind]):
                points = [point(key, payload(key)) for key in chunk]
                await self._ask(self._client.upsert(self._collection(kind), points, wait=True))

    async def remove(self, episodes: Sequence[str]) -> None:
        """Remove every key of these episodes."""
        if not episodes:
            return
        gone = rendered((Is(EPISODE, tuple(episodes)),))
        await self._all(
            self._client.delete(self._collection(kind), models.FilterSelector(filter=gone), wait=True)
            for kind in KeyKind
        )

    async def search(self, probes: Sequence[Probe], viewer: Viewer, until: datetime, limit: int) -> list[list[Hit]]:
        """For each probe its best `limit` visible keys, best first. Raises EncoderChanged."""
        if self._stamp is None:  # words only
            probes = [replace(probe, dense=None) for probe in probes]
        refuse_foreign(probes, self._stamp)
        conditions = readable(viewer, until)
        kinds = list({probe.kind: None for probe in probes if asks_something(probe)})
        found = await self._all(
            self._client.query_batch_points(
                self._collection(kind),
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

    async def idf(self, kind: KeyKind, terms: Sequence[int]) -> Mapping[int, float]:
        """How rare each term is, as the server weighs it."""
        if not terms:
            return {}
        name = self._collection(kind)
        responses, having_words = await asyncio.gather(
            self._ask(self._client.query_batch_points(name, [_one_hit(term) for term in terms])),
            self._ask(self._client.count(name, rendered((Has(WORDS),)), exact=True)),
        )
        unknown = inverse_frequency(having_words.count, 0)
        return {term: _weight(response, term) or unknown for term, response in zip(terms, responses, strict=True)}

    async def count(self, kind: KeyKind) -> int:
        """How many keys of this kind there are."""
        return (await self._ask(self._client.count(self._collection(kind), exact=True))).count

    async def sample(self, kind: KeyKind, language: str, limit: int) -> Vectors:
        """Dense vectors of up to `limit` keys of this kind and language, picked at random; shape (n, size)."""
        if self._stamp is None:
            return np.zeros((0, 0), dtype=np.float32)
        response = await self._ask(
            self._client.query_points(
                self._collection(kind),
                query=models.SampleQuery(sample=models.Sample.RANDOM),
                query_filter=rendered((Is(LANGUAGE, (language,)), Has(DENSE))),
                limit=limit,
                with_payload=False,
                with_vectors=[DENSE],
            )
        )
        rows = [vectors_of(one)[DENSE] for one in response.points]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self._stamp.size)

    async def page(self, kind: KeyKind, start: str | None, limit: int) -> KeyPage:
        """Up to `limit` keys of this kind from `start` on."""
        name = self._collection(kind)
        records, beyond = await self._ask(
            self._client.scroll(name, offset=start, limit=limit, with_payload=[POINTER], with_vectors=False)
        )
        pointers = {str(record.id): unpacked((record.payload or {})[POINTER]) for record in records}
        return KeyPage(pointers=pointers, next=None if beyond is None else str(beyond))

    async def known(self, kind: KeyKind, keys: Sequence[str]) -> set[str]:
        """Those of these ids that are keys of this kind."""
        found = await self._ask(
            self._client.retrieve(self._collection(kind), list(keys), with_payload=False, with_vectors=False)
        )
        return {str(record.id) for record in found}

    async def stamp(self) -> EncoderStamp | None:
        """The encoder whose vectors are in here, as the server knows it; None while the index is new."""
        found = await self._ask(self._client.retrieve(self._stamp_collection, [_STAMP_ID], with_payload=True))
        self._stamp = EncoderStamp(**found[0].payload) if found and found[0].payload else None
        return self._stamp

    async def reset(self, stamp: EncoderStamp) -> None:
        """Empty the index and note the encoder. Whoever dies meanwhile leaves an index without a stamp."""
        for name in (self._stamp_collection, *map(self._collection, KeyKind)):
            await self._ask(self._client.delete_collection(name))
        for kind in KeyKind:
            await self._create(self._collection(kind), stamp.size)
        await self._create(self._stamp_collection, 0)
        noted = models.PointStruct(id=_STAMP_ID, vector={}, payload=asdict(stamp))
        await self._ask(self._client.upsert(self._stamp_collection, [noted], wait=True))
        self._stamp = stamp

    @property
    def _stamp_collection(self) -> str:
        return f"{self._settings.prefix}_stamp"

    def _collection(self, kind: KeyKind) -> str:
        return f"{self._settings.prefix}_{kind.value}"

    async def _create(self, name: str, size: int) -> None:
        dense = {DENSE: models.VectorParams(size=size, distance=models.Distance.COSINE)} if size else {}
        words = {WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)}
        await self._ask(self._client.create_collection(name, vectors_config=dense, sparse_vectors_config=words))
        await self._create_fields(name)

    async def _make_missing(self, name: str) -> None:
        """Another bot that starts at the same moment may be first."""
        try:
            await self._create(name, 0)
        except IndexUnavailable:
            if not await self._ask(self._client.collection_exists(name)):
                raise
            await self._create_fields(name)

    async def _create_fields(self, name: str) -> None:
        for field in KEYWORDS:
            await self._ask(self._client.create_payload_index(name, field, models.PayloadSchemaType.KEYWORD))
        await self._ask(self._client.create_payload_index(name, SAID_AT, models.PayloadSchemaType.INTEGER))

    async def _all(self, calls: Iterable[Awaitable[Result]]) -> list[Result]:
        return await asyncio.gather(*map(self._ask, calls))

    async def _ask(self, call: Awaitable[Result]) -> Result:
        """What the server answers, in time."""
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                return await call
        except (ApiException, QdrantException, JSONDecodeError, TimeoutError) as error:
            raise IndexUnavailable(
                f"The Qdrant server at {self._settings.url} did not serve the search index "
                f"({type(error).__name__}); check `index` in the configuration and the server. If its collections are "
                "damaged, `helpdesk jobs run reindex` rebuilds them."
            ) from error


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
