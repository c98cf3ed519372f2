"""The hook by which a request goes from the bot to a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from handlers.tickets.records import Away
from memory.model import Conversation, Viewer
from memory.text.language import LanguageCode
from memory.tickets import Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Somebody wants a person to take over: who (`viewer`, whom colleagues call `name`, where the platform told it), in
    which conversation, with which message, written at `said_at` where that is known; `root` is the message that began
    the conversation, where that one may not be kept. `title` and `note` in their own words where they gave any, `link`
    to the conversation where the platform has one that others can open. `words` are those of the message where the
    person wants them to be shown though they were private."""

    conversation: Conversation
    message: str
    viewer: Viewer
    language: LanguageCode
    name: str = ""
    root: str = ""
    title: str = ""
    note: str = ""
    link: str | None = None
    said_at: datetime | None = None
    words: str = ""

    @property
    def user(self) -> str:
        return self.viewer.user


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """Somebody was told. `ticket` is the request's, None where its message was not kept; `away` is set while support
    agents do not work."""

    ticket: Ticket | None
    away: Away | None


class HandOver(Protocol):
    """Makes a ticket of what is wanted, and tells the people who take over."""

    async def __call__(self, wanted: Wanted) -> HandedOver | None:
        """What came of it; None where nobody was told. The same again is the same ticket and tells nobody twice. Raises
        PlatformUnavailable and StoreUnavailable where it is not known."""
        ...
