"""Which part of the program somebody waits for, measured at the ports."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any


class Waits:
    """When each part was waited for, as (part, from, to) in seconds."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self._spans: list[tuple[str, float, float]] = []

    def clear(self) -> None:
        self._spans.clear()

    def note(self, part: str, start: float) -> None:
        self._spans.append((part, start, self.now()))

    def seconds(self, *parts: str) -> float:
        """How long any of these parts was waited for; what runs at the same time counts once. All parts if none is
        named."""
        return _length((start, end) for part, start, end in self._spans if part in parts or not parts)


def _length(spans: Iterable[tuple[float, float]]) -> float:
    """The length of the union of these intervals."""
    total, reached = 0.0, 0.0
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


class Watched:
    """Any port, with the waits for its methods noted; `part` names the part that a method belongs to."""

    def __init__(self, inner: Any, waits: Waits, part: Callable[[str], str]) -> None:
        self._inner = inner
        self._waits = waits
        self._part = part

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method: Callable[..., Awaitable[Any]] = getattr(self._inner, name)

        async def watched(*arguments: Any, **named: Any) -> Any:
            start = self._waits.now()
            try:
                return await method(*arguments, **named)
            finally:
                self._waits.note(self._part(name), start)

        return watched
