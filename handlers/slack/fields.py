"""Single fields of what Slack sends: beside those of any payload, its ids and times."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from handlers.fields import Fields, first, inside, several, string

__all__ = ["Fields", "first", "ident", "inside", "is_timestamp", "moment", "several", "string", "timestamp"]

_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TIMESTAMP = re.compile(r"[0-9]{1,11}\.[0-9]{1,6}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ident(given: Fields, key: str) -> str | None:
    """The id of a person, a channel, a workspace, an app, a file."""
    value = given.get(key)
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


def timestamp(given: Fields, key: str) -> str | None:
    """A time as Slack writes it, "1712345678.000200": also the id of a message in its channel."""
    value = given.get(key)
    return value if isinstance(value, str) and is_timestamp(value) else None


def is_timestamp(value: str) -> bool:
    """Whether this is a time as Slack writes it."""
    return _TIMESTAMP.fullmatch(value) is not None


def moment(at: str) -> datetime:
    """The time that a timestamp stands for, in UTC."""
    seconds, _, fraction = at.partition(".")
    return _EPOCH + timedelta(seconds=int(seconds), microseconds=int(fraction.ljust(6, "0")))


def second(given: Fields, key: str) -> datetime | None:
    """A time as a whole number of seconds since 1970."""
    value = given.get(key)
    return _EPOCH + timedelta(seconds=value) if type(value) is int and 0 <= value < 10**11 else None
