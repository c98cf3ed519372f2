"""As whom the bot speaks in a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from slack_sdk.web.async_client import AsyncWebClient

from handlers.slack.records import Me


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The bot in one workspace: the client with its token, who it is there, the workspace's web address, and the scopes
    that were not granted."""

    workspace: str
    client: AsyncWebClient
    me: Me
    home: str
    lacking: tuple[str, ...] = ()


class Installations(Protocol):
    """Finds the installation that serves a workspace."""

    async def of(self, workspace: str) -> Installation | None:
        """None where the app is not, or no longer, installed."""
        ...
