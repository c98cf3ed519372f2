"""What every index of keys holds to, whichever engine is below it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from memory.errors import EncoderChanged
from memory.index_ports import EncoderStamp, Hit, Key, Probe

#: Keys in one write: what waits for it waits a few hundredths of a second.
WRITE_AT_ONCE = 200

#: A key, as it is written.
Written = TypeVar("Written")


def refuse_foreign(items: Iterable[Key | Probe], stamp: EncoderStamp | None) -> None:
    """Raise EncoderChanged for a vector of another encoder than the index was made with.

    An index that was never reset to an encoder holds words only.
    """
    size = stamp.size if stamp else 0
    for item in items:
        if item.dense is not None and len(item.dense) != size:
            raise EncoderChanged


def best_first(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """By falling score, equal ones by id, so that a repeated search reads the same."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.key))[:limit]


def asks_something(probe: Probe) -> bool:
    """Whether there is anything to look for: a question may have no words that are indexed."""
    return probe.dense is not None or bool(probe.terms and probe.terms.ids)


def in_chunks(keys: Sequence[Written]) -> Iterable[Sequence[Written]]:
    """The keys in runs of at most `WRITE_AT_ONCE`."""
    return (keys[start : start + WRITE_AT_ONCE] for start in range(0, len(keys), WRITE_AT_ONCE))


def inverse_frequency(total: int, having: int) -> float:
    """How rare a term is that `having` of `total` texts have; as Qdrant's engine weighs it."""
    return math.log(1 + (total - having + 0.5) / (having + 0.5))
