"""Sending one reply into a Slack thread: a sign of life at once, the reply in order and once, the sign taken away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.messages import OutgoingReply
from handlers.ports import Send
from handlers.slack.errand import SECONDS, Errand, parts_of, shown_after
from handlers.slack.faults import code_of
from handlers.slack.live import Live
from handlers.slack.render import SlackMessage
from handlers.wording_actions import actions

log = structlog.get_logger()

#: The sign in channels that a message was seen.
SEEN = "eyes"
_SIGN_SECONDS = 5.0

Write = Callable[[OutgoingReply], Awaitable[Sequence[SlackMessage]]]


@asynccontextmanager
async def outlet(
    errand: Errand, write: Write, sent: frozenset[int] = frozenset(), live: Live | None = None
) -> AsyncIterator[Send]:
    """Where the desk sends its reply; `sent` are the parts that are there already, `live` the message that shows the
    steps. Sending raises SlackClientError."""
    live = live or Live(errand)
    await _show(errand)
    try:

        async def send(reply: OutgoingReply) -> None:
            for part, message in enumerate(await write(reply)):
                if part not in sent and not (part == 0 and await live.become(message, errand.metadata(part))):
                    await _post(errand, message, part)

        yield send
    finally:
        try:
            await live.withdraw()
        finally:
            await _hide(errand)


async def parts_sent(errand: Errand) -> frozenset[int]:
    """Which parts of a reply to this turn stand in the thread, from a process that died. Raises SlackClientError where
    Slack cannot be reached."""
    return frozenset() if errand.ephemeral else parts_of(await shown_after(errand), errand)


async def _post(errand: Errand, message: SlackMessage, part: int) -> None:
    where, blocks = errand.address, [dict(block) for block in message.blocks]
    async with asyncio.timeout(SECONDS):
        if errand.ephemeral:
            await errand.client.chat_postEphemeral(
                channel=where.channel, thread_ts=where.thread, user=errand.asker, text=message.text, blocks=blocks
            )
            return
        await errand.client.chat_postMessage(
            channel=where.channel,
            thread_ts=where.thread,
            text=message.text,
            blocks=blocks,
            unfurl_links=False,
            unfurl_media=False,
            metadata=dict(errand.metadata(part)),
        )


async def _show(errand: Errand) -> None:
    """A status in direct messages, a reaction in channels; without either the reply comes all the same."""
    where, client = errand.address, errand.client
    if where.direct:
        status = actions(errand.language).working
        await _quietly(
            client.assistant_threads_setStatus(channel_id=where.channel, thread_ts=where.thread, status=status)
        )
        return
    await _quietly(client.reactions_add(channel=where.channel, timestamp=errand.message, name=SEEN), "already_reacted")


async def _hide(errand: Errand) -> None:
    where, client = errand.address, errand.client
    if where.direct:
        await _quietly(client.assistant_threads_setStatus(channel_id=where.channel, thread_ts=where.thread, status=""))
        return
    await _quietly(client.reactions_remove(channel=where.channel, timestamp=errand.message, name=SEEN), "no_reaction")


async def _quietly(call: Awaitable[object], *expected: str) -> None:
    """A sign that fails must not cost the answer."""
    try:
        async with asyncio.timeout(_SIGN_SECONDS):
            await call
    except SlackApiError as error:
        if (code := code_of(error)) not in expected:
            log.warning("slack_sign_failed", error=code)
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_sign_failed", error=type(error).__name__)
