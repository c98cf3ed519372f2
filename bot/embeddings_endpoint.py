"""Encoders behind an OpenAI-compatible `/embeddings`. The reply is read without trust: servers ignore the format that
was asked for, leave rows out or mix them up."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Sequence
from typing import Any

import numpy as np
import openai
from pydantic import BaseModel, Field, ValidationError

from config.schema import EmbeddingSettings
from memory.errors import EncoderUnavailable
from memory.index_ports import Vector, Vectors

_CONNECT_SECONDS = 5.0
_RETRIES = 2
#: Requests under way at once.
_AT_ONCE = 4
#: Servers answer with one of these to a text that is longer than their model reads.
_TOO_LONG = (400, 413, 422, 500)
#: Then only the beginnings are sent: this is under 512 tokens in any language.
_SHORT_CHARACTERS = 400


class _Row(BaseModel):
    index: int
    embedding: list[float] | str


class _Rows(BaseModel):
    data: list[_Row] = Field(min_length=1)


class EndpointModel:
    """`embeddings.model` at `embeddings.base_url`; with the configured prefixes."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.name = f"endpoint/{settings.model}"
        self._settings = settings
        self._places = asyncio.Semaphore(_AT_ONCE)
        seconds = settings.timeout_seconds
        self._client = openai.AsyncOpenAI(
            base_url=settings.base_url,
            # Local servers want no key, but the client insists on one, and would else take one from the environment.
            api_key=settings.api_key.get_secret_value() if settings.api_key else "none",
            max_retries=_RETRIES,
            timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
        )

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found, within `embeddings.timeout_seconds`. Raises EncoderUnavailable."""
        return await self._embed(self._settings.passage_prefix, texts)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that ask, within `embeddings.timeout_seconds`. Raises EncoderUnavailable."""
        return await self._embed(self._settings.query_prefix, texts)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _embed(self, prefix: str, texts: Sequence[str]) -> Vectors:
        try:
            async with asyncio.timeout(self._settings.timeout_seconds), self._places:
                return await self._ask_shorter(prefix, texts)
        except TimeoutError as error:
            raise self._unavailable(f"did not answer within {self._settings.timeout_seconds:g} s") from error
        except openai.APIStatusError as error:
            raise self._unavailable(f"refused the request (HTTP {error.status_code})") from error
        except openai.OpenAIError as error:
            raise self._unavailable("cannot be reached") from error

    async def _ask_shorter(self, prefix: str, texts: Sequence[str]) -> Vectors:
        """Ask, and once more with the beginnings alone where a long text may have been refused."""
        try:
            return await self._ask([prefix + text for text in texts])
        except openai.APIStatusError as error:
            longest = max(len(text) for text in texts)
            if error.status_code not in _TOO_LONG or longest <= _SHORT_CHARACTERS:
                raise
        return await self._ask([prefix + text[:_SHORT_CHARACTERS] for text in texts])

    async def _ask(self, texts: list[str]) -> Vectors:
        response = await self._client.embeddings.with_raw_response.create(
            model=self._settings.model, input=texts, encoding_format="float"
        )
        try:
            return _read(response.content, len(texts))
        except (ValidationError, ValueError) as error:
            raise self._unavailable("answered with something that is no list of vectors") from error

    def _unavailable(self, what: str) -> EncoderUnavailable:
        return EncoderUnavailable(
            f"The embedding endpoint at {self._settings.base_url} {what}; check `embeddings` in the configuration and "
            "the server. Search by words still works."
        )


def _read(content: bytes, count: int) -> Vectors:
    """The rows in the order of the texts. Raises ValueError unless each text has one, all of the same size."""
    rows = sorted(_Rows.model_validate_json(content).data, key=lambda row: row.index)
    if [row.index for row in rows] != list(range(count)):
        raise ValueError(f"rows are numbered otherwise than 0 to {count - 1}")
    return np.stack([_vector(row.embedding) for row in rows])


def _vector(embedding: Any) -> Vector:
    if not isinstance(embedding, str):
        return np.asarray(embedding, dtype=np.float32)
    try:
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    except binascii.Error as error:
        raise ValueError("an embedding is neither numbers nor base64") from error
