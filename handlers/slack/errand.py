"""A reply that is to be brought into a Slack thread, and what of it stands there already."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from handlers.slack.acts.names import REPLY
from handlers.slack.address import Address
from handlers.slack.faults import code_of, token_refused
from handlers.wordings import SHIPPED, Wording

log = structlog.get_logger()

#: How long one call may take, waits that Slack asks for included.
SECONDS = 120.0
#: What Slack calls a message whose stream was never brought to an end.
_UNFINISHED = ("in_progress", "errored")

Shown = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A reply to be brought: to which message of whom, where, and the id of the turn that it replies to. `me` is the
    bot's user; `stream` says whether the steps on the way are shown in the message that becomes the reply."""

    client: AsyncWebClient
    address: Address
    message: str
    asker: str
    turn: str
    language: str
    wording: Wording = SHIPPED
    ephemeral: bool = False
    me: str = ""
    stream: bool = False

    def metadata(self, part: int) -> Mapping[str, object]:
        """By which this part of the reply is known again."""
        return {"event_type": REPLY, "event_payload": {"turn": self.turn, "part": part}}


async def shown_after(errand: Errand) -> Sequence[Shown]:
    """What stands in the thread since the message; nothing where Slack lets nobody read it: an answer twice is better
    than none. Raises SlackClientError where Slack cannot be reached, or not with this token."""
    try:
        async with asyncio.timeout(SECONDS):
            said = await errand.client.conversations_replies(
                channel=errand.address.channel,
                ts=errand.address.thread,
                oldest=errand.message,
                include_all_metadata=True,
                limit=200,
            )
    except SlackApiError as error:
        if token_refused(error):
            raise
        log.warning("slack_thread_unread", error=code_of(error))
        return ()
    return said.get("messages") or ()


def parts_of(shown: Iterable[Shown], errand: Errand) -> frozenset[int]:
    """Which parts of this reply are among these messages."""
    parts = (one.get("part") for one in map(_payload, shown) if one.get("turn") == errand.turn)
    return frozenset(part for part in parts if isinstance(part, int))


def unfinished_of(shown: Iterable[Shown], errand: Errand) -> str | None:
    """The message among these that the bot began and that no reply came of: its timestamp."""
    begun = (one for one in shown if one.get("user") == errand.me and one.get("streaming_state") in _UNFINISHED)
    return next((str(one["ts"]) for one in begun if not _payload(one)), None)


def _payload(message: Shown) -> Shown:
    metadata = message.get("metadata")
    if not isinstance(metadata, Mapping) or metadata.get("event_type") != REPLY:
        return {}
    payload = metadata.get("event_payload")
    return payload if isinstance(payload, Mapping) else {}
