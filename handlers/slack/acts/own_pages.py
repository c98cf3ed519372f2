"""What people are shown of their own: their requests, what is remembered of them, and the question before it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from handlers.acts.own import Own
from handlers.characters import one_line
from handlers.markup.inline import may_link
from handlers.markup.parts import Span
from handlers.slack.acts.names import FORGET, FORGET_NO, FORGET_YES
from handlers.slack.acts.pieces import button, buttons, heading, items, paragraph, small
from handlers.slack.address import address_of, permalink
from handlers.slack.installations import Installation
from handlers.slack.records import PLATFORM
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords
from memory.personal import Kept, Request
from memory.remember.profiles import Profile

#: Requests that a list shows, and those that stand below what is remembered.
MOST_REQUESTS, RECENT = 10, 5
#: Values of a profile that are shown.
_MOST_KNOWN = 15
_TITLE, _VALUE, _NAME = 80, 120, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """For whom a page is: the person's words and clock, and the workspace in which links lead somewhere."""

    user: str
    words: ActWords
    zone: tzinfo
    here: Installation


def requests_page(own: Own, reader: Reader) -> list[Block]:
    """The person's requests with date, state and link."""
    return [*heading(reader.words.requests), *request_list(own.requests, reader)]


def request_list(requests: Sequence[Request], reader: Reader, most: int = MOST_REQUESTS) -> list[Block]:
    """Up to `most` requests, and whether there are more."""
    words = reader.words
    if not requests:
        return paragraph(words.requests_none)
    more = [small(words.requests_more.format(count=most))] if len(requests) > most else []
    return [*items(_request(one, reader) for one in requests[:most]), *more]


def _request(request: Request, reader: Reader) -> Span:
    words = reader.words
    state = one_line(request.status or "", _NAME) or (words.open if request.open else words.settled)
    title = one_line(request.title, _TITLE)
    text = words.request.format(day=_day(request.opened_at, reader), title=title, status=state)
    return Span(text=text, url=_link(request, reader))


def _link(request: Request, reader: Reader) -> str | None:
    """Only what was asked in this workspace has an address here, and only where the workspace's own is known."""
    conversation = request.conversation
    if conversation.platform != PLATFORM or conversation.workspace != reader.here.workspace:
        return None
    link = permalink(reader.here.home, address_of(conversation), request.message)
    return link if may_link(link) else None


def memory_page(own: Own, reader: Reader) -> list[Block]:
    """How much of the person's words is kept since when, the latest requests, what is on record, and how to be
    forgotten."""
    words = reader.words
    recent = [*heading(words.recent), *request_list(own.requests, reader, RECENT)] if own.requests else []
    return [
        *heading(words.memory),
        *kept_line(own.kept, reader),
        *recent,
        *_known(own.profile, reader),
        *([buttons(forget_button(words))] if own.kept.messages else []),
    ]


def kept_line(kept: Kept, reader: Reader) -> list[Block]:
    """How much is kept, from when to when."""
    words = reader.words
    if kept.first_at is None or kept.last_at is None:
        return paragraph(words.kept_none)
    first, last = _day(kept.first_at, reader), _day(kept.last_at, reader)
    return paragraph(words.kept.format(count=kept.messages, first=first, last=last))


def _known(profile: Profile | None, reader: Reader) -> list[Block]:
    if profile is None:
        return []
    lines = list(_values(profile, reader))[:_MOST_KNOWN]
    return [*heading(reader.words.known.format(name=one_line(profile.subject, _NAME))), *items(lines)] if lines else []


def _values(profile: Profile, reader: Reader) -> Iterator[str]:
    for attribute in profile.attributes:
        for one in attribute.current:
            value, since = one_line(one.value, _VALUE), _day(one.valid_from, reader)
            yield reader.words.known_line.format(predicate=attribute.predicate, value=value, since=since)


def forget_button(words: ActWords) -> Block:
    """Leads to the question; it does nothing itself."""
    return button(FORGET, words.forget, style="danger")


def forget_question(messages: int, reader: Reader) -> list[Block]:
    """What will go and what stays. The buttons name the person who was asked, and are good for nobody else."""
    words = reader.words
    lines = [line.format(count=messages) for line in (*words.forget_goes, *words.forget_stays)]
    yes = button(FORGET_YES, words.forget_yes, reader.user, style="danger")
    no = button(FORGET_NO, words.forget_no, reader.user)
    return [*heading(words.forget_question), *items(lines), buttons(yes, no)]


def _day(moment: datetime, reader: Reader) -> str:
    return f"{moment.astimezone(reader.zone):%Y-%m-%d}"
