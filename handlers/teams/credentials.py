"""The token by which our app is known to Teams: asked for before it runs out, by one at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import aiohttp
import msal
import requests
import structlog

from memory.errors import PlatformRefused, PlatformUnavailable

log = structlog.get_logger()

_SECONDS = 20.0
#: So long before its end a token is replaced.
_MARGIN_SECONDS = 300.0
#: What the service of a machine answers while it is being set up, or asked too often.
_NOT_NOW = frozenset((404, 410, 429))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A token, and for how many seconds it holds."""

    token: str
    seconds: float


#: Asks for a new token. Raises PlatformRefused and PlatformUnavailable.
Ask: TypeAlias = Callable[[], Awaitable[Grant]]


class Tokens:
    """The token that holds now."""

    def __init__(self, ask: Ask, report: Callable[[str], None]) -> None:
        """`report` is told each time whether we are let in: why not, or nothing where we are."""
        self._ask = ask
        self._report = report
        self._token = ""
        self._until = 0.0
        self._one_at_a_time = asyncio.Lock()

    async def current(self) -> str:
        """Raises PlatformRefused where our credentials are wrong, PlatformUnavailable where nobody says."""
        async with self._one_at_a_time:
            if time.monotonic() >= self._until:
                grant = await self._granted()
                self._token, self._until = grant.token, time.monotonic() + max(0.0, grant.seconds - _MARGIN_SECONDS)
            return self._token

    async def _granted(self) -> Grant:
        try:
            grant = await self._ask()
        except (PlatformRefused, PlatformUnavailable) as error:
            self._report(str(error))
            raise
        self._report("")
        return grant

    def spoilt(self, token: str) -> None:
        """Teams did not take this token, whatever its end says."""
        if token == self._token:
            self._until = 0.0


async def nothing() -> Grant:
    """In development nobody asks who we are."""
    return Grant(token="", seconds=float("inf"))


def by_password(session: aiohttp.ClientSession, *, url: str, app_id: str, password: str, scope: str) -> Ask:
    """Signs in at `url` with the app's client secret."""
    form = {
        "grant_type": "client_credentials",
        "client_id": app_id,
        "client_secret": password,
        "scope": f"{scope}/.default",
    }

    async def ask() -> Grant:
        try:
            async with (
                asyncio.timeout(_SECONDS),
                session.post(url, data=form, allow_redirects=False) as answer,
            ):
                status, said = answer.status, await answer.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise PlatformUnavailable("Microsoft Entra cannot be reached to sign in; see `teams.login_url`.") from error
        if status >= 500 or status == 429:
            raise PlatformUnavailable(f"Microsoft Entra is not itself (status {status}); it is asked again later.")
        return _granted(said)

    return ask


def by_managed_identity(app_id: str, scope: str) -> Ask:
    """The identity that Azure gives to the machine. Its client waits without letting others work, so it does so on
    a thread of its own."""

    def ask_azure() -> Any:
        # A client for each time: it keeps tokens of its own, also those that Teams does not take any more.
        identity = msal.UserAssignedManagedIdentity(client_id=app_id)
        with _Machine() as machine:
            client = msal.ManagedIdentityClient(identity, http_client=machine)
            return client.acquire_token_for_client(resource=scope)

    async def ask() -> Grant:
        try:
            said = await asyncio.to_thread(ask_azure)
        # The client looks for names in whatever it is given, as if it could be nothing but an object.
        except (msal.ManagedIdentityError, requests.RequestException, OSError, ValueError, AttributeError) as error:
            raise PlatformUnavailable(
                "This machine has no managed identity that answers; see `teams.identity`."
            ) from error
        return _granted(said)

    return ask


class _Machine(requests.Session):
    """Speaks to a service of the machine itself: past any proxy, and for so long at most. A status that says nothing of
    the identity is an error; the client would take it for a refusal."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False

    def request(self, *arguments: Any, **named: Any) -> requests.Response:
        answer = super().request(*arguments, **{"timeout": _SECONDS, **named, "allow_redirects": False})
        if answer.status_code in _NOT_NOW or answer.status_code >= 500 or answer.is_redirect:
            raise requests.HTTPError(response=answer)
        return answer


def _granted(said: Any) -> Grant:
    answer = said if isinstance(said, dict) else {}
    token, seconds = answer.get("access_token"), answer.get("expires_in")
    if not isinstance(token, str) or not token:
        code = answer.get("error")
        log.warning("teams_sign_in_refused", error=code if isinstance(code, str) else "unknown")
        raise PlatformRefused(
            "Microsoft Entra refused `teams.app_id` with its secret or identity; check `teams.app_password` (the value "
            "of the secret, which may have expired) and `teams.tenant`."
        )
    return Grant(token=token, seconds=float(seconds) if isinstance(seconds, (int, float, str)) else 0.0)
