"""What models take, counted where they are called, so that it counts whatever becomes of their replies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from memory.model import TokenUse


class Meter:
    """`spent` is what the calls took that were made while this was open: replies that could not be used included, and
    those whose asker gave up meanwhile. What a server says nothing of, as after a call that was broken off, is in no
    sum."""

    def __init__(self) -> None:
        self.spent = TokenUse()


_OPEN: ContextVar[tuple[Meter, ...]] = ContextVar("open meters", default=())


@contextmanager
def metered() -> Iterator[Meter]:
    """A meter for what is done within, by this task and by those that it starts."""
    meter = Meter()
    before = _OPEN.set((*_OPEN.get(), meter))
    try:
        yield meter
    finally:
        _OPEN.reset(before)


def spend(tokens: TokenUse) -> None:
    """One call took so much. Whoever speaks to a model says so as soon as it has replied."""
    for meter in _OPEN.get():
        meter.spent += tokens
