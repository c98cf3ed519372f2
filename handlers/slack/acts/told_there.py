"""Telling somebody once in the thread of their conversation, or alone where the channel's answers are for them."""

from __future__ import annotations

import asyncio

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.slack.acts.once import said_once
from handlers.slack.address import address_of
from handlers.slack.faults import code_of, passing
from handlers.slack.installations import Installation
from handlers.slack.render import SlackMessage
from handlers.slack.rules import Rules
from memory.model import Conversation

log = structlog.get_logger()

_SECONDS = 60.0


async def told_there(
    here: Installation,
    rules: Rules,
    place: Conversation,
    person: str,
    said: SlackMessage,
    about: str,
    *,
    since: str | None = None,
) -> bool:
    """Say it, marked as `about` that; what stands there since a timestamp (None: from the first message on) is not said
    again. Whether nothing is left to do: it was said, or Slack refuses it and will go on doing so."""
    try:
        async with asyncio.timeout(_SECONDS):
            await _say(here, rules, place, person, said, about, since)
    except SlackApiError as error:
        log.warning("slack_person_untold", error=code_of(error))
        return not passing(error)
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_person_untold", error=type(error).__name__)
        return False
    return True


async def _say(
    here: Installation,
    rules: Rules,
    place: Conversation,
    person: str,
    said: SlackMessage,
    about: str,
    since: str | None,
) -> None:
    where = address_of(place)
    if not rules.of(where.channel).ephemeral or where.direct:
        await said_once(here.client, where, said, about, since=since or where.thread)
        return
    await here.client.chat_postEphemeral(
        channel=where.channel,
        thread_ts=where.thread,
        user=person,
        text=said.text,
        blocks=[dict(block) for block in said.blocks],
    )
