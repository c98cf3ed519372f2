"""How long each stage took."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Stopwatch:
    """Times named stages of one question, in milliseconds of wall time."""

    def __init__(self) -> None:
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time spent inside to the stage of this name."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._stages[name] = self._stages.get(name, 0.0) + (time.perf_counter() - start) * 1000

    def milliseconds(self) -> Mapping[str, float]:
        return {name: round(spent, 2) for name, spent in self._stages.items()}
