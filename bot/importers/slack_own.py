"""Which messages of a Slack export are this bot's own: it ran in the workspace whose history is imported."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from bot.importers.slack_archive import Export
from handlers.slack.acts.marks import is_ours
from handlers.slack.fields import ident, inside

#: Stands in all names that our messages carry.
_HINT = b'"helpdesk_'


def own_ids(export: Export) -> frozenset[str]:
    """The ids under which this bot wrote: those of whoever wrote messages that carry the bot's marks. Greetings and
    errors carry none, and are known by these ids."""
    found = (message for message in _hinted(export) if message.get("bot_id") and is_ours(message))
    return frozenset(id_ for message in found for id_ in ids_of(message))


def ids_of(message: Mapping[str, object]) -> frozenset[str]:
    """The ids of who wrote a message: as a user, as a bot, as an app."""
    profile = inside(message, "bot_profile")
    ids = (ident(message, "user"), ident(message, "bot_id"), ident(message, "app_id"), ident(profile, "app_id"))
    return frozenset(one for one in ids if one)


def _hinted(export: Export) -> Iterator[Mapping[str, object]]:
    """The messages of the days in which such a name stands at all, so that most are not parsed twice."""
    for days in export.days.values():
        for day in days:
            try:
                raw = export.content(day)
                found = json.loads(raw) if _HINT in raw else []
            except (ValueError, RecursionError):
                continue  # reported when the day is read for its messages
            yield from (one for one in (found if isinstance(found, list) else []) if isinstance(one, Mapping))
