"""What single values must look like: each function returns the value, or raises ValueError with a sentence."""

from __future__ import annotations

import difflib
import re
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import SecretStr

#: This machine itself.
LOOPBACK = ("127.0.0.1", "::1", "localhost")
#: Teams and channels, older ones of those, and group chats.
_TEAMS_CHANNEL = re.compile(r"19:[A-Za-z0-9_-]{1,200}@thread\.(tacv2|skype|v2)")
_COLLECTION = re.compile(r"[\w.-]{1,60}")
_DATABASES = ("sqlite", "sqlite+aiosqlite", "postgresql", "postgresql+asyncpg")
_CHANNEL_ID = (
    "write the channel's id, as in C0123ABCD; Slack shows it at the end of the channel's About, its name will not do"
)


def collection_name(name: str) -> str:
    """A name of letters, figures, dashes and dots that is easily written."""
    if not _COLLECTION.fullmatch(name):
        raise ValueError("must be 1 to 60 letters, figures, dashes, dots or underscores")
    return name


def time_zone(name: str) -> str:
    """The name of an IANA zone, as in Asia/Tokyo."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = difflib.get_close_matches(name, available_timezones(), n=1)
        example = f"did you mean {near[0]}?" if near else "write one like Asia/Tokyo or UTC."
        raise ValueError(f"must be the name of a time zone; {example}") from None
    return name


def database_address(url: str) -> str:
    """An address of SQLite or PostgreSQL, as SQLAlchemy writes them."""
    scheme, separator, rest = url.partition("://")
    if scheme == "postgres":
        raise ValueError("must begin with postgresql://, in full")
    if not separator or scheme not in _DATABASES:
        raise ValueError("must begin with sqlite:/// (then a file) or postgresql:// (then user:password@host/database)")
    if scheme.startswith("postgresql") and not _split(url).hostname:
        raise ValueError("must name a host, as in postgresql://user:${PASSWORD}@host/database")
    if scheme.startswith("sqlite") and not rest.startswith("/"):
        raise ValueError("must have three slashes and then the file, as in sqlite:///{data}/helpdesk.db")
    return url


def web_address(url: str) -> str:
    """An http or https address with a host."""
    parts = _split(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be a web address that begins with http:// or https://")
    return url


def secure_address(url: str) -> str:
    """An https address; http only where the call does not leave this machine."""
    web_address(url)
    parts = _split(url)
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise ValueError("must begin with https://, since secrets or keys come and go by it")
    return url


def host_name(name: str) -> str:
    """The name of one host, as in smba.trafficmanager.net."""
    if name.startswith("."):
        raise ValueError("must be a host in full, without a dot in front")
    return host_names(name)


def some_hosts(names: tuple[str, ...]) -> tuple[str, ...]:
    """At least one."""
    if not names:
        raise ValueError("must name one host or more")
    return names


def host_names(name: str) -> str:
    """The name of a host; with a dot in front where all below are meant, as in .sharepoint.com."""
    if not re.fullmatch(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*", name):
        raise ValueError("must be the name of a host in small letters, without https:// and path")
    return name


def directory_id(text: str) -> str:
    """An id of Microsoft Entra: of an app, of an organisation."""
    if not re.fullmatch("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        raise ValueError("must be an id as in 0b7e1c2d-1234-4abc-9def-0123456789ab")
    return text


def teams_channel(text: str) -> str:
    """The id of a channel, a group chat or a team in Teams, without a thread."""
    if _TEAMS_CHANNEL.fullmatch(text):
        return text
    near = unquote(text).partition(";")[0]
    meant = _TEAMS_CHANNEL.fullmatch(near)
    hint = f"did you mean {near}?" if meant else "it stands in the link to it that Teams copies"
    raise ValueError(f"must be an id, as in 19:…@thread.tacv2; {hint}")


def slack_place(text: str) -> str:
    """The id of a place in Slack: of a channel, a group or a direct message. A name would match none of them."""
    if not re.fullmatch("[CGD][A-Z0-9]+", text):
        raise ValueError(_CHANNEL_ID)
    return text


def slack_channel(text: str) -> str:
    """The id of a channel or a group in Slack."""
    if not re.fullmatch("[CG][A-Z0-9]+", text):
        raise ValueError(_CHANNEL_ID)
    return text


def slack_workspace(text: str) -> str:
    """The id of a workspace in Slack."""
    if not re.fullmatch("T[A-Z0-9]+", text):
        raise ValueError("write the workspace's id, as in T0123ABCD; its name will not do")
    return text


def slack_bot(text: str) -> str:
    """The id of another bot in Slack (B…), or of the user by which it writes (U…, W…)."""
    if not re.fullmatch("[BUW][A-Z0-9]+", text):
        raise ValueError(
            "write the bot's id, as in B0123ABCD; Slack shows it in the address of the app's page (Manage apps), its "
            "name will not do"
        )
    return text


def begins(token: SecretStr | None, beginning: str, remedy: str) -> SecretStr | None:
    """A token of Slack is known by its beginning; what it is else is not said."""
    if token is not None and not token.get_secret_value().startswith(beginning):
        raise ValueError(f"must begin with {beginning}; {remedy}")
    return token


def model_address(url: str) -> str:
    """The address of an OpenAI-compatible server, up to and without the name of a call."""
    web_address(url)
    for call in ("/chat/completions", "/embeddings"):
        if url.rstrip("/").endswith(call):
            raise ValueError(f"must end before {call}, as in http://127.0.0.1:8080/v1")
    return url


def collection_prefix(name: str) -> str:
    """The beginning of a collection's name on the index server."""
    if not re.fullmatch(r"[a-z0-9_-]+", name):
        raise ValueError("must consist of small letters, digits, - and _")
    return name


def empty_is_none(value: Any) -> Any:
    """An optional secret that comes out empty, as `${KEY:-}` may, is none at all."""
    return None if value == "" else value


def _split(url: str) -> SplitResult:
    """The parts of an address; its port, if it has one, is a number."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ValueError("must be an address; the host or the port is malformed") from None
    return parts
