"""The hook by which a request goes from the bot to a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.model import Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Somebody wants a person to take over: who (`user`, whom colleagues call `name`, where the platform told it), in
    which conversation, with which message, written at `said_at` where that is known; `title` and `note` in their own
    words where they gave any, `link` to the conversation where the platform has one that others can open. `words` are
    those of the message where the person wants them to be shown though they were private."""

    conversation: Conversation
    message: str
    user: str
    language: str
    name: str = ""
    title: str = ""
    note: str = ""
    link: str | None = None
    said_at: datetime | None = None
    words: str = ""


class HandOver(Protocol):
    """Tells the people who take over."""

    async def __call__(self, wanted: Wanted) -> bool:
        """Whether somebody was told, and shown the `words`; the same again tells nobody twice. Raises
        PlatformUnavailable and StoreUnavailable where it is not known."""
        ...
