"""The hook by which a request goes from the bot to a person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from handlers.tickets.records import Away
from memory.audit_log import AuditEntry, AuditKind
from memory.model import Conversation, Viewer, turn_id
from memory.ports import Clock, HandedOver, Ledger
from memory.redaction import redacted_text
from memory.text.language import LanguageCode
from memory.text.redact import Redactor
from memory.tickets import Ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Somebody wants a person to take over: who (`viewer`, whom colleagues call `name`, where the platform told it), in
    which conversation, with which message, written at `said_at` where that is known; `root` is the message that began
    the conversation, where that one may not be kept. `title` and `note` in their own words where they gave any, `link`
    to the conversation where the platform has one that others can open. `words` are those of the message where the
    person wants them to be shown though they were private. `requester` is who asks with a message of somebody else's,
    as who calls the bot below it; "" where it is the author's own request."""

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
    requester: str = ""

    @property
    def user(self) -> str:
        return self.viewer.user


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """Somebody was told. `ticket` is the request's, None where its message was not kept; `away` is set while support
    agents do not work. `added`: the ticket was there before, and this is added to it; `others`: it is somebody else's
    request. `same_as` is another open ticket that may be about the same, which who asked may see. `again`: the same had
    been handed over before. `back`: the ticket was resolved, and is open again by this. `over`: it is settled and stays
    so, and nobody was told. `earlier` is the ticket that the same person had in the same conversation before."""

    ticket: Ticket | None
    away: Away | None
    added: bool = False
    others: bool = False
    same_as: Ticket | None = None
    again: bool = False
    back: bool = False
    over: bool = False
    earlier: Ticket | None = None


class HandOver(Protocol):
    """Makes a ticket of what is wanted, and tells the people who take over."""

    async def __call__(self, wanted: Wanted) -> Handed | None:
        """What came of it; None where nobody was told. The same again is the same ticket and tells nobody twice. Raises
        PlatformUnavailable and StoreUnavailable where it is not known."""
        ...


class RedactedHandOver:
    """The hook `HandOver` over another one: what people filled in goes on without secrets."""

    def __init__(self, hand_over: HandOver, redactor: Redactor) -> None:
        self._hand_over = hand_over
        self._redactor = redactor

    async def __call__(self, wanted: Wanted) -> Handed | None:
        given = (wanted.title, wanted.note, wanted.words)
        title, note, words = [await redacted_text(one, self._redactor) for one in given]
        return await self._hand_over(replace(wanted, title=title, note=note, words=words))


class CountedHandOver:
    """The hook with a ledger behind it: that somebody was told is counted, whatever platform it was on."""

    def __init__(self, hand_over: HandOver, ledger: Ledger, clock: Clock) -> None:
        self._hand_over = hand_over
        self._ledger = ledger
        self._clock = clock

    async def __call__(self, wanted: Wanted) -> Handed | None:
        """As `HandOver`."""
        handed = await self._hand_over(wanted)
        if handed is not None and not handed.over:
            message = turn_id(wanted.conversation, wanted.message)
            request = HandedOver(turn=message, conversation=wanted.conversation.id, at=self._clock())
            await self._ledger.note_handed_over(request, _told(request, wanted, handed))
        return handed


def _told(request: HandedOver, wanted: Wanted, handed: Handed) -> AuditEntry:
    ticket = (handed.ticket.name,) if handed.ticket else ()
    return AuditEntry(kind=AuditKind.HANDED_OVER, at=request.at, person=wanted.user, about=(request.turn, *ticket))
