"""What people are shown of their own, line by line, on every platform: their requests, and what is remembered of
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Protocol

from handlers.acts.own import WouldGo
from handlers.acts.predicates import predicate_called
from handlers.characters import one_line
from handlers.markup.inline import label
from handlers.markup.parts import Span
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords
from memory.personal import Kept, Request
from memory.remember.profiles import Profile
from memory.text.language import detect_language
from memory.text.statuses import state_of
from memory.tickets import State

#: Requests that a list shows, and those that stand below what is remembered.
MOST_REQUESTS, RECENT = 10, 5
#: Values of a profile that are shown.
_MOST_KNOWN = 15
_TITLE, _VALUE, _NAME = 80, 120, 60
#: Of what somebody did the words say all.
_DEED = "did"
_OURS = frozenset(state.value for state in State)


class Reader(Protocol):
    """For whom it is: the person's words and clock, and where a request can be opened, if anywhere."""

    @property
    def language(self) -> str: ...
    @property
    def words(self) -> ActWords: ...
    @property
    def tickets(self) -> TicketWords: ...
    @property
    def zone(self) -> tzinfo: ...
    def link(self, request: Request, /) -> str | None: ...


def request_lines(requests: Sequence[Request], reader: Reader, most: int) -> list[Span]:
    """The first requests, up to `most`, each with date, the ticket's name, title, state and link."""
    return [_request(one, reader) for one in requests[:most]]


def _request(request: Request, reader: Reader) -> Span:
    words = reader.words
    called = words.untitled if request.title == request.ticket else request.title
    title = label(one_line(f"{request.ticket or ''} {called}", _TITLE))
    text = words.request.format(day=_day(request.opened_at, reader), title=title, status=_state(request, reader))
    return Span(text=text, url=reader.link(request))


def _state(request: Request, reader: Reader) -> str:
    """In our words where the status is one of ours, or in another language than the reader's; else in those of the tool
    that it came from."""
    if request.status in _OURS:
        return reader.tickets.states[State(request.status)]
    theirs = one_line(request.status or "", _NAME)
    if not theirs:
        return reader.words.open if request.open else reader.words.settled
    foreign = detect_language(theirs, "en") != reader.language
    return reader.tickets.states[state_of(theirs)] if foreign else theirs


def kept_line(kept: Kept, reader: Reader) -> str:
    """How much of the person's words is kept, from when to when."""
    if kept.first_at is None or kept.last_at is None:
        return reader.words.kept_none
    first, last = _day(kept.first_at, reader), _day(kept.last_at, reader)
    return reader.words.kept.format(count=kept.messages, first=first, last=last)


def known_title(profile: Profile, reader: Reader) -> str:
    """Whose the lines below are."""
    return reader.words.known.format(name=one_line(profile.subject, _NAME))


def known_lines(profile: Profile | None, reader: Reader) -> list[str]:
    """What holds now of what is on record, each with the day since when."""
    return list(_values(profile, reader))[:_MOST_KNOWN] if profile else []


def _values(profile: Profile, reader: Reader) -> Iterator[str]:
    for attribute in profile.attributes:
        for one in attribute.current:
            value, since = one_line(one.value, _VALUE), _day(one.valid_from, reader)
            if attribute.predicate == _DEED:
                yield reader.words.known_deed.format(value=value, day=since)
            else:
                name = one_line(predicate_called(attribute.predicate, reader.language), _NAME)
                yield reader.words.known_line.format(predicate=name, value=value, since=since)


def _day(moment: datetime, reader: Reader) -> str:
    return f"{moment.astimezone(reader.zone):%Y-%m-%d}"


def going_lines(would: WouldGo, stays: Iterable[str], words: ActWords, tickets: TicketWords) -> list[str]:
    """What goes, what ends and what stays when the person is forgotten."""
    goes = [line.format(count=would.messages) for line in words.forget_goes]
    ends = [tickets.forget_ends.format(count=would.requests)] if would.requests else []
    return [*goes, *ends, *stays]
