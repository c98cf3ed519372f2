"""Requests that go to a person, as tickets: whatever the platform, and how who asked is told of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TypeAlias

import structlog

from handlers.handover import Handed, Wanted
from handlers.quote_lines import in_marks, moment_text
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from handlers.wording_comebacks import ComebackWords
from handlers.wording_tickets import TicketWords
from handlers.wordings import Wording
from memory.errors import StepRefused, TicketUnknown
from memory.model import Conversation, turn_id
from memory.text.language import LanguageCode
from memory.tickets import UNSETTLED, Ticket

log = structlog.get_logger()

#: The settled ticket that a message (a turn's id) with which somebody asks for a person is about: open again, or not;
#: None where it is about none (`handlers.tickets.comebacks.Comebacks.wanted`).
Settled: TypeAlias = Callable[[str, Actor], Awaitable[Ticket | None]]

#: Notes where the support team talks about a ticket, and the id of the turn that is shown there
#: (`handlers.tickets.relay.Relay.lay`).
Lay: TypeAlias = Callable[[Ticket, Conversation, str], Awaitable[None]]

_TITLE = 80


async def handed_to(wanted: Wanted, desk: TicketDesk, settled: Settled) -> Handed:
    """What comes of a request at the desk, before anybody is told: its ticket, and until when support is away. Raises
    StoreUnavailable."""
    actor = Actor(viewer=wanted.viewer, name=wanted.name, language=wanted.language)
    for message in _messages(wanted):
        turn = turn_id(wanted.conversation, message)
        try:
            if (ticket := await settled(turn, actor)) is not None:
                return _handed(wanted, ticket, desk, back=ticket.state in UNSETTLED)
            ticket = await desk.of_message(turn, actor, title=wanted.title, requester=wanted.requester)
        except (TicketUnknown, StepRefused) as error:
            log.info("request_without_ticket", error=type(error).__name__)
        else:
            return replace(_handed(wanted, ticket, desk), earlier=await desk.before(ticket, wanted.viewer))
    # Nothing of the request was kept, so that no ticket can be made.
    return Handed(ticket=None, away=desk.away())


def _handed(wanted: Wanted, ticket: Ticket, desk: TicketDesk, *, back: bool = False) -> Handed:
    added = not back and ticket.opened_by not in [turn_id(wanted.conversation, one) for one in _messages(wanted)]
    others = ticket.requester != (wanted.requester or wanted.user)
    over = ticket.state not in UNSETTLED
    return Handed(ticket=ticket, away=desk.away(), added=added, others=others, back=back, over=over)


def _messages(wanted: Wanted) -> Sequence[str]:
    """Of which a ticket can be made, the first that was kept."""
    return [*dict.fromkeys((wanted.message, wanted.root or wanted.message))]


def told(words: str, handed: Handed, *, language: LanguageCode, zone: tzinfo, wording: Wording) -> str:
    """`words` about a request that was handed over, with its ticket, and when somebody will be there in the asker's
    `zone`; that it is no ticket of its own, where that is so; and which open ticket may be about the same."""
    about, said = wording.tickets(language), wording.phrases(language)
    lines = [about.of.format(ticket=handed.ticket.name, words=words) if handed.ticket else words]
    lines += _whose(handed, about, wording.comebacks(language))
    if handed.away is not None:
        lines.append(about.away.format(back=moment_text(handed.away.back, zone=zone, said=said)))
    if (same := handed.same_as) is not None:
        since, title = moment_text(same.opened_at, zone=zone, said=said), in_marks(same.title, said, _TITLE)
        button = about.same.format(ticket=same.name)
        lines.append(about.same_as.format(ticket=same.name, title=title, since=since, button=button))
    return "\n".join(lines)


def came_of(handed: Handed, language: LanguageCode, wording: Wording) -> str:
    """What is said first of a request that was handed over: for the first time, again, or of a ticket that is open
    again by it."""
    acts = wording.acts(language)
    if handed.back:
        return wording.comebacks(language).came_back
    return acts.told_already if handed.again else acts.told


def over(wanted: Wanted, ticket: Ticket, *, language: LanguageCode, wording: Wording) -> str:
    """That a request is about a ticket which is settled, so that nobody was told; what was filled in comes back."""
    words = wording.comebacks(language)
    others = ticket.requester != (wanted.requester or wanted.user)
    first = [words.others.format(ticket=ticket.name)] if others else []
    said = words.over.format(ticket=ticket.name, state=wording.tickets(language).states[ticket.state])
    return "\n".join([*first, said, *filter(None, (wanted.title, wanted.note))])


def _whose(handed: Handed, words: TicketWords, comebacks: ComebackWords) -> list[str]:
    """That what was asked is no ticket of its own, or that it is somebody else's."""
    if handed.ticket is None or handed.back:
        return []
    if handed.added and not handed.again:
        return [(words.added_others if handed.others else words.added).format(ticket=handed.ticket.name)]
    return [comebacks.others.format(ticket=handed.ticket.name)] if handed.others and handed.again else []
