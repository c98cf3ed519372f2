"""The hook by which a request goes from the bot to a person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from memory.model import Conversation, turn_id
from memory.ports import Clock, HandedOver, Ledger
from memory.redaction import redacted_text
from memory.text.redact import Redactor


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


class RedactedHandOver:
    """The hook `HandOver` over another one: what people filled in goes on without secrets."""

    def __init__(self, hand_over: HandOver, redactor: Redactor) -> None:
        self._hand_over = hand_over
        self._redactor = redactor

    async def __call__(self, wanted: Wanted) -> bool:
        given = (wanted.title, wanted.note, wanted.words)
        title, note, words = [await redacted_text(one, self._redactor) for one in given]
        return await self._hand_over(replace(wanted, title=title, note=note, words=words))


class CountedHandOver:
    """The hook with a ledger behind it: that somebody was told is counted, whatever platform it was on."""

    def __init__(self, hand_over: HandOver, ledger: Ledger, clock: Clock) -> None:
        self._hand_over = hand_over
        self._ledger = ledger
        self._clock = clock

    async def __call__(self, wanted: Wanted) -> bool:
        """As `HandOver`."""
        told = await self._hand_over(wanted)
        if told:
            message = turn_id(wanted.conversation, wanted.message)
            request = HandedOver(turn=message, conversation=wanted.conversation.id, at=self._clock())
            await self._ledger.note_handed_over(request)
        return told
