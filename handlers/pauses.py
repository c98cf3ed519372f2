"""What is owed and fails for now: left alone for longer and longer, and one day given up."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import structlog

log = structlog.get_logger()

#: The second try comes after so long, and each pause is twice as long as the one before, up to the longest.
_FIRST_SECONDS, _LONGEST_SECONDS = 15.0, 300.0
_LASTING_SECONDS = 30 * 24 * 3600.0
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failing:
    """Since when, how long its pause is, and when that is over; in seconds of the clock."""

    since: float
    pause: float
    until: float


class Pauses:
    """The pauses of things that this process owes, by their names. A process that starts tries everything at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: seconds that only ever pass."""
        self._clock = clock
        self._failing: OrderedDict[str, _Failing] = OrderedDict()

    def due(self, name: str) -> bool:
        """Whether it may be tried now."""
        failing = self._failing.get(name)
        return failing is None or self._clock() >= failing.until

    def settled(self, name: str, done: bool) -> bool:
        """Note how a try went. Whether nothing is left to do: it is done, or given up after 30 days."""
        failing = self._failing.pop(name, None)
        if done:
            return True
        now = self._clock()
        if failing is not None and now >= failing.since + _LASTING_SECONDS:
            log.error("owed_given_up", name=name)
            return True
        self._failing[name] = _longer(failing, now)
        if len(self._failing) > _REMEMBERED:
            self._failing.popitem(last=False)
        return False


def _longer(failing: _Failing | None, now: float) -> _Failing:
    since, pause = (now, _FIRST_SECONDS) if failing is None else (failing.since, failing.pause * 2)
    pause = min(pause, _LONGEST_SECONDS)
    return _Failing(since=since, pause=pause, until=now + pause)
