"""What people are shown of their own: their requests, what is remembered of them, and the question before it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from handlers.acts.own import Own, WouldGo
from handlers.acts.own_lines import (
    MOST_REQUESTS,
    RECENT,
    going_lines,
    kept_line,
    known_lines,
    known_title,
    request_lines,
)
from handlers.markup.inline import may_link
from handlers.slack.acts.names import FORGET, FORGET_NO, FORGET_YES
from handlers.slack.acts.pieces import button, buttons, heading, items, paragraph, small
from handlers.slack.address import address_of, permalink
from handlers.slack.installations import Installation
from handlers.slack.records import PLATFORM
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords
from memory.personal import Request
from memory.remember.profiles import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """For whom a page is: the person's words and clock, and the workspace in which links lead somewhere."""

    user: str
    language: str
    words: ActWords
    tickets: TicketWords
    zone: tzinfo
    here: Installation

    def link(self, request: Request) -> str | None:
        """Only what was asked in this workspace has an address here, and only where the workspace's own is known."""
        conversation = request.conversation
        if (
            request.message is None
            or conversation.platform != PLATFORM
            or conversation.workspace != self.here.workspace
        ):
            return None
        link = permalink(self.here.home, address_of(conversation), request.message)
        return link if may_link(link) else None


def requests_page(own: Own, reader: Reader) -> list[Block]:
    """The person's requests with date, state and link."""
    return [*heading(reader.words.requests), *request_list(own.requests, reader)]


def request_list(requests: Sequence[Request], reader: Reader, most: int = MOST_REQUESTS) -> list[Block]:
    """Up to `most` requests, and whether there are more."""
    words = reader.words
    if not requests:
        return paragraph(words.requests_none)
    more = [small(words.requests_more.format(count=most))] if len(requests) > most else []
    return [*items(request_lines(requests, reader, most)), *more]


def memory_page(own: Own, reader: Reader) -> list[Block]:
    """How much of the person's words is kept since when, the latest requests, what is on record, and how to be
    forgotten."""
    words = reader.words
    recent = [*heading(words.recent), *request_list(own.requests, reader, RECENT)] if own.requests else []
    return [
        *heading(words.memory),
        *paragraph(kept_line(own.kept, reader)),
        *recent,
        *_known(own.profile, reader),
        *([buttons(forget_button(words), language=reader.language)] if own.kept.messages else []),
    ]


def _known(profile: Profile | None, reader: Reader) -> list[Block]:
    lines = known_lines(profile, reader)
    return [*heading(known_title(profile, reader)), *items(lines)] if profile and lines else []


def forget_button(words: ActWords) -> Block:
    """Leads to the question; it does nothing itself."""
    return button(FORGET, words.forget, style="danger")


def forget_question(would: WouldGo, reader: Reader) -> list[Block]:
    """What will go and what stays. The buttons name the person who was asked, and are good for nobody else."""
    words = reader.words
    lines = going_lines(would, words.forget_stays, words, reader.tickets)
    yes = button(FORGET_YES, words.forget_yes, reader.user, style="danger")
    no = button(FORGET_NO, words.forget_no, reader.user)
    return [*heading(words.forget_question), *items(lines), buttons(yes, no, language=reader.language)]
