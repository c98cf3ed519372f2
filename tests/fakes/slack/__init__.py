"""A strict Slack on this machine: Web API, Socket Mode, signed HTTP, and a page to try the bot by hand.

async with serving() as slack:
    client = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
    ...  # start the app, then
    await slack.connected()
    ts = await slack.say(AYA, HELPDESK, "the printer is jammed", mention=True)
    [answer] = await slack.answered(HELPDESK, ts)
"""

from __future__ import annotations

from tests.fakes.slack.cast import AYA, BOB, FINANCE, GENERAL, HELPDESK, KEN, MAI, RANDOM, TEAM
from tests.fakes.slack.server import Slack, serving

__all__ = ["AYA", "BOB", "FINANCE", "GENERAL", "HELPDESK", "KEN", "MAI", "RANDOM", "TEAM", "Slack", "serving"]
