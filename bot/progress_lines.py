"""Progress where nobody watches a bar: in a file or a pipe, a plain line now and then."""

from __future__ import annotations

from collections.abc import Callable

from bot.telling import Step

#: Work that is done sooner needs no word.
_SECONDS = 5.0
#: At most so many lines for one piece of work, where it is known how much of it there is.
_LINES = 10


class ProgressLines:
    """Has a line shown when another tenth of some work is done, and where nobody knows how much work there is, of how
    much is done; never two within a few seconds. `clock` counts seconds."""

    def __init__(self, show: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._show = show
        self._clock = clock
        self._shown_at = clock()
        self._share: dict[str, int] = {}

    def told(self, step: Step) -> None:
        """A step that was told, which may be worth a line."""
        share = _LINES * step.done // step.total if step.total else None
        if self._clock() - self._shown_at < _SECONDS or (share is not None and share <= self._share.get(step.what, 0)):
            return
        self._share[step.what] = share or 0
        self._shown_at = self._clock()
        self._show(_line(step))


def _line(step: Step) -> str:
    if not step.total:
        return f"{step.what}: {step.done:,}"
    return f"{step.what}: {step.done:,} of {step.total:,} ({100 * step.done // step.total} %)"
