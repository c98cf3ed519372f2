"""Sending one reply into a Slack thread: a sign of life at once, the reply in order and once, the sign taken away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from handlers.messages import OutgoingReply
from handlers.ports import Send
from handlers.slack.address import Address
from handlers.slack.render import SlackMessage
from handlers.wording_actions import actions

log = structlog.get_logger()

#: The type of the metadata on our replies, which says what they reply to.
REPLY = "helpdesk_reply"
#: The sign in channels that a message was seen.
SEEN = "eyes"
#: How long one call may take, waits that Slack asks for included.
_SECONDS = 120.0
_SIGN_SECONDS = 5.0

Write = Callable[[OutgoingReply], Awaitable[Sequence[SlackMessage]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A reply to be brought: to which message of whom, where, and the id of the turn that it replies to."""

    client: AsyncWebClient
    address: Address
    message: str
    asker: str
    turn: str
    language: str
    ephemeral: bool = False


@asynccontextmanager
async def outlet(errand: Errand, write: Write, sent: frozenset[int] = frozenset()) -> AsyncIterator[Send]:
    """Where the desk sends its reply; `sent` are the parts that are there already. Sending raises SlackClientError."""
    await _show(errand)
    try:

        async def send(reply: OutgoingReply) -> None:
            for part, message in enumerate(await write(reply)):
                if part not in sent:
                    await _post(errand, message, part)

        yield send
    finally:
        await _hide(errand)


async def parts_sent(errand: Errand) -> frozenset[int]:
    """Which parts of a reply to this turn stand in the thread, from a process that died; none where Slack lets nobody
    read it: an answer twice is better than none. Raises SlackClientError where Slack cannot be reached."""
    if errand.ephemeral:
        return frozenset()
    try:
        async with asyncio.timeout(_SECONDS):
            said = await errand.client.conversations_replies(
                channel=errand.address.channel,
                ts=errand.address.thread,
                oldest=errand.message,
                include_all_metadata=True,
                limit=200,
            )
    except SlackApiError as error:
        log.warning("slack_thread_unread", error=str(error.response.get("error")))
        return frozenset()
    found = (_payload(message) for message in said.get("messages") or ())
    parts = (one.get("part") for one in found if one.get("turn") == errand.turn)
    return frozenset(part for part in parts if isinstance(part, int))


def _payload(message: Mapping[str, object]) -> Mapping[str, object]:
    metadata = message.get("metadata")
    if not isinstance(metadata, Mapping) or metadata.get("event_type") != REPLY:
        return {}
    payload = metadata.get("event_payload")
    return payload if isinstance(payload, Mapping) else {}


async def _post(errand: Errand, message: SlackMessage, part: int) -> None:
    where, blocks = errand.address, [dict(block) for block in message.blocks]
    async with asyncio.timeout(_SECONDS):
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
            metadata={"event_type": REPLY, "event_payload": {"turn": errand.turn, "part": part}},
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
        if (code := str(error.response.get("error"))) not in expected:
            log.warning("slack_sign_failed", error=code)
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_sign_failed", error=type(error).__name__)
