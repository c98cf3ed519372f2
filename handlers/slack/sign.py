"""The sign that a message was seen: it comes at once, however many others wait for their answers, and goes with the
reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.lanes import Work
from handlers.slack.errand import Errand
from handlers.slack.faults import code_of

log = structlog.get_logger()

#: The sign in channels.
SEEN = "eyes"
_SECONDS = 5.0
#: How long one that is to be shown early is waited for: as long as the call before it and its own may take.
_PATIENCE = 2 * _SECONDS


class Sign:
    """A status in direct messages, a reaction in channels; without either the reply comes all the same."""

    def __init__(self, errand: Errand) -> None:
        self._errand = errand
        self._early: asyncio.Event | None = None
        self._begun = False

    def early(self) -> Work:
        """What shows it before the reply's turn, to be done soon; nothing but `end` waits for that."""
        shown = self._early = asyncio.Event()

        async def show() -> None:
            try:
                await _show(self._errand)
            finally:
                shown.set()

        return show

    async def begin(self) -> None:
        """Work on the reply begins: see that it is shown. Never raises."""
        self._begun = True
        if self._early is None or self._taken_away:
            await _show(self._errand)

    @property
    def _taken_away(self) -> bool:
        """A thread has one status, which goes with the reply to the message before."""
        where = self._errand.address
        return where.direct and where.thread != self._errand.message

    async def idle(self) -> bool:
        """Whether it is shown, or will be, though no work on the reply has begun here: another process is at it. It is
        there when this returns. Never raises."""
        return self._early is not None and not self._begun and await _happened(self._early)

    async def end(self) -> None:
        """Take it away, for good: not before it is there. Never raises."""
        if self._early is not None and not await _happened(self._early):
            log.warning("slack_sign_late")
        where, client = self._errand.address, self._errand.client
        if where.direct:
            call = client.assistant_threads_setStatus(channel_id=where.channel, thread_ts=where.thread, status="")
            await _quietly(call)
        else:
            call = client.reactions_remove(channel=where.channel, timestamp=self._errand.message, name=SEEN)
            await _quietly(call, "no_reaction")


async def _happened(event: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(_PATIENCE):
            await event.wait()
    except TimeoutError:
        return False
    return True


async def _show(errand: Errand) -> None:
    where, client = errand.address, errand.client
    if where.direct:
        status = errand.wording.around(errand.language).working
        await _quietly(
            client.assistant_threads_setStatus(channel_id=where.channel, thread_ts=where.thread, status=status)
        )
        return
    await _quietly(client.reactions_add(channel=where.channel, timestamp=errand.message, name=SEEN), "already_reacted")


async def _quietly(call: Awaitable[object], *expected: str) -> None:
    """A sign that fails must not cost the answer."""
    try:
        async with asyncio.timeout(_SECONDS):
            await call
    except SlackApiError as error:
        if (code := code_of(error)) not in expected:
            log.warning("slack_sign_failed", error=code)
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_sign_failed", error=type(error).__name__)
