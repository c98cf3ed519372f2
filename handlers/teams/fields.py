"""Single fields of what Teams sends: beside those of any payload, its ids and times."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from handlers.fields import Fields, inside, several, string

__all__ = ["Fields", "author_zone", "ident", "inside", "moment", "several", "string", "word"]

_ID = re.compile(r"[!#-&(-;=?-\[\]-~]{1,400}")  # printable, without blanks, quotes, backslashes and angle brackets
_WORD = re.compile(r"[\w./+*-]{1,100}", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_YEARS = range(1970, 9000)


def ident(given: Fields, key: str) -> str | None:
    """The id of a person, a bot, a conversation, a message, a team, a tenant."""
    value = given.get(key)
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


def word(given: Fields, key: str) -> str | None:
    """A locale, a reaction, the name of an event, a content type."""
    value = given.get(key)
    return value if isinstance(value, str) and _WORD.fullmatch(value) else None


def moment(given: Fields, key: str) -> datetime | None:
    """A time with its UTC offset, as in 2026-12-01T09:00:00.1234567+09:00."""
    value = given.get(key)
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:  # as in the 31st of June
        return None
    return found if found.year in _YEARS else None


def author_zone(activity: Fields) -> tzinfo:
    """The clock of whoever wrote: its offset in the local time, or the zone that is named; UTC where neither is."""
    local = moment(activity, "localTimestamp")
    if local is not None and local.tzinfo is not None:
        return local.tzinfo
    client = next((one for one in several(activity, "entities") if one.get("type") == "clientInfo"), {})
    named = word(activity, "localTimezone") or word(client, "timezone")
    return _zone(named) if named else UTC


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no such zone, a path out of the folder, a folder
        return UTC
