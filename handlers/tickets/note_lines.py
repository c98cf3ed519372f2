"""What the note to the support team says of a request, line by line; the same on every platform."""

from __future__ import annotations

from dataclasses import dataclass

from handlers.characters import cleaned, one_line, readable
from handlers.handover import Handed, Wanted
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords
from memory.model import Turn
from memory.tickets import Ticket

#: So long are a name, one line of somebody's words, and what was written for the support team.
NAME, _LINE, _NOTE = 60, 150, 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLines:
    """`opening` stands above the rest; a line of `rest` may have line ends of its author's."""

    opening: str
    rest: tuple[str, ...]


def note_lines(
    wanted: Wanted,
    handed: Handed,
    who: str,
    asked: Turn | None,
    *,
    unshown: str,
    acts: ActWords,
    tickets: TicketWords,
) -> NoteLines:
    """Who wants a person (`who`, as colleagues say), and what for. `asked` is the message, None where those who read
    the note may not see it: then `unshown` says so. What the person wrote for the support team stands there in any
    case."""
    said = (acts.wanted_ticket if wanted.title else acts.wanted).format(name=one_line(who, NAME))
    rest = []
    if handed.away and handed.away.stand_in:
        rest.append(tickets.stand_in.format(name=one_line(handed.away.stand_in, NAME)))
    if wanted.title:
        rest.append(one_line(wanted.title, _LINE))
    if wanted.note:
        rest.append(cleaned(wanted.note[:_NOTE]))
    if asked is not None:
        rest.append(acts.wanted_words.format(words=one_line(asked.text, _LINE)))
    elif not wanted.title:
        rest.append(unshown)
    opening = tickets.of.format(ticket=handed.ticket.name, words=said) if handed.ticket else said
    return NoteLines(opening=opening, rest=tuple(filter(readable, rest)))


def agreed_line(wanted: Wanted, acts: ActWords) -> str:
    """What the person wants the support team to read."""
    return acts.wanted_agreed.format(words=cleaned(wanted.words[:_NOTE]))


def standing_line(ticket: Ticket, words: TicketWords) -> str:
    """Where a ticket stands, and whose it is."""
    owner = one_line(ticket.assignee, NAME) if ticket.assignee else words.nobody
    return words.standing.format(ticket=ticket.name, state=words.states[ticket.state], owner=owner)
