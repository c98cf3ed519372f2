"""The keys with which Teams signs its calls, fetched when they are needed and kept for a day."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import jwt
import structlog

from memory.errors import PlatformUnavailable

log = structlog.get_logger()

_FRESH_SECONDS = 86_400.0
#: However many unknown keys are named, the server is not asked more often.
_PATIENCE_SECONDS = 60.0
#: After a failure.
_RETRY_SECONDS = 5.0
_SECONDS = 10.0
_MOST_BYTES = 1_000_000
_MOST_KEYS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A public key of the signer, and the channels for which it may sign (none: for all)."""

    public: Any
    endorsements: frozenset[str]


class Keys:
    """The signer's keys by id, from the OpenID metadata at `url`."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session = session
        self._url = url
        self._keys: Mapping[str, Key] = {}
        self._fetched: float | None = None
        self._not_before = 0.0
        self._failed = False
        self._one_at_a_time = asyncio.Lock()

    async def of(self, id: str) -> Key | None:
        """The key of this id; None where the signer has none of it. Raises PlatformUnavailable where the signer's
        keys cannot be had."""
        async with self._one_at_a_time:
            now = time.monotonic()
            stale = self._fetched is None or now - self._fetched > _FRESH_SECONDS
            if (stale or id not in self._keys) and now >= self._not_before:
                await self._fetch(now)
            if id not in self._keys and (self._failed or self._fetched is None):
                raise PlatformUnavailable("The keys of the Bot Framework cannot be fetched; see `teams.openid_url`.")
            return self._keys.get(id)

    async def _fetch(self, now: float) -> None:
        """Old keys stay where new ones cannot be had."""
        try:
            async with asyncio.timeout(_SECONDS):
                named = self._at_same_host((await self._json(self._url)).get("jwks_uri"))
                self._keys = _keys_in((await self._json(named)).get("keys"))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, RecursionError) as error:
            log.warning("teams_keys_not_fetched", error=type(error).__name__)
            self._not_before, self._failed = now + _RETRY_SECONDS, True
            return
        self._fetched, self._not_before, self._failed = now, now + _PATIENCE_SECONDS, False

    async def _json(self, url: str) -> Mapping[str, Any]:
        async with self._session.get(url, allow_redirects=False) as answer:
            answer.raise_for_status()
            if (answer.content_length or 0) > _MOST_BYTES:
                raise ValueError("too large")
            found = await answer.json(content_type=None)
        if answer.status != 200 or not isinstance(found, dict):
            raise ValueError("no object")
        return found

    def _at_same_host(self, named: object) -> str:
        """The address where it is a text, and the metadata's host would vouch for it. Raises ValueError."""
        ours, theirs = urlsplit(self._url), urlsplit(named if isinstance(named, str) else "")
        if (ours.scheme, ours.netloc) != (theirs.scheme, theirs.netloc):
            raise ValueError("the keys are said to be elsewhere")
        return str(named)


def _keys_in(given: object) -> Mapping[str, Key]:
    rows = given if isinstance(given, Sequence) and not isinstance(given, str) else ()
    found: dict[str, Key] = {}
    for row in rows[:_MOST_KEYS]:
        if isinstance(row, dict) and row.get("kty") == "RSA" and isinstance(row.get("kid"), str):
            try:
                public = jwt.PyJWK(row, algorithm="RS256").key
            except jwt.PyJWTError as error:
                log.warning("teams_key_unreadable", error=type(error).__name__)
                continue
            endorsed = row.get("endorsements")
            endorsements = frozenset(one for one in endorsed if isinstance(one, str)) if endorsed else frozenset()
            found[row["kid"]] = Key(public=public, endorsements=endorsements)
    return found
