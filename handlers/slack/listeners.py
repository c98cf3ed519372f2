"""The listeners of the Slack app: all that Slack tells goes through one of these, and nothing is left unheard."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from handlers.slack.authorization import place_of
from handlers.slack.door import Door
from handlers.slack.installations import Installations

log = structlog.get_logger()

_ANY = re.compile(".*", re.DOTALL)
_FRAMES = 12


def register(app: AsyncApp, door: Door, installations: Installations) -> None:
    """Have this app's events heard. The app must process before it responds: what is acknowledged is on the disk."""

    async def hear(body: Mapping[str, Any], context: AsyncBoltContext) -> None:
        here = await installations.of(*place_of(body, context))
        if here is not None:
            await door.hear(body, here)

    async def fail(error: Exception) -> BoltResponse:
        """The outer loop of a delivery: it is not acknowledged, and Slack tells it again."""
        log.error(
            "slack_event_failed",
            reference=uuid4().hex[:8],
            error=type(error).__name__,
            cause=type(error.__cause__).__name__,
            at=[f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-_FRAMES:]],
        )
        return BoltResponse(status=500)

    app.event(_ANY)(hear)
    app.error(fail)
