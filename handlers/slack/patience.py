"""Waiting until Slack takes a reply: its thread waits, no other does, and none for good."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.slack.faults import asked_to_wait, code_of, passing
from memory.errors import ReplyNotTaken

log = structlog.get_logger()

#: The pauses double from the first to the longest.
_FIRST_SECONDS, _LONGEST_SECONDS = 0.5, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How many `seconds` a thread waits for a reply after the first try. `made` is told when there is nothing left to
    do but to bring it; `pause` waits so many seconds, and is False where the process ends meanwhile."""

    seconds: float
    made: Callable[[], None]
    pause: Callable[[float], Awaitable[bool]]

    async def until_taken(self, bring: Callable[[], Awaitable[None]]) -> None:
        """Call this again and again until Slack takes what it brings; it looks itself for what is there already.

        Raises ReplyNotTaken when the time is over, and as it came what Slack would refuse again, or what it said last
        when the process ends.
        """
        self.made()
        pause, failed = _FIRST_SECONDS, None
        while True:
            try:
                return await bring()
            except (SlackClientError, TimeoutError, OSError) as error:
                if isinstance(error, SlackApiError) and not passing(error):
                    raise
                now = time.monotonic()
                failed = now if failed is None else failed
                left = failed + self.seconds - now
                if left <= 0:
                    raise ReplyNotTaken from error
                log.info("slack_reply_waits", error=_kind(error), seconds=round(pause, 1))
                if not await self.pause(min(max(pause, asked_to_wait(error)), left)):
                    raise
                pause = min(2 * pause, _LONGEST_SECONDS)


def _kind(error: Exception) -> str:
    return code_of(error) if isinstance(error, SlackApiError) else type(error).__name__
