"""Who and what a Slack export is about: its people, its rooms, and who may read each room."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.importers.slack_archive import Export
from memory.errors import InputRefused
from memory.model import DIRECT, Visibility

Entry = Mapping[str, object]
_USERS = ("users.json", "org_users.json")
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One channel or direct message: `channel` is its id, by which a running bot knows it too, `name` what colleagues
    call it, None where it has no name. `thread` names the conversation of what is said outside of threads."""

    folder: str
    channel: str
    thread: str
    visibility: Visibility
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A user: `id` is that by which a running bot knows the person too, `name` is what colleagues see, `zone` is where
    the user's dates are meant."""

    id: str
    name: str
    zone: tzinfo
    bot: bool


def people(export: Export, default_zone: tzinfo) -> dict[str, Person]:
    """Users by id; empty when the export has no list of them."""
    found = (_person(entry, default_zone) for name in _USERS for entry in _entries(export, name))
    return {person.id: person for person in found}


def _person(entry: Entry, default_zone: tzinfo) -> Person:
    profile = entry.get("profile")
    shown = [profile.get(key) for key in ("display_name", "real_name")] if isinstance(profile, Mapping) else []
    id_ = str(entry.get("id"))
    name = str(next((one for one in (*shown, entry.get("real_name"), entry.get("name")) if one), id_))
    return Person(id=id_, name=name, zone=_zone(entry, default_zone), bot=bool(entry.get("is_bot")))


def _zone(entry: Entry, default_zone: tzinfo) -> tzinfo:
    try:
        return ZoneInfo(str(entry.get("tz") or ""))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        offset = entry.get("tz_offset")
        known = isinstance(offset, int) and abs(timedelta(seconds=offset)) < _DAY
        return timezone(timedelta(seconds=offset)) if known and isinstance(offset, int) else default_zone


def rooms(export: Export) -> Iterator[Room]:
    """Every conversation that the export's lists name, whether or not anything was said in it."""
    for entry in _entries(export, "channels.json"):
        yield _channel(entry, Visibility.CHANNEL if entry.get("is_private") else Visibility.EVERYONE)
    for entry in _entries(export, "groups.json"):
        yield _channel(entry, Visibility.CHANNEL)
    for entry in _entries(export, "mpims.json"):
        # Its name is made of everybody's, and nobody reads it.
        yield replace(_channel(entry, Visibility.CHANNEL), name=None)
    for entry in _entries(export, "dms.json"):
        folder = str(entry.get("id"))
        yield Room(folder=folder, channel=DIRECT, thread=folder, visibility=Visibility.PRIVATE)


def _channel(entry: Entry, visibility: Visibility) -> Room:
    name = unicodedata.normalize("NFC", str(entry.get("name") or entry.get("id")))
    return Room(folder=name, channel=str(entry.get("id") or name), thread=name, visibility=visibility, name=name)


def channel_names(export: Export) -> dict[str, str]:
    """Names of channels by id, for the mentions in texts."""
    found = (entry for name in ("channels.json", "groups.json") for entry in _entries(export, name))
    return {str(entry.get("id")): str(entry.get("name")) for entry in found if entry.get("name")}


def _entries(export: Export, name: str) -> Sequence[Entry]:
    """The entries of one of the export's lists; none when it is not in the export. Raises InputRefused."""
    if name not in export.lists:
        return []
    try:
        found = json.loads(export.content(export.lists[name]))
    except (ValueError, RecursionError) as error:
        raise InputRefused(f"{export.path}: {name} cannot be read ({error}); fetch the export again.") from error
    if not isinstance(found, list) or not all(isinstance(entry, Mapping) for entry in found):
        raise InputRefused(f"{export.path}: {name} is not a list of objects; is this a Slack export?")
    return found
