"""A circuit breaker: what fails again and again is left alone for a while, then tried once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memory.errors import ModelRefused, ModelReplyUnusable, ModelUnavailable


class Breaker:
    """Counts failures in a row. `now` is seconds on any steady clock."""

    def __init__(self, *, failures: int, seconds: float, now: Callable[[], float]) -> None:
        self._limit = failures
        self._seconds = seconds
        self._now = now
        self._in_a_row = 0
        self._left_alone_until = 0.0
        self._on_trial = False

    def check(self) -> None:
        """Raise ModelUnavailable while calls are not let through."""
        if self._in_a_row < self._limit:
            return
        if self._on_trial or self._now() < self._left_alone_until:
            raise ModelUnavailable(
                f"The language model failed {self._in_a_row} times in a row and is left alone for up to "
                f"{self._seconds:g} seconds; quotes are shown meanwhile."
            )

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Around one call. Raises ModelUnavailable at once while open; one call at a time is let through as a trial.

        An answer of any kind, also a refusal or one that cannot be read, shows that the model is there. Everything else
        is a failure, also being given up on by whoever waits: a model nobody waits for is as good as none.
        """
        self.check()
        trial = self._in_a_row >= self._limit
        self._on_trial = self._on_trial or trial
        try:
            yield
        except (ModelRefused, ModelReplyUnusable):
            self._in_a_row = 0
            raise
        except BaseException:
            self._in_a_row += 1
            self._left_alone_until = self._now() + self._seconds
            raise
        else:
            self._in_a_row = 0
        finally:
            # Calls from before the breaker opened may end during a trial and do not end it.
            if trial:
                self._on_trial = False
