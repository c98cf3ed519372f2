"""An encoder without a model: texts that share runs of characters lie near each other. For tests and for trying things
out; it knows nothing of meaning."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from memory.index_ports import Centre, EncoderStamp, Vector, Vectors
from memory.stores.encoder_probes import NEUTRAL, PROBES, fingerprint

_RUNS = (2, 3)


class HashingEncoder:
    """An `Encoder` that counts character pairs and triples, hashed into `size` numbers; the same on every machine."""

    def __init__(self, size: int = 256) -> None:
        self._size = size

    async def stamp(self) -> EncoderStamp:
        """Known without measuring anything but its own arithmetic."""
        return EncoderStamp(name="hashing", size=self._size, fingerprint=fingerprint(self._rows(PROBES)))

    async def centres(self) -> Mapping[str, Centre]:
        """Means of the same neutral sentences as for every encoder."""
        means = {name: self._rows(sentences).mean(axis=0) for name, sentences in NEUTRAL.items()}
        return {name: Centre(question=mean, passage=mean) for name, mean in means.items()}

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors; shape (len(texts), size)."""
        return self._rows(texts)

    async def question(self, text: str) -> Vector:
        """A unit vector; shape (size,)."""
        return self._row(text)

    def _rows(self, texts: Sequence[str]) -> Vectors:
        return np.array([self._row(text) for text in texts], dtype=np.float32).reshape(len(texts), self._size)

    def _row(self, text: str) -> Vector:
        counts = np.zeros(self._size, dtype=np.float32)
        words = f" {' '.join(unicodedata.normalize('NFKC', text).casefold().split()) or '-'} "
        for length in _RUNS:
            for start in range(len(words) - length + 1):
                counts[zlib.crc32(words[start : start + length].encode("utf-8", "replace")) % self._size] += 1
        row: Vector = np.sqrt(counts)
        return row / np.linalg.norm(row)
