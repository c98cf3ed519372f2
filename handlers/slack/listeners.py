"""The listeners of the Slack app: all that Slack tells goes through one of these, and nothing is left unheard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.response import BoltResponse

from handlers.slack.acts.acting import Acts
from handlers.slack.authorization import place_of
from handlers.slack.door import Door
from handlers.slack.installations import Installations
from handlers.slack.records import HomeOpened
from handlers.traces import traced

log = structlog.get_logger()

_ANY = re.compile(".*", re.DOTALL)


def register(app: AsyncApp, door: Door, acts: Acts, installations: Installations) -> None:
    """Have this app's events heard, and what people do besides. The app must process before it responds: what is
    acknowledged is on the disk."""

    async def hear(body: Mapping[str, Any], context: AsyncBoltContext) -> None:
        here = await installations.of(*place_of(body, context))
        if here is None:
            return
        told = await door.hear(body, here)
        if isinstance(told, HomeOpened):
            acts.opened(told, here)

    async def act(ack: AsyncAck, body: Mapping[str, Any], context: AsyncBoltContext) -> None:
        here = await installations.of(*place_of(body, context))
        if here is not None:
            await acts.hear(body, here)
        await ack()

    async def fail(error: Exception) -> BoltResponse:
        """The outer loop of a delivery: it is not acknowledged, and Slack tells it again."""
        log.error("slack_event_failed", reference=uuid4().hex[:8], **traced(error))
        return BoltResponse(status=500)

    app.event(_ANY)(hear)
    for listen in (app.action, app.command, app.shortcut, app.view_submission, app.view_closed):
        listen(_ANY)(act)
    app.error(fail)
