"""One call to Teams: signed, to a known host, within a time, and never repeated where it may have arrived."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass

import aiohttp
import structlog
from aiohttp.helpers import get_env_proxy_for_url
from yarl import URL

from handlers.teams.credentials import Tokens
from handlers.teams.fields import ident
from handlers.teams.hosts import is_local, is_service
from memory.errors import DeliveryUnknown, MessageRefused, PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

#: How long one try may take, and all together with the waits that Teams asks for.
_SECONDS, _ALTOGETHER_SECONDS = 30.0, 120.0
_TRIES = 5
_LONGEST_WAIT_SECONDS = 60.0
#: Of an answer nothing but an id is read.
_MOST_BYTES = 100_000
_TOO_MANY, _NOT_KNOWN = 429, 401
#: Nothing is ever done about such a call there.
_NEVER = 501
#: Teams took the call, or may have: what was to be made may be there.
_UNCLEAR = frozenset((408, 412))
#: What the message says, or how long it is, was not to Teams' liking.
_THIS_MESSAGE = frozenset((400, 413, 415, 422))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Teams took the call; `id` is that of the message, None where Teams does not tell one that can be read."""

    id: str | None


class Delivery:
    """Sends to hosts that are on the list when it is sent, whatever was on it when the address was told."""

    def __init__(self, session: aiohttp.ClientSession, tokens: Tokens, hosts: Collection[str]) -> None:
        """`session` does not look into the environment: through which proxy each host is called is found here, once.
        For every call it would read a file of passwords, on another thread, and might want to sign in by one."""
        self._session = session
        self._tokens = tokens
        self._hosts = frozenset(hosts)
        self._ways = {host: _way_to(host) for host in self._hosts}

    async def send(self, method: str, url: str, content: Mapping[str, object]) -> Reply:
        """Make one call, without a body where there is no content. Only a call that Teams put off (429), or whose token
        it did not know, is made again.

        Raises DeliveryUnknown where it may have arrived, PlatformRefused where it will never be taken (MessageRefused
        where another message may be), and PlatformUnavailable where it did not arrive and may later.
        """
        body = json.dumps(content, ensure_ascii=False).encode() if content else b""
        try:
            async with asyncio.timeout(_ALTOGETHER_SECONDS):
                for _ in range(_TRIES):
                    token = await self._token()
                    reply, wait = await self._try(method, url, body, token)
                    if reply is not None:
                        return reply
                    if wait is None:
                        self._tokens.spoilt(token)
                    await asyncio.sleep(wait or 0.0)
        except TimeoutError as error:
            # Each try has its own limit, so that this one passed while waiting between them.
            raise PlatformUnavailable("Teams asked to wait for longer than an answer can.") from error
        raise PlatformUnavailable("Teams puts off every call, or does not know our token.")

    async def _token(self) -> str:
        """Wrong credentials are the administrator's to mend; until then what is to be sent waits."""
        try:
            return await self._tokens.current()
        except PlatformRefused as error:
            raise PlatformUnavailable(str(error)) from error

    async def _try(self, method: str, url: str, body: bytes, token: str) -> tuple[Reply | None, float | None]:
        """The reply, or for how many seconds to wait; neither where the token was not known."""
        if not is_service(url, self._hosts):
            log.error("teams_foreign_host")
            raise PlatformRefused("The address of a conversation is not one of `teams.service_hosts`.")
        try:
            async with asyncio.timeout(_SECONDS), self._called(method, URL(url), body, token) as answer:
                said = await _read(answer)
        except aiohttp.ClientConnectorError as error:
            raise PlatformUnavailable from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise DeliveryUnknown from error
        return _judged(answer.status, said, answer.headers.get("Retry-After", ""))

    def _called(
        self, method: str, url: URL, body: bytes, token: str
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        headers = {"Content-Type": "application/json; charset=utf-8"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        proxy, proxy_auth = self._ways[url.host or ""]
        return self._session.request(
            method, url, data=body, headers=headers, allow_redirects=False, proxy=proxy, proxy_auth=proxy_auth
        )


def _way_to(host: str) -> tuple[URL | None, aiohttp.BasicAuth | None]:
    """The proxy that the environment names for this host, if any, and how the bot is known there."""
    with suppress(LookupError):
        return get_env_proxy_for_url(URL.build(scheme="http" if is_local(host) else "https", host=host))
    return None, None


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    """The body, however many pieces it comes in. Where it breaks off, what the status says holds still."""
    said = bytearray()
    try:
        while len(said) < _MOST_BYTES and (piece := await answer.content.read(_MOST_BYTES - len(said))):
            said += piece
    except aiohttp.ClientError as error:
        log.warning("teams_reply_cut", status=answer.status, error=type(error).__name__)
    return bytes(said)


def _id(said: bytes) -> str | None:
    """The message is there, whatever its confirmation looks like (a proxy's page, another form than agreed)."""
    if not said:
        return None
    try:
        confirmed = json.loads(said)
    except (ValueError, RecursionError) as error:
        log.warning("teams_confirmation_unread", error=type(error).__name__)
        return None
    return ident(confirmed, "id") if isinstance(confirmed, dict) else None


def _judged(status: int, said: bytes, retry_after: str) -> tuple[Reply | None, float | None]:
    if status < 300:
        return Reply(id=_id(said)), None
    if status == _TOO_MANY:
        return None, min(float(retry_after), _LONGEST_WAIT_SECONDS) if retry_after.isdecimal() else 1.0
    if status == _NOT_KNOWN:
        return None, None
    log.warning("teams_call_refused", status=status)
    if (status >= 500 and status != _NEVER) or status in _UNCLEAR:
        raise DeliveryUnknown
    if status in _THIS_MESSAGE:
        raise MessageRefused
    raise PlatformRefused(f"Teams refused a message (status {status}); the bot may have been removed from there.")
