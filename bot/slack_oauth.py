"""How others install the app in their workspaces: a page that leads to Slack, and one to which Slack leads back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlencode, urljoin

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.slack_client import client_of, preflight, quiet
from bot.slack_vault import STATE_LIFE, VaultInstallations, VaultStates, seal_of
from bot.slack_workspaces import HOME, LACKING
from config.slack import SlackSettings
from handlers.slack.faults import code_of
from handlers.slack.installations import Installation as Here
from handlers.slack.scopes import SCOPES
from handlers.wording_install import Outcome, page
from memory.errors import HelpdeskError, PlatformRefused
from memory.ports import Clock
from memory.vault import Vault

log = structlog.get_logger()

INSTALL, RETURN = "/slack/install", "/slack/oauth_redirect"

#: Of our pages: there is nothing in them but words.
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'",
    "Cache-Control": "no-store",
}
#: How Slack says that somebody did not want to.
_DECLINED = "access_denied"

_Step = Callable[[AsyncBoltRequest], Awaitable[BoltResponse]]


def installation_routes(
    settings: SlackSettings, stored: VaultInstallations, vault: Vault, clock: Clock
) -> Sequence[web.RouteDef]:
    """The two pages. What goes wrong on the way is told in plain words; the log says why."""
    states = VaultStates(vault, seal_of(settings), clock)
    flow = _Flow(settings, stored, states)
    return [web.get(INSTALL, _page(flow.handle_installation)), web.get(RETURN, _page(flow.handle_callback))]


class _Flow(AsyncOAuthFlow):
    """The kit's flow, without what it would take from elsewhere; whether a token will do is found out before it is
    kept."""

    def __init__(self, settings: SlackSettings, stored: VaultInstallations, states: VaultStates) -> None:
        secret = settings.client_secret
        super().__init__(
            client=client_of(settings, None),
            logger=quiet(),
            settings=AsyncOAuthSettings(
                client_id=settings.client_id,
                client_secret=secret.get_secret_value() if secret else "",
                scopes=[scope.name for scope in SCOPES],
                user_scopes=[],
                install_path=INSTALL,
                redirect_uri_path=RETURN,
                install_page_rendering_enabled=False,
                authorization_url=urljoin(settings.api_url, "/oauth/v2/authorize"),
                callback_options=AsyncCallbackOptions(success=_installed, failure=_failed),
                installation_store=stored,
                state_store=states,
                state_expiration_seconds=int(STATE_LIFE.total_seconds()),
                logger=quiet(),
            ),
        )
        self._configured = settings

    async def build_authorize_url(self, state: str, request: AsyncBoltRequest) -> str:
        """Of the configuration alone: the kit's takes words from the request into it, and from the environment."""
        asked = {"client_id": self.client_id, "scope": ",".join(self.settings.scopes or ()), "state": state}
        return f"{self.settings.authorization_url}?{urlencode(asked)}"

    async def run_installation(self, code: str) -> Installation | None:
        """Exchange the code, and see that the token will do. None where Slack does not know the code.

        In place of the kit's, which hands over the secret in a way that its HTTP library is giving up. Raises
        PlatformRefused and PlatformUnavailable, SlackClientError.
        """
        settings = self.settings
        proof = {"client_id": settings.client_id, "client_secret": settings.client_secret, "code": code}
        try:
            said = await self.client.api_call("oauth.v2.access", data=proof)
        except SlackApiError as error:
            log.warning("slack_code_refused", error=code_of(error))
            return None
        token = said.get("access_token")
        if token is None or said.get("refresh_token") is not None:
            raise PlatformRefused("Slack gave no lasting bot token; switch token rotation off in the app's settings.")
        return _installation(said, await preflight(client_of(self._configured, token)))


def _installation(said: AsyncSlackResponse, here: Here) -> Installation:
    """The kit's record of what Slack answered to a code, and of what it says about the token."""
    return Installation(
        app_id=said.get("app_id"),
        enterprise_id=(said.get("enterprise") or {}).get("id"),
        team_id=(said.get("team") or {}).get("id"),
        bot_token=said.get("access_token"),
        bot_id=here.me.bot,
        bot_user_id=said.get("bot_user_id"),
        bot_scopes=str(said.get("scope") or ""),
        user_id=str((said.get("authed_user") or {}).get("id")),
        is_enterprise_install=said.get("is_enterprise_install"),
        custom_values={HOME: here.home, LACKING: list(here.lacking)},
    )


def _page(step: _Step) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            said = await step(await to_bolt_request(request))
        except (HelpdeskError, SlackClientError, OSError, TimeoutError) as error:
            # Only our own sentences: those of others may hold what was sent.
            remedy = str(error) if isinstance(error, HelpdeskError) else None
            log.warning("slack_installation_failed", error=type(error).__name__, remedy=remedy)
            return web.Response(status=503, text=page(Outcome.FAILED), headers=_HEADERS)
        return await to_aiohttp_response(said)

    return answer


async def _installed(args: AsyncSuccessArgs) -> BoltResponse:
    log.info("slack_installed", workspace=args.installation.team_id, enterprise=args.installation.enterprise_id)
    return _shown(args, 200, Outcome.INSTALLED)


async def _failed(args: AsyncFailureArgs) -> BoltResponse:
    declined = args.reason == _DECLINED
    # The reason can come from the address that was called, where anybody may write anything.
    log.info("slack_installation_refused", declined=declined, status=args.suggested_status_code)
    return _shown(args, args.suggested_status_code, Outcome.DECLINED if declined else Outcome.FAILED)


def _shown(args: AsyncSuccessArgs | AsyncFailureArgs, status: int, outcome: Outcome) -> BoltResponse:
    """The page, and the end of the state's cookie."""
    cookie = args.settings.state_utils.build_set_cookie_for_deletion()
    return BoltResponse(status=status, body=page(outcome), headers={**_HEADERS, "Set-Cookie": cookie})
