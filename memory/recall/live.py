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
    """Turns of the live episode that share terms with the question, and what was said right after each of them.

    Confidence is the share of the question's terms, lifted above the threshold for evidence: what was said two minutes
    ago in this very conversation is rarely beside the point.
    """
    if live is None:
        return []
    shares = [glossary.overlap(question.text, turn.text) for turn in live.turns]
    found: list[Evidence] = []
    for place, turn in enumerate(live.turns):
        share = max(shares[max(0, place - 1) : place + 1])
        if share >= _SPEAKS and _is_statement(turn):
            found.append(quote_turn(turn, live, min(1.0, 0.5 + share)))
    return found


def _is_statement(turn: Turn) -> bool:
    """Only what people said: the bot's own answers, and its entries on tickets, are no source."""
    return not turn.derived and not is_bookkeeping(turn)
