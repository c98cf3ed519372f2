"""Which questions are asked when not all are."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def choose(items: Sequence[Item], limit: int | None, seed: int | None) -> tuple[Item, ...]:
    """At most `limit` items in their own order: the first ones, or with a `seed` a repeatable sample."""
    if limit is None or limit >= len(items):
        return tuple(items)
    if seed is None:
        return tuple(items[:limit])
    picked = random.Random(seed).sample(range(len(items)), limit)
    return tuple(items[index] for index in sorted(picked))
