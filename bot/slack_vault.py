"""What the installation by OAuth keeps: the tokens of workspaces, and the states of installations under way. Sealed."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore

from bot.sealing import Seal
from bot.slack_client import quiet
from config.slack import SlackSettings
from memory.errors import Busy
from memory.ports import Clock
from memory.vault import Vault

_INSTALLATIONS = "slack/installation/"
#: Of which organisation a workspace is: not every record of the memory says so.
_ENTERPRISES = "slack/enterprise/"
_STATES = "slack/state/"
#: How long somebody may take to say yes in Slack.
STATE_LIFE = timedelta(minutes=10)
#: Installations under way at once: anybody may begin one.
_MOST_STATES = 1000
_STATE = re.compile(r"([0-9]{10})-[A-Za-z0-9_-]{43}")


def seal_of(settings: SlackSettings) -> Seal:
    """The seal of the configured keys."""
    key = settings.installation_key
    return Seal([each.strip() for each in (key.get_secret_value() if key else "").split(",")])


class VaultInstallations(AsyncInstallationStore):
    """One token for each workspace, or for a whole organisation; the newest counts."""

    def __init__(self, vault: Vault, seal: Seal, clock: Clock) -> None:
        self._vault = vault
        self._seal = seal
        self._clock = clock

    @property
    def logger(self) -> logging.Logger:
        return quiet()

    async def async_save(self, installation: Installation) -> None:
        """Keep it in place of what was there. Raises StoreUnavailable."""
        team = None if installation.is_enterprise_install else installation.team_id
        await self._keep(_name(installation.enterprise_id, team), vars(installation))
        if team and installation.enterprise_id:
            await self.remember_enterprise(team, installation.enterprise_id)

    async def async_find_installation(
        self,
        *,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None = None,
        is_enterprise_install: bool | None = False,
    ) -> Installation | None:
        """The workspace's own, else that of its organisation. Raises StoreUnavailable and SealUnopened."""
        own = None if is_enterprise_install or not team_id else await self._found(enterprise_id, team_id)
        if own is not None or not enterprise_id:
            return own
        wide = await self._found(enterprise_id, None)
        return wide if wide is not None and wide.is_enterprise_install else None

    async def async_delete_installation(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None = None
    ) -> None:
        await self._vault.drop(_name(enterprise_id, team_id))

    async def async_delete_bot(self, *, enterprise_id: str | None, team_id: str | None) -> None:
        await self._vault.drop(_name(enterprise_id, team_id))

    async def enterprise_of(self, team: str) -> str | None:
        """The organisation in which this workspace was seen. Raises StoreUnavailable and SealUnopened."""
        found = await self._opened(f"{_ENTERPRISES}{_safe(team)}")
        return None if found is None else str(found["enterprise"])

    async def remember_enterprise(self, team: str, enterprise: str) -> None:
        """Written once. Raises StoreUnavailable and SealUnopened."""
        if await self.enterprise_of(team) != enterprise:
            await self._keep(f"{_ENTERPRISES}{_safe(team)}", {"enterprise": enterprise})

    async def renew(self) -> None:
        """Seal with the newest key what an older one sealed. Raises SealUnopened where a piece fits no key."""
        for beginning in (_INSTALLATIONS, _ENTERPRISES):
            for name in await self._vault.names(beginning):
                sealed = await self._vault.sealed(name)
                if sealed is not None and not self._seal.is_newest(sealed):
                    await self._keep(name, self._seal.opened(name, sealed))

    async def _found(self, enterprise: str | None, team: str | None) -> Installation | None:
        found = await self._opened(_name(enterprise, team))
        return Installation(**found) if found is not None else None

    async def _opened(self, name: str) -> Mapping[str, Any] | None:
        sealed = await self._vault.sealed(name)
        return None if sealed is None else self._seal.opened(name, sealed)

    async def _keep(self, name: str, content: Mapping[str, Any]) -> None:
        await self._vault.keep({name: self._seal.sealed(name, content)}, self._clock())


class VaultStates(AsyncOAuthStateStore):
    """What ties the answer of an installation to the browser that asked: each holds once, for ten minutes."""

    def __init__(self, vault: Vault, seal: Seal, clock: Clock) -> None:
        self._vault = vault
        self._seal = seal
        self._clock = clock

    @property
    def logger(self) -> logging.Logger:
        return quiet()

    async def async_issue(self, *args: Any, **kwargs: Any) -> str:
        """A new state. Raises StoreUnavailable, and Busy where too many are under way."""
        now = self._clock()
        await self._make_room(int(now.timestamp()))
        until = int((now + STATE_LIFE).timestamp())
        state = f"{until}-{secrets.token_urlsafe(32)}"
        name = _state_name(state)
        await self._vault.keep({name: self._seal.sealed(name, {"until": until})}, now)
        return state

    async def async_consume(self, state: str) -> bool:
        """Whether it holds; it does not any more. Raises StoreUnavailable."""
        if not _STATE.fullmatch(state):
            return False
        name = _state_name(state)
        sealed = await self._vault.take(name)
        if sealed is None:
            return False
        return bool(self._seal.opened(name, sealed)["until"] > self._clock().timestamp())

    async def _make_room(self, now: int) -> None:
        names = await self._vault.names(_STATES)
        past = [name for name in names if int(name.removeprefix(_STATES)[:10]) <= now]
        for name in past:
            await self._vault.drop(name)
        if len(names) - len(past) >= _MOST_STATES:
            raise Busy


def _name(enterprise: str | None, team: str | None) -> str:
    return f"{_INSTALLATIONS}{_safe(enterprise or '-')}/{_safe(team or '-')}"


def _state_name(state: str) -> str:
    """The end of its life stands first, so that what is past can be told without opening it; the state itself does not
    stand there."""
    return f"{_STATES}{state[:10]}-{sha256(state.encode()).hexdigest()}"


def _safe(id: str) -> str:
    return quote(id, safe="")
