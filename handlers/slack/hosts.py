"""Which addresses are Slack's own."""

from __future__ import annotations

from urllib.parse import urlsplit

from slack_sdk.web.async_client import AsyncWebClient


def is_slacks(url: str, client: AsyncWebClient) -> bool:
    """Tokens and people's words go to Slack and to nobody else: hosts under slack.com, or that of the API that is
    configured."""
    given = urlsplit(url)
    host, own = given.hostname or "", urlsplit(client.base_url).hostname
    return host == own or (given.scheme == "https" and (host == "slack.com" or host.endswith(".slack.com")))
