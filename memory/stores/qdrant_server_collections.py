"""The collections of an index on a Qdrant server: one for each kind of key, and one that says which of them count.

A rebuild makes others beside those that are in use, and one write says that they count from now on. Whoever searches
meanwhile finds either all of the old ones or all of the new ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import asdict, dataclass
from json import JSONDecodeError
from typing import TypeVar

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from config.schema import IndexSettings
from memory.errors import IndexUnavailable
from memory.index_ports import EncoderStamp
from memory.model import KeyKind
from memory.stores.qdrant_filters import DENSE, KEYWORDS, SAID_AT, WORDS

_STAMP_ID = 1
#: What a collection's name ends in, by turns: a rebuild makes those that are not in use.
_ENDS = ("", "_b")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The collections that count: what their names end in, and whose vectors are in them; None for words only."""

    end: str = _ENDS[0]
    stamp: EncoderStamp | None = None

    @property
    def other_end(self) -> str:
        return _ENDS[1 - _ENDS.index(self.end)]


class Collections:
    """Makes, names and exchanges them. Every call raises IndexUnavailable when the server cannot be reached, refuses,
    or takes longer than `index.timeout_seconds`."""

    def __init__(self, client: AsyncQdrantClient, settings: IndexSettings) -> None:
        self._client = client
        self._settings = settings

    def named(self, kind: KeyKind, end: str) -> str:
        return f"{self._settings.prefix}_{kind.value}{end}"

    async def edition(self) -> Edition:
        """Which count now, as the server knows it."""
        found = await self.ask(self._client.retrieve(self._stamps, [_STAMP_ID], with_payload=True))
        if not found or not found[0].payload:
            return Edition()
        noted = dict(found[0].payload)
        # Those of earlier versions have no such field.
        end = noted.pop("end", _ENDS[0])
        return Edition(end=end, stamp=EncoderStamp(**noted))

    async def complete(self) -> Edition:
        """Create what is missing: an empty index of words."""
        await self._have(self._stamps)
        edition = await self.edition()
        for kind in KeyKind:
            await self._have(self.named(kind, edition.end))
        # Another bot may have made the index anew meanwhile.
        return await self.edition()

    async def renew(self, stamp: EncoderStamp) -> Edition:
        """Empty collections for vectors of this encoder in place of those that count. Whoever dies meanwhile leaves the
        old ones or the new ones, whole; what lies about then is deleted by the next one."""
        await self._have(self._stamps)
        held = await self.edition()
        await self._delete(held.other_end)
        for kind in KeyKind:
            await self._create(self.named(kind, held.other_end), stamp.size)
        noted = models.PointStruct(id=_STAMP_ID, vector={}, payload={**asdict(stamp), "end": held.other_end})
        await self.ask(self._client.upsert(self._stamps, [noted], wait=True))
        await self._delete(held.end)
        return Edition(end=held.other_end, stamp=stamp)

    async def ask(self, call: Awaitable[Result]) -> Result:
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

    @property
    def _stamps(self) -> str:
        return f"{self._settings.prefix}_stamp"

    async def _delete(self, end: str) -> None:
        for kind in KeyKind:
            await self.ask(self._client.delete_collection(self.named(kind, end)))

    async def _have(self, name: str) -> None:
        """Another bot that starts at the same moment may be first."""
        if await self.ask(self._client.collection_exists(name)):
            return
        try:
            await self._create(name, 0)
        except IndexUnavailable:
            if not await self.ask(self._client.collection_exists(name)):
                raise
            await self._create_fields(name)

    async def _create(self, name: str, size: int) -> None:
        dense = {DENSE: models.VectorParams(size=size, distance=models.Distance.COSINE)} if size else {}
        words = {WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)}
        await self.ask(self._client.create_collection(name, vectors_config=dense, sparse_vectors_config=words))
        await self._create_fields(name)

    async def _create_fields(self, name: str) -> None:
        for field in KEYWORDS:
            await self.ask(self._client.create_payload_index(name, field, models.PayloadSchemaType.KEYWORD))
        await self.ask(self._client.create_payload_index(name, SAID_AT, models.PayloadSchemaType.INTEGER))
