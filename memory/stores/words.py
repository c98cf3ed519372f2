"""What holds for the words in every store: how they are cleaned, when two are the same, what people call them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar
from unicodedata import normalize

from memory.errors import InputRefused
from memory.model import Conversation, Note, Turn, Visibility, utc
from memory.personal import Request
from memory.ports import TicketState
from memory.text.statuses import is_settled
from memory.text.titles import title_of

#: No database stores these: PostgreSQL refuses NUL, and a lone surrogate has no UTF-8 form.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

#: The texts of a turn and of its conversation.
_TEXTS = ("ticket", "message", "author", "text", "requester", "title", "status", "assignee", "speaker")
_PLACE = ("platform", "workspace", "channel", "thread")

#: What makes a second delivery another version: the words, the ticket and its state, and who may see them. The moment
#: is not among them: the same message told with another time is a repeat.
CONTENT = ("text", "ticket", "title", "status", "assignee", "visibility", "requester")
Content = tuple[str | None, ...]
_TICKET = CONTENT.index("ticket")

_Turn = TypeVar("_Turn", bound=Turn)


def storable(value: str) -> str:
    """The same text with NUL and lone surrogates as U+FFFD, which every database takes."""
    return _UNSTORABLE.sub("\ufffd", value) if _UNSTORABLE.search(value) else value


def cleaned(turn: _Turn) -> _Turn:
    """The turn as every store keeps it: NUL and lone surrogates are U+FFFD in each of its texts, ids included.

    Raises InputRefused for a time that no calendar has in UTC.
    """
    try:
        utc(turn.said_at)
    except OverflowError as error:
        raise InputRefused(f"The message {turn.message!r} has an impossible time; correct its date.") from error
    place = turn.conversation
    everything = [getattr(turn, name) or "" for name in _TEXTS] + [getattr(place, name) for name in _PLACE]
    if not _UNSTORABLE.search("\n".join(everything)):
        return turn
    return replace(turn, conversation=replace(place, **_changed(place, _PLACE)), **_changed(turn, _TEXTS))


def cleaned_note(note: Note) -> Note:
    """The note as every store keeps it; a model may write any character."""
    texts = _changed(note, ("fingerprint", "summary", "context", "made_by", "cause"))
    lists: dict[str, Any] = {
        name: tuple(map(storable, getattr(note, name))) for name in ("keywords", "tags", "entities")
    }
    return replace(note, **texts, **lists)


def _changed(record: Turn | Conversation | Note, names: Sequence[str]) -> dict[str, Any]:
    """Those of these fields that cannot be stored as they are, in the form that can."""
    values = {name: getattr(record, name) for name in names}
    return {name: kept for name, value in values.items() if value and (kept := storable(value)) is not value}


def content(turn: Turn) -> Content:
    """Two deliveries of one message with equal content are the same version."""
    return tuple(getattr(turn, name) for name in CONTENT)


def lasting(turn: Turn) -> bool:
    """Whether it is kept whatever its age from the start: articles go with their files, never by their age."""
    return turn.visibility is Visibility.COLLECTION


def is_repeat(words: Content, versions: Set[Content]) -> bool:
    """Whether a delivery brings nothing new. One that names no ticket says nothing of it: the turn may have come to
    belong to a ticket since it was said."""
    if words in versions or words[_TICKET] is not None:
        return words in versions
    return any(_apart_from_ticket(words) == _apart_from_ticket(version) for version in versions)


def _apart_from_ticket(words: Content) -> Content:
    return words[:_TICKET] + words[_TICKET + 1 :]


def name_key(name: str) -> str:
    """How a ticket's, thread's or message's name is looked up: case and width do not count."""
    return normalize("NFKC", storable(name)).strip().casefold()


def readings(ref: str) -> list[tuple[str, str | None]]:
    """What `ref` may mean, as (name, message) keys: the whole of it a name, or its last part a message."""
    whole: list[tuple[str, str | None]] = [(name_key(ref), None)]
    name, slash, message = ref.rpartition("/")
    return [*whole, (name_key(name), name_key(message))] if slash else whole


def states(said: Iterable[Turn]) -> dict[str, TicketState]:
    """The state of each ticket by its key, out of turns in time order."""
    tickets: dict[str, list[Turn]] = {}
    for turn in said:
        if turn.ticket is not None:
            tickets.setdefault(name_key(turn.ticket), []).append(turn)
    return {key: _state(part) for key, part in tickets.items()}


def _state(said: Sequence[Turn]) -> TicketState:
    first = said[0]
    return TicketState(
        ticket=first.ticket or "",
        title=last_given([turn.title for turn in said]),
        status=last_given([turn.status for turn in said]),
        assignee=last_given([turn.assignee for turn in said]) or None,
        requester=first.requester,
        opened_at=first.said_at,
        changed_at=_changed_at(said),
    )


def request_of(said: Sequence[Turn]) -> Request:
    """The request that these turns of one conversation are: at least one, in time order. The first, the last, and the
    last ones that carry a ticket, a title and a status are enough."""
    first, status = said[0], last_given([turn.status for turn in said])
    ticket, title = last_given([turn.ticket for turn in said]), last_given([turn.title for turn in said])
    return Request(
        conversation=first.conversation,
        message=first.message,
        ticket=ticket,
        title=title or title_of(first.text) or ticket or first.conversation.thread,
        status=status,
        open=not is_settled(status),
        opened_at=first.said_at,
        changed_at=said[-1].said_at,
    )


def last_given(values: Sequence[str | None]) -> str | None:
    """The last value that was given, None where none was."""
    return next((value for value in reversed(values) if value is not None), None)


def _changed_at(said: Sequence[Turn]) -> datetime:
    """When title, status or assignee last took another value; when it was opened if they never did."""
    changed, known = said[0].said_at, (said[0].title, said[0].status, said[0].assignee)
    for turn in said[1:]:
        given = (turn.title, turn.status, turn.assignee)
        now = tuple(new if new is not None else old for new, old in zip(given, known, strict=True))
        if now != known:
            changed, known = turn.said_at, (now[0], now[1], now[2])
    return changed
