"""What a library finds in the environment: only what it is meant to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def without_variables(names: Sequence[str]) -> Iterator[None]:
    """Hide these variables of the process while the context is open, which must not wait for anything."""
    hidden = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)
