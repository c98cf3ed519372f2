"""Lists that Slack gives out a page at a time, as far as somebody is willing to read; and marks on our messages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from handlers.slack.acts.names import WANTED

#: Asks for the page after a cursor, None for the first.
Ask: TypeAlias = Callable[[str | None], Awaitable[Any]]

_REQUEST = "request"


async def paged(ask: Ask, name: str, most: int) -> AsyncIterator[Any]:
    """What stands under `name` in up to `most` pages. Raises what asking raises."""
    cursor: str | None = None
    for _ in range(most):
        said = await ask(cursor)
        for one in said.get(name) or ():
            yield one
        cursor = (said.get("response_metadata") or {}).get("next_cursor") or None
        if cursor is None:
            return


def mark(request: str, **more: str) -> dict[str, object]:
    """The metadata by which a message about this request is found again, after whatever happened."""
    return {"event_type": WANTED, "event_payload": {_REQUEST: request, **more}}


def is_marked(message: Any, request: str) -> bool:
    """Whether a message says by its metadata that it is about this request."""
    return marked(message).get(_REQUEST) == request


def marked(message: Any) -> Mapping[str, Any]:
    """What the metadata of a message of this kind says; empty on any other."""
    metadata = message.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("event_type") != WANTED:
        return {}
    payload = metadata.get("event_payload")
    return payload if isinstance(payload, dict) else {}
