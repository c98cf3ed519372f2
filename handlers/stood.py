"""How tickets stand or stood, in words: what is said before the words that tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import partial
from itertools import groupby

from handlers.characters import one_line
from handlers.quote_lines import moment_text
from handlers.wording_standing import StandingWords
from handlers.wording_tickets import TicketWords
from handlers.wordings import Wording
from memory.answers import Answer, Stood
from memory.tickets import State

#: Characters of a name or of a status in the words of another tool.
_NAME = 60


def stood_text(answer: Answer, *, zone: tzinfo, wording: Wording) -> str:
    """A sentence for each ticket, or a line for each of its changes; times are in `zone`. Empty where no ticket's state
    was asked for."""
    moment = partial(moment_text, zone=zone, said=wording.phrases(answer.language))
    words, standing = wording.tickets(answer.language), wording.standing(answer.language)
    return "\n".join(
        line
        for _, found in groupby(answer.stood, key=lambda one: one.ticket)
        for line in _lines(list(found), words, standing, moment)
    )


def _lines(stood: Sequence[Stood], words: TicketWords, standing: StandingWords, moment: partial[str]) -> Iterator[str]:
    pattern = standing.then if len(stood) > 1 else standing.now
    for one in stood:
        since, owner = moment(one.since), one_line(one.assignee, _NAME) if one.assignee else words.nobody
        if one.since > one.at:
            yield standing.later.format(ticket=one.ticket, since=since)
        else:
            state = _state(one, words)
            yield pattern.format(at=moment(one.at), ticket=one.ticket, state=state, since=since, owner=owner)


def _state(one: Stood, words: TicketWords) -> str:
    """In our own words where it is a state of ours; what another tool calls it tells more."""
    ours = one.status is None or one.status in tuple(State)
    return words.states[one.state] if ours else one_line(one.status or "", _NAME)
