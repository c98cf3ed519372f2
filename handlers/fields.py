"""Single fields of a payload. Whoever sends it: a field of the wrong type is as good as missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: More than any platform allows of anything in a message; no list is read further than this.
_MOST = 1000

Fields = Mapping[str, Any]


def string(given: Fields, key: str) -> str | None:
    """Words that are not blank."""
    value = given.get(key)
    return value if isinstance(value, str) and value.strip() else None


def inside(given: Fields, key: str) -> Fields:
    """The object under `key`, an empty one where there is none."""
    value = given.get(key)
    return value if isinstance(value, Mapping) else {}


def several(given: Fields, key: str) -> Sequence[Fields]:
    """The objects in the list under `key`."""
    value = given.get(key)
    return [one for one in value[:_MOST] if isinstance(one, Mapping)] if isinstance(value, list) else []


def first(given: Fields, key: str) -> Fields:
    """The first object of the list under `key`, an empty one where there is none."""
    return next(iter(several(given, key)), {})
