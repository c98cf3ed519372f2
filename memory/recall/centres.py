"""The centre of each language in this memory: measured from time to time on a sample, never per question."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta

from memory.index_ports import Centre, Encoder, KeyIndex
from memory.model import KeyKind
from memory.recall.calibration import leaned

_SAMPLE = 400
_FRESH = timedelta(minutes=10)


class MemoryCentres:
    """Centres of the encoder's languages, leaning towards what this memory holds."""

    def __init__(self, encoder: Encoder, index: KeyIndex) -> None:
        self._encoder = encoder
        self._index = index
        self._measured: Mapping[str, Centre] = {}
        self._measured_at: datetime | None = None
        self._lock = asyncio.Lock()

    async def at(self, now: datetime) -> Mapping[str, Centre]:
        """The centres, at most ten minutes old. Raises EncoderUnavailable and IndexUnavailable."""
        async with self._lock:
            if self._measured_at is None or abs(now - self._measured_at) > _FRESH:
                self._measured = await self._measure()
                self._measured_at = now
            return self._measured

    async def _measure(self) -> Mapping[str, Centre]:
        priors = await self._encoder.centres()
        samples = await asyncio.gather(*(self._index.sample(KeyKind.TURN, name, _SAMPLE) for name in priors))
        return {name: leaned(prior, sample) for (name, prior), sample in zip(priors.items(), samples, strict=True)}
