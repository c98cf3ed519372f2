"""The hook by which a request goes from the bot to a person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from memory.model import Conversation
from memory.redaction import redacted_text
from memory.text.redact import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Somebody wants a person to take over: who (`user`, whom colleagues call `name`, where the platform told it), in
    which conversation, with which message; `title` and `note` in their own words where they gave any, `link` to the
    conversation where the platform has one."""

    conversation: Conversation
    message: str
    user: str
    language: str
    name: str = ""
    title: str = ""
    note: str = ""
    link: str | None = None


class HandOver(Protocol):
    """Tells the people who take over."""

    async def __call__(self, wanted: Wanted) -> bool:
        """Whether somebody was told; the same request again tells nobody twice. Raises PlatformUnavailable and
        StoreUnavailable where it is not known."""
        ...


class RedactedHandOver:
    """The hook `HandOver` over another one: what people filled in goes on without secrets."""

    def __init__(self, hand_over: HandOver, redactor: Redactor) -> None:
        self._hand_over = hand_over
        self._redactor = redactor

    async def __call__(self, wanted: Wanted) -> bool:
        title = await redacted_text(wanted.title, self._redactor)
        note = await redacted_text(wanted.note, self._redactor)
        return await self._hand_over(replace(wanted, title=title, note=note))
