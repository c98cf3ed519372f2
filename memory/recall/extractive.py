"""Answers without a model: what settled a ticket is found by rule, and the ranking's own quotes are listed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from functools import partial
from itertools import islice

from memory.answers import Evidence
from memory.model import Episode, Question, Role, Turn
from memory.recall.asked_value import asks_for_what_is_missing
from memory.recall.evidence import SUPPORT, quote_turn
from memory.recall.intent import means_own
from memory.recall.moment import moment_of
from memory.recall.voices import Consultation, Verdict
from memory.text.entities import normalise
from memory.text.glossary import NO_GLOSSARY, Glossary
from memory.text.statements import folded_lines, stated_share, statements
from memory.text.statuses import is_solved
from memory.tickets import is_bookkeeping

#: What settled a ticket, found by rule.
_SETTLED = 0.7
_TICKETS = 2
#: The second ticket is quoted if its best quote is nearly as much trusted as the first one's.
_NEARLY = 0.85
#: Words that end in a question.
_QUESTION = re.compile(r"(?:[?？]|か[。．]?)\s*$")
_QUOTES = 6
#: Of a message that asks less than this is said besides; in more there may be what somebody else wants to know.
_MOSTLY_ASKED = 0.4


class ExtractiveAssistants:
    """Implements `Assistants` without a model: of each episode the turn that settled it, and for a moment that is past
    the last word of support by then."""

    def tokens(self, episode: Episode) -> int:
        return episode.tokens

    async def consult(self, question: Question, episodes: Sequence[Episode]) -> Consultation:
        at = moment_of(question).at
        said = _settling if at >= question.now else partial(_last_word, at)
        found = (quote_turn(turn, episode, _SETTLED) for episode in episodes for turn in said(episode))
        return Consultation(evidence=tuple(sorted(found, key=lambda one: one.said_from)))


def _settling(episode: Episode) -> Iterable[Turn]:
    """What support said last before the ticket was first resolved; nothing while it is open."""
    for place, turn in enumerate(episode.turns):
        if is_solved(turn.status):
            spoken = (one for one in reversed(episode.turns[: place + 1]) if not is_bookkeeping(one))
            helped = (one for one in spoken if one.role is Role.AGENT)
            return [turn for turn in [next(helped, None)] if turn is not None]
    return []


def _last_word(at: datetime, episode: Episode) -> Iterable[Turn]:
    """What support had said last at that moment."""
    said = (turn for turn in reversed(episode.turns) if turn.said_at <= at and not is_bookkeeping(turn))
    return islice((turn for turn in said if turn.role is Role.AGENT), 1)


class ExtractiveMaster:
    """Implements `Master` without a model: the most trusted quotes of the best tickets and the newest word on
    it, in time order, speak for themselves, beside what articles say."""

    def __init__(self, glossary: Glossary = NO_GLOSSARY) -> None:
        self._glossary = glossary

    async def answer(
        self, question: Question, language: str, recent: Sequence[Turn], evidence: Sequence[Evidence]
    ) -> Verdict:
        supporting = [place for place, one in enumerate(evidence) if _supports(one)]
        if asks_for_what_is_missing(question.text, _said_by_ticket(evidence[place] for place in supporting)):
            return Verdict(abstained=True)
        articles = [place for place in supporting if evidence[place].passage is not None]
        supporting = [place for place in supporting if evidence[place].passage is None]
        if all(_asks(evidence[place]) for place in supporting) or _nobody_knew(question, supporting, evidence):
            return Verdict(abstained=not articles, cited=tuple(articles))
        told = {evidence[place].ticket for place in supporting if not _asks(evidence[place])}
        supporting = [
            place for place in supporting if evidence[place].ticket in told and not _only_asks(evidence[place])
        ]
        strongest = sorted(supporting, key=lambda place: -evidence[place].confidence)
        tickets = _worth_quoting([evidence[place] for place in strongest], _answered(evidence))
        cited = [place for place in strongest if evidence[place].ticket in tickets][:_QUOTES]
        newest = self._newest_word(question, [(place, evidence[place]) for place in supporting])
        shown = _without_repeats(sorted({*cited, *newest, *articles}), evidence)
        return Verdict(abstained=False, cited=tuple(shown))

    def _newest_word(self, question: Question, supporting: Iterable[tuple[int, Evidence]]) -> list[int]:
        """The place of the newest of those that have most of the question: what was so when it was told may have
        changed since, however often it was told."""
        shares = [(self._glossary.overlap(question.text, one.quote), one.said_to, place) for place, one in supporting]
        share, _, place = max(shares)
        return [place] if share else []


def _worth_quoting(strongest: Sequence[Evidence], answered: Set[str]) -> list[str]:
    """The tickets that are quoted. Where nobody has answered in any of the best, the best one with an answer is quoted
    too: many who report the same say it in words like the question's, and know no more."""
    least = _NEARLY * strongest[0].confidence
    best = list(dict.fromkeys(one.ticket for one in strongest if one.confidence >= least))[:_TICKETS]
    if answered.isdisjoint(best):
        with_answer = (one.ticket for one in strongest if one.ticket in answered)
        best += islice(with_answer, 1)
    return best


def _without_repeats(places: Sequence[int], evidence: Sequence[Evidence]) -> list[int]:
    """The places without those whose lines all stand in another quote of the same ticket: what support wrote about a
    fix, and the same as it was shared with everyone."""
    said = {place: (evidence[place].ticket, folded_lines(evidence[place].quote)) for place in places}
    return [place for place in places if not any(_repeats(said, place, other) for other in places if other != place)]


def _repeats(said: Mapping[int, tuple[str, Set[str]]], place: int, other: int) -> bool:
    (ticket, lines), (other_ticket, more) = said[place], said[other]
    return ticket == other_ticket and len(lines) > 1 and (lines < more or (lines == more and other < place))


def _answered(evidence: Iterable[Evidence]) -> set[str]:
    """The tickets in which more than one person spoke."""
    speakers: dict[str, set[str]] = {}
    for one in evidence:
        if not one.derived and not _automatic(one):
            speakers.setdefault(one.ticket, set()).add(one.speaker)
    return {ticket for ticket, spoke in speakers.items() if len(spoke) > 1}


def _nobody_knew(question: Question, supporting: Sequence[int], evidence: Sequence[Evidence]) -> bool:
    """Whether all that supports is tickets in which somebody asked and nobody else has said a word. Who asks about a
    ticket by its name, or about a request of their own, wants to read just that."""
    if means_own(question):
        return False
    answered = _answered(evidence)
    named = normalise(question.text)
    tickets = {evidence[place].ticket for place in supporting if evidence[place].ticketed}
    known = {ticket for ticket in tickets if ticket in answered or normalise(ticket) in named}
    asked = {one.ticket for one in evidence if one.role is Role.REQUESTER and stated_share(one.quote) < _MOSTLY_ASKED}
    return all(evidence[place].ticket in asked - known for place in supporting)


def _said_by_ticket(supporting: Iterable[Evidence]) -> list[str]:
    said: dict[str, list[str]] = {}
    for one in supporting:
        said.setdefault(one.ticket, []).append(one.quote)
    return ["\n".join(quotes) for quotes in said.values()]


def _asks(one: Evidence) -> bool:
    """Somebody who asked the same does not know it either."""
    return one.role is Role.REQUESTER and _QUESTION.search(one.quote) is not None


def _only_asks(one: Evidence) -> bool:
    """A ticket's question says what its answer is about; in a talk it is just a question that somebody asked before."""
    return _asks(one) and not one.ticketed and not statements(one.quote)


def _supports(one: Evidence) -> bool:
    """The bot's own words support nothing, nor what a desk's automaton writes into tickets. Outside of tickets a
    program tells what people ask about: an alert, a finished build."""
    return not one.derived and not _automatic(one) and one.confidence >= SUPPORT


def _automatic(one: Evidence) -> bool:
    return one.role is Role.BOT and one.ticketed
