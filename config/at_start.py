"""Which settings count only when a process starts; all others count as soon as the file has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from config.problems import SettingPath, dotted
from config.schema import Settings
from config.strict import Strict

#: What is opened once: stores with what is taken out of words, the encoder, the knowledge base, the tracker, ports,
#: connections, and as whom the bot signs in.
AT_START: tuple[SettingPath, ...] = (
    ("store",),
    ("index",),
    ("embeddings",),
    ("web",),
    ("log",),
    ("redaction",),
    ("knowledge",),
    ("tickets", "tracker"),
    *(
        ("slack", name)
        for name in (
            "transport",
            "bot_token",
            "app_token",
            "signing_secret",
            "client_id",
            "client_secret",
            "installation_key",
            "api_url",
            "answers_at_once",
            "silence_minutes",
        )
    ),
    *(
        ("teams", name)
        for name in (
            "app_id",
            "tenant",
            "identity",
            "app_password",
            "development",
            "service_hosts",
            "file_hosts",
            "login_url",
            "openid_url",
            "issuer",
            "scope",
            "answers_at_once",
        )
    ),
)
#: Whether these are there at all.
_PLATFORMS = ("slack", "teams")


def taken_over(now: Settings, given: Settings) -> tuple[Settings, tuple[str, ...]]:
    """What `given` makes of a process that runs with `now`: the settings from now on, and the names of those that were
    left as they are, since they need a restart."""
    settings, left = given, list[str]()
    for name in _PLATFORMS:
        if (getattr(now, name) is None) != (getattr(given, name) is None):
            settings = settings.model_copy(update={name: getattr(now, name)})
            left.append(name)
    for path in AT_START:
        if path[0] not in left and _at(settings, path) != _at(now, path):
            left += map(dotted, _differing(_at(now, path), _at(settings, path), path))
            settings = _with(settings, path, _at(now, path))
    return settings, tuple(left)


def _differing(one: object, other: object, path: SettingPath) -> Iterator[SettingPath]:
    """The settings at and below `path` that are not the same."""
    if isinstance(one, Strict) and isinstance(other, Strict):
        for name in type(one).model_fields:
            yield from _differing(getattr(one, name), getattr(other, name), (*path, name))
    elif one != other:
        yield path


def _at(settings: Settings, path: SettingPath) -> Any:
    value: Any = settings
    for name in path:
        value = getattr(value, str(name)) if value is not None else None
    return value


def _with(settings: Settings, path: SettingPath, value: object) -> Settings:
    if len(path) == 1:
        return settings.model_copy(update={str(path[0]): value})
    branch, name = path
    return settings.model_copy(update={str(branch): _at(settings, (branch,)).model_copy(update={str(name): value})})
