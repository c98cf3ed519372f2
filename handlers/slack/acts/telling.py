"""Telling the person who acted, and nobody else, what came of it."""

from __future__ import annotations

import asyncio

import structlog
from aiohttp import ClientError
from slack_sdk.webhook.async_client import AsyncWebhookClient

from handlers.slack.acts.scenes import is_direct
from handlers.slack.hosts import is_slacks
from handlers.slack.installations import Installation
from handlers.slack.records import Act, Acted
from handlers.slack.render import SlackMessage

log = structlog.get_logger()

_SECONDS = 20.0


async def tell(acted: Acted, here: Installation, message: SlackMessage, *, instead: bool = False) -> None:
    """Show it where the person is: below the answer in a direct message, below what the person wrote, for the person
    alone to what was done else in a channel, in the direct message where the act has no place. `instead`: in the place
    of what was clicked.

    Raises SlackClientError, TimeoutError and OSError.
    """
    thread = None if instead else _thread(acted)
    async with asyncio.timeout(_SECONDS):
        if acted.channel and thread and _in_turn(acted, acted.channel):
            await _post(here, message, acted.channel, thread)
        elif not await _responded(acted, here, message, instead=instead):
            # A person's id stands for the direct message with that person.
            await _post(here, message, acted.user, None)


async def whisper(acted: Acted, here: Installation, message: SlackMessage) -> None:
    """Show it to who wrote this in a channel, and to nobody else. Raises SlackClientError and TimeoutError."""
    thread = acted.thread if acted.thread != acted.message else None
    async with asyncio.timeout(_SECONDS):
        await here.client.chat_postEphemeral(
            channel=acted.channel or "",
            # What one person alone sees begins no thread: Slack shows it in threads that are there.
            thread_ts=thread,
            user=acted.user,
            text=message.text,
            blocks=[dict(block) for block in message.blocks],
        )


def _in_turn(acted: Acted, channel: str) -> bool:
    """Whether it is answered as a message is."""
    return acted.kind is Act.WROTE or (acted.kind is Act.CLICKED and is_direct(channel))


def _thread(acted: Acted) -> str | None:
    """The thread to go on in. What one person alone sees begins none: Slack shows it in threads that are there."""
    begins = acted.kind is not Act.WROTE and acted.thread == acted.message
    return None if begins else acted.thread


async def _responded(acted: Acted, here: Installation, message: SlackMessage, *, instead: bool) -> bool:
    """Whether Slack took it at the address that came with the act, which is good for half an hour and five uses."""
    url = acted.response_url
    if not url or not is_slacks(url, here.client):
        return False
    body: dict[str, object] = {
        # What is replaced stays as visible as it was.
        **({} if instead else {"response_type": "ephemeral"}),
        "replace_original": instead,
        "text": message.text,
        "blocks": [dict(block) for block in message.blocks],
    }
    if (thread := _thread(acted)) and not instead:
        body["thread_ts"] = thread
    try:
        response = await AsyncWebhookClient(url, logger=here.client.logger).send_dict(body)
    except (ClientError, OSError) as error:
        # Whether it came through is not known: a word twice is better than none.
        log.warning("slack_response_failed", error=type(error).__name__)
        return False
    if response.status_code != 200:
        log.warning("slack_response_refused", status=response.status_code)
    return response.status_code == 200


async def _post(here: Installation, message: SlackMessage, channel: str, thread: str | None) -> None:
    await here.client.chat_postMessage(
        channel=channel,
        thread_ts=thread,
        text=message.text,
        blocks=[dict(block) for block in message.blocks],
        unfurl_links=False,
        unfurl_media=False,
    )
