"""The scopes that the bot asks for, and why: the table behind the check at the start, the manifest and the docs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_HEAR = (
    "to hear replies in threads, edits and deletions, to read a thread that it is called into, and to see whether an "
    "answer stands there already"
)
_READERS = "to know who may read a channel, and who left one while the bot was not running"

#: Where an administrator grants one.
ADD = (
    "add `{scope}` at api.slack.com/apps (your app, OAuth & Permissions, Bot Token Scopes), reinstall the app to the "
    "workspace, and start again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A permission by Slack's name, and what it is for; without a `vital` one the bot cannot work at all."""

    name: str
    why: str
    vital: bool = False


SCOPES = (
    Scope(name="app_mentions:read", why="to hear mentions", vital=True),
    Scope(name="assistant:write", why="to show the status in direct messages, and what can be asked there"),
    Scope(name="channels:history", why=_HEAR),
    Scope(name="groups:history", why=_HEAR),
    Scope(name="im:history", why=_HEAR),
    Scope(name="mpim:history", why=_HEAR),
    Scope(name="channels:read", why=_READERS),
    Scope(name="groups:read", why=_READERS),
    Scope(name="im:read", why=_READERS),
    Scope(name="mpim:read", why=_READERS),
    Scope(name="chat:write", why="to answer", vital=True),
    Scope(name="commands", why="to offer the command and the shortcuts"),
    Scope(name="reactions:write", why="to mark a message as seen"),
    # Without it everybody counts as a guest, who is told next to nothing.
    Scope(
        name="users:read",
        why='to know names behind ids, the time zone behind "yesterday", and who is a guest',
        vital=True,
    ),
    Scope(name="files:read", why="to read attached text files"),
    Scope(name="files:write", why="to put a picture into the weekly report"),
    Scope(name="metadata.message:read", why="to find its own answers again after a crash"),
)


def missing(granted: Iterable[str]) -> tuple[Scope, ...]:
    """Those that were not granted; the vital ones first."""
    held = frozenset(granted)
    return tuple(sorted((scope for scope in SCOPES if scope.name not in held), key=lambda scope: not scope.vital))


def cost(lacking: Iterable[str]) -> str:
    """What an administrator is told about missing scopes, in one line; empty where none is."""
    names = sorted(lacking)
    return f"Slack did not grant {', '.join(names)}; docs/slack.md says what each is for." if names else ""
