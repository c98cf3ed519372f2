"""What the note to the support team says of a request, line by line; the same on every platform."""

from __future__ import annotations

from dataclasses import dataclass

from handlers.characters import cleaned, one_line, readable
from handlers.earlier import CALLED
from handlers.files import named_once
from handlers.handover import Handed, Wanted
from handlers.quote_lines import in_marks
from handlers.tickets.background import Behind
from handlers.wording import Phrases
from handlers.wording_acts import ActWords
from handlers.wording_comebacks import ComebackWords
from handlers.wording_tickets import TicketWords
from handlers.wordings import Wording
from memory.model import SHARED, Turn
from memory.tickets import Ticket

#: So long are a name, one line of somebody's words, and what was written for the support team.
NAME, LINE, _NOTE = 60, 150, 2000
#: And so long is what stands there of what somebody else said, or was said before.
_QUOTE = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLines:
    """What stands there from above, each empty where there is nothing to be read: who wants it, who stands in, the
    title and the note that they gave (which may have line ends of its author's), and the message's words."""

    opening: str
    stand_in: str = ""
    title: str = ""
    note: str = ""
    words: str = ""

    @property
    def rest(self) -> tuple[str, ...]:
        """All that stands below the opening."""
        return tuple(filter(readable, (self.stand_in, self.title, self.note, self.words)))


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
    opening = tickets.of.format(ticket=handed.ticket.name, words=said) if handed.ticket else said
    stand_in = handed.away.stand_in if handed.away else ""
    return NoteLines(
        opening=opening,
        stand_in=tickets.stand_in.format(name=one_line(stand_in, NAME)) if stand_in else "",
        title=one_line(wanted.title, LINE),
        note=cleaned(wanted.note[:_NOTE]),
        words=words_line(asked, acts) if asked is not None else "" if wanted.title else unshown,
    )


def behind_lines(behind: Behind, ticket: Ticket | None, *, language: str, wording: Wording) -> tuple[str, ...]:
    """What stands behind the request, where those who read the note may see its words: what was said before it, what
    the bot found, and where the ticket belongs."""
    words, said = wording.background(language), wording.phrases(language)
    earlier = " ".join(in_marks(named_once(one.text), said, _QUOTE) for one in behind.earlier)
    lines = [words.earlier.format(words=earlier)] if earlier else []
    lines += [words.found.format(record=_record(one, said)) for one in behind.found]
    if behind.nothing:
        lines.append(words.nothing)
    if ticket is not None and ticket.category:
        lines.append(words.category.format(category=one_line(ticket.category, NAME)))
    return tuple(lines)


def _record(turn: Turn, said: Phrases) -> str:
    """The ticket by its name, who said it, and the beginning of that."""
    ticket = turn.conversation.thread if turn.conversation.platform == SHARED else turn.ticket
    names = [one_line(name, NAME) for name in (ticket, turn.speaker) if name]
    return " ".join([*names, in_marks(named_once(turn.text), said, _QUOTE)])


def words_line(asked: Turn, acts: ActWords) -> str:
    """The words of the message; of a call that is the bot's name alone there are none."""
    if asked.text == CALLED:
        return ""
    return acts.wanted_words.format(words=one_line(named_once(asked.text), LINE))


def agreed_line(said: str, acts: ActWords) -> str:
    """What the person wants the support team to read."""
    return acts.wanted_agreed.format(words=cleaned(said[:_NOTE]))


def earlier_line(earlier: Ticket, words: ComebackWords, tickets: TicketWords) -> str:
    """What the same person had asked in the same conversation before."""
    return words.earlier.format(ticket=earlier.name, state=tickets.states[earlier.state])


def standing_line(ticket: Ticket, words: TicketWords) -> str:
    """Where a ticket stands, and whose it is."""
    owner = one_line(ticket.assignee, NAME) if ticket.assignee else words.nobody
    return words.standing.format(ticket=ticket.name, state=words.states[ticket.state], owner=owner)
