"""Single fields of a payload. Whoever sends it: a field of the wrong type is as good as missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TIMESTAMP = re.compile(r"[0-9]{1,11}\.[0-9]{1,6}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Slack allows ten files and fifty blocks in a message; no list is read further than this.
_MOST = 1000

Fields = Mapping[str, Any]


def string(given: Fields, key: str) -> str | None:
    """Words that are not blank."""
    value = given.get(key)
    return value if isinstance(value, str) and value.strip() else None


def ident(given: Fields, key: str) -> str | None:
    """The id of a person, a channel, a workspace, an app, a file."""
    value = given.get(key)
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


def timestamp(given: Fields, key: str) -> str | None:
    """A time as Slack writes it, "1712345678.000200": also the id of a message in its channel."""
    value = given.get(key)
    return value if isinstance(value, str) and _TIMESTAMP.fullmatch(value) else None


def moment(at: str) -> datetime:
    """The time that a timestamp stands for, in UTC."""
    seconds, _, fraction = at.partition(".")
    return _EPOCH + timedelta(seconds=int(seconds), microseconds=int(fraction.ljust(6, "0")))


def second(given: Fields, key: str) -> datetime | None:
    """A time as a whole number of seconds since 1970."""
    value = given.get(key)
    return _EPOCH + timedelta(seconds=value) if type(value) is int and 0 <= value < 10**11 else None


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
