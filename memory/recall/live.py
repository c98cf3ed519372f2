"""Evidence from what is being said right now: known at once, by its words, before any flush has taken it up."""

from __future__ import annotations

from memory.answers import Evidence
from memory.model import Episode, Question, Turn
from memory.recall.evidence import quote_turn
from memory.text.glossary import NO_GLOSSARY, Glossary
from memory.tickets import is_bookkeeping

#: From this share of the question's terms on, a turn of the running conversation speaks to the question.
_SPEAKS = 0.2


def live_evidence(question: Question, live: Episode | None, glossary: Glossary = NO_GLOSSARY) -> list[Evidence]:
    """Turns of the live episode that share terms with the question, and what somebody else said right after each of
    them: an answer seldom repeats the words of what it answers.

    Confidence is the share of the question's terms, lifted above the threshold for evidence: what was said two minutes
    ago in this very conversation is rarely beside the point.
    """
    if live is None:
        return []
    found: list[Evidence] = []
    before: tuple[str, float] | None = None
    for turn in filter(_is_statement, live.turns):
        share = glossary.overlap(question.text, turn.text)
        answered = before[1] if before and before[0] != turn.author else 0.0
        before = turn.author, share
        if max(share, answered) >= _SPEAKS:
            found.append(quote_turn(turn, live, min(1.0, 0.5 + max(share, answered))))
    return found


def _is_statement(turn: Turn) -> bool:
    """Only what people said: the bot's own answers, and its entries on tickets, are no source."""
    return not turn.derived and not is_bookkeeping(turn)
