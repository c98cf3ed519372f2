"""Sending one reply into a Slack thread: a sign of life at once, the reply in order and once, the sign taken away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import structlog
from slack_sdk.errors import SlackApiError

from handlers.messages import OutgoingReply
from handlers.ports import Send
from handlers.slack.errand import SECONDS, Errand, parts_of, shown_after
from handlers.slack.faults import code_of, unshapely
from handlers.slack.live import Live
from handlers.slack.patience import Patience
from handlers.slack.render import SlackMessage
from handlers.slack.sign import Sign

log = structlog.get_logger()

Write = Callable[[OutgoingReply], Awaitable[Sequence[SlackMessage]]]


@asynccontextmanager
async def outlet(
    errand: Errand,
    write: Write,
    sent: frozenset[int] = frozenset(),
    live: Live | None = None,
    sign: Sign | None = None,
    patience: Patience | None = None,
) -> AsyncIterator[Send]:
    """Where the desk sends its reply; `sent` are the parts that are there already, `live` the message that shows the
    steps, `sign` the sign that may be shown already. Sending raises SlackClientError, after one try where there is no
    `patience`, and else ReplyNotTaken too."""
    live, sign = live or Live(errand), sign or Sign(errand)
    await sign.begin()
    try:

        async def send(reply: OutgoingReply) -> None:
            parts = _Parts(errand, await write(reply), live, sent)
            await (patience.until_taken(parts.bring) if patience else parts.bring())

        yield send
    finally:
        try:
            await live.withdraw()
        finally:
            await sign.end()


class _Parts:
    """A reply in one message or several, on its way."""

    def __init__(self, errand: Errand, messages: Sequence[SlackMessage], live: Live, sent: frozenset[int]) -> None:
        self._errand = errand
        self._messages = messages
        self._live = live
        self._sent = set(sent)
        self._unsure = False

    async def bring(self) -> None:
        """Bring what is not there yet. What did not come through the last time may be there without our knowing. Raises
        SlackClientError and its kin."""
        if self._unsure:
            self._sent |= await parts_sent(self._errand)
            if 0 in self._sent:
                self._live.keep()
        self._unsure = True
        for part, message in enumerate(self._messages):
            if part not in self._sent:
                await self._bring_one(part, message)
                self._sent.add(part)

    async def _bring_one(self, part: int, message: SlackMessage) -> None:
        if part or not await self._live.become(message, self._errand.metadata(part)):
            await post(self._errand, message, part)


async def parts_sent(errand: Errand) -> frozenset[int]:
    """Which parts of a reply to this turn stand in the thread, from a process that died. Raises SlackClientError where
    Slack cannot be reached. What only one person sees stands in no thread: where Slack did not confirm it, it comes
    twice rather than not at all."""
    return parts_of(await shown_after(errand), errand)


async def post(errand: Errand, message: SlackMessage, part: int) -> None:
    """Post one part of a reply; as plain text where Slack does not take its form. Raises SlackClientError."""
    try:
        await _posted(errand, message, part)
    except SlackApiError as error:
        if not unshapely(error):
            raise
        log.warning("slack_blocks_refused", turn=errand.turn, error=code_of(error))
        await _posted(errand, SlackMessage(text=message.text, blocks=()), part)


async def _posted(errand: Errand, message: SlackMessage, part: int) -> None:
    where, blocks = errand.address, [dict(block) for block in message.blocks] or None
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
