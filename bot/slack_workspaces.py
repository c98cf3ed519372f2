"""As whom the bot speaks where: one token in the configuration, or many that were given by OAuth."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog
from aiohttp import ClientSession
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.oauth.installation_store import Installation as Stored

from bot.health import Health
from bot.slack_client import client_of
from bot.slack_vault import VaultInstallations
from config.slack import SlackSettings
from handlers.slack.faults import code_of, revoked, token_refused
from handlers.slack.installations import Installation
from handlers.slack.records import Me
from memory.ports import Clock

log = structlog.get_logger()

#: Clients that are kept.
_KEPT = 500
#: For how long: after that another process's installation, or removal, is seen.
_FRESH = timedelta(minutes=5)
#: How long Slack may take to say whether a token holds: it waits for three seconds itself.
_SECONDS = 2.0
#: Told apart from the connection, which may be well all the same.
_PART = "slack installation"
_REMOVED = "The app was removed from the workspace; install it again, set `slack.bot_token`, and start again."
_REFUSED = "Slack refuses `slack.bot_token`; copy the Bot User OAuth Token (xoxb-…) again, and start again."
#: Under these names the kit's record keeps what it has no field for.
HOME, LACKING = "home", "lacking"


class OneWorkspace:
    """The installation of the token in the configuration."""

    def __init__(self, installation: Installation, health: Health) -> None:
        self._installation = installation
        self._health = health
        self._refused = False

    async def of(self, workspace: str, enterprise: str | None = None) -> Installation | None:
        """Whatever workspace Slack names: the token is of one, or of an organisation that has it among others."""
        return self._installation

    async def drop(self, gone: Installation) -> None:
        """A token in the configuration is the administrator's to change: once Slack says that it no longer holds, that
        is told, and the token stays."""
        await self.doubt(gone)

    async def doubt(self, here: Installation) -> None:
        """See `Installations`. One refusal among others proves nothing: Slack is asked."""
        try:
            async with asyncio.timeout(_SECONDS):
                await here.client.auth_test()
        except SlackApiError as error:
            log.warning("slack_token_refused", workspace=here.workspace, error=code_of(error))
            if token_refused(error):
                self._refused = True
                self._health.report(_PART, False, _REMOVED if revoked(error) else _REFUSED)
        except (SlackClientError, TimeoutError, OSError) as error:
            log.warning("slack_token_unknown", workspace=here.workspace, error=type(error).__name__)
        else:
            if self._refused:
                self._refused = False
                self._health.report(_PART, True)

    async def ask_again(self) -> int:
        """Whether a token that was refused holds again, as a number: it may, once somebody has seen to it. One that
        was not refused is not asked about."""
        if not self._refused:
            return 0
        await self.doubt(self._installation)
        return int(not self._refused)


class ManyWorkspaces:
    """The installations that the vault keeps, the newest `_KEPT` of them ready for use."""

    def __init__(
        self, stored: VaultInstallations, settings: SlackSettings, clock: Clock, session: ClientSession
    ) -> None:
        self._stored = stored
        self._settings = settings
        self._clock = clock
        self._session = session
        self._ready: OrderedDict[tuple[str, str | None], tuple[datetime, Installation]] = OrderedDict()

    async def of(self, workspace: str, enterprise: str | None = None) -> Installation | None:
        """See `Installations`. Raises StoreUnavailable, and SealUnopened where the key is another one."""
        key, now = (workspace, enterprise), self._clock()
        if key in self._ready and self._ready[key][0] > now:
            self._ready.move_to_end(key)
            return self._ready[key][1]
        found = await self._found(workspace, enterprise)
        if found is None:
            self._ready.pop(key, None)
            return None
        self._ready[key] = now + _FRESH, found
        self._ready.move_to_end(key)
        while len(self._ready) > _KEPT:
            self._ready.popitem(last=False)
        return found

    async def drop(self, gone: Installation) -> None:
        """See `Installations`. A newer token of the same workspace stays."""
        for key in [key for key, (_, held) in self._ready.items() if held.client.token == gone.client.token]:
            del self._ready[key]
        for team in {gone.workspace or None, None}:
            stored = await self._stored.async_find_installation(
                enterprise_id=gone.enterprise, team_id=team, is_enterprise_install=team is None
            )
            if stored is not None and stored.bot_token == gone.client.token:
                own = None if stored.is_enterprise_install else team
                await self._stored.async_delete_installation(enterprise_id=gone.enterprise, team_id=own)
        log.info("slack_uninstalled", workspace=gone.workspace, enterprise=gone.enterprise)

    async def doubt(self, here: Installation) -> None:
        """See `Installations`. A token that was given is kept until Slack says that it is gone."""
        log.error("slack_token_refused", workspace=here.workspace, enterprise=here.enterprise)

    async def _found(self, workspace: str, enterprise: str | None) -> Installation | None:
        stored = await self._stored.async_find_installation(enterprise_id=enterprise, team_id=workspace or None)
        if stored is None and enterprise is None and workspace:
            enterprise = await self._stored.enterprise_of(workspace)
            return await self._found(workspace, enterprise) if enterprise else None
        if stored is None:
            return None
        if stored.is_enterprise_install and workspace and enterprise:
            # What is owed to this workspace names only the workspace.
            await self._stored.remember_enterprise(workspace, enterprise)
        return replace(self._made(stored), workspace=workspace, enterprise=enterprise)

    def _made(self, stored: Stored) -> Installation:
        return Installation(
            workspace=stored.team_id or "",
            enterprise=stored.enterprise_id,
            client=client_of(self._settings, stored.bot_token, self._session),
            me=Me(user=str(stored.bot_user_id), bot=stored.bot_id, app=stored.app_id),
            home=str(stored.get_custom_value(HOME) or ""),
            lacking=tuple(stored.get_custom_value(LACKING) or ()),
            installed=datetime.fromtimestamp(int(stored.installed_at), UTC),
        )
