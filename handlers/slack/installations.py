"""As whom the bot speaks in a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from slack_sdk.web.async_client import AsyncWebClient

from handlers.slack.records import Me


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The bot in one workspace: the client with its token, who it is there, the workspace's web address, and the scopes
    that were not granted. `enterprise` is the organisation of workspaces that it belongs to; `installed` is when the
    token was given, None where that is not known."""

    workspace: str
    client: AsyncWebClient
    me: Me
    home: str
    lacking: tuple[str, ...] = ()
    enterprise: str | None = None
    installed: datetime | None = None


class Installations(Protocol):
    """Finds the installation that serves a workspace. Raises StoreUnavailable."""

    async def of(self, workspace: str, enterprise: str | None = None) -> Installation | None:
        """The workspace's own, or that of its whole organisation; None where the app is not, or no longer, installed.

        Without `enterprise` it is the one that the workspace was seen in before; `workspace` is empty where something
        happened to an organisation."""
        ...

    async def drop(self, gone: Installation) -> None:
        """The app was removed from there, or its token no longer holds: the token is forgotten at once."""
        ...

    async def doubt(self, here: Installation) -> None:
        """Slack refuses the token, which may hold again: somebody has to see to it."""
        ...
