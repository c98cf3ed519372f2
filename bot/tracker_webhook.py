"""An outside tracker behind a webhook: each change is one signed request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp

from bot.webhook_signature import signed
from memory.errors import TrackerRefused, TrackerUnavailable
from memory.model import utc
from memory.ports import Clock
from memory.tracker import TicketForgotten, TicketNews

#: How long a request may take, everything included.
_SECONDS = 10.0
#: Statuses in which the tracker, or what stands before it, asks for another try.
_LATER = frozenset((408, 425, 429))


class WebhookTracker:
    """The port `Tracker` over HTTP. Of an answer nothing but its status is read."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        keys: Sequence[bytes],
        clock: Clock,
        *,
        seconds: float = _SECONDS,
    ) -> None:
        """`seconds` is how long one request may take."""
        self._seconds = seconds
        self._session = session
        self._url = url
        self._keys = keys
        self._clock = clock

    async def tell(self, news: TicketNews | TicketForgotten) -> None:
        """As `Tracker` does. The signature is made anew with each try, the id stays."""
        body = json.dumps(_told(news), ensure_ascii=False).encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "helpdesk-bot",
            **signed(self._keys, news.delivery, int(self._clock().timestamp()), body),
        }
        try:
            async with (
                asyncio.timeout(self._seconds),
                # Another address than the configured one is not trusted with what is told.
                self._session.post(self._url, data=body, headers=headers, allow_redirects=False) as answer,
            ):
                _judge(answer.status, answer.headers.get("Retry-After", ""))
        except TimeoutError as error:
            raise TrackerUnavailable(f"It did not answer within {self._seconds:g} seconds.") from error
        except (aiohttp.ClientError, OSError) as error:
            raise TrackerUnavailable(f"It cannot be reached ({type(error).__name__}).") from error


def _judge(status: int, retry_after: str) -> None:
    """Raises TrackerUnavailable and TrackerRefused."""
    if 200 <= status < 300:
        return
    if status >= 500 or status in _LATER:
        raise TrackerUnavailable(f"It answered HTTP {status}.", wait=_seconds(retry_after))
    if 300 <= status < 400:
        raise TrackerRefused(f"It redirects (HTTP {status}); write the address to which it does so.")
    raise TrackerRefused(f"It answered HTTP {status}.")


def _seconds(retry_after: str) -> float:
    """What a header asks for in seconds; a date in it is not read."""
    return float(retry_after) if retry_after.isdecimal() and len(retry_after) < 10 else 0.0


def _told(news: TicketNews | TicketForgotten) -> Mapping[str, Any]:
    """What docs/tickets.md describes; a moment is told in UTC, by whoever's clock it was kept."""
    if isinstance(news, TicketForgotten):
        return {"type": "ticket.forgotten", "timestamp": utc(news.at).isoformat(), "data": {"ticket": news.ticket}}
    ticket: dict[str, Any] = {
        "ticket": news.ticket,
        "state": news.state.value,
        "category": news.category,
        "role": news.role.value,
    }
    if news.assignee is not None:
        ticket["assignee"] = news.assignee or None
    if news.words is not None:
        words = news.words
        ticket |= {"title": words.title, "requester": words.requester, "by": words.by, "text": words.said}
    kind = "ticket.opened" if news.opened else "ticket.changed"
    return {"type": kind, "timestamp": utc(news.at).isoformat(), "data": ticket}
