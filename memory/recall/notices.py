"""What support has announced as changed, or corrected, takes the place of what it had said before on the same in the
same ticket: whoever acts on the older words does the wrong thing, however often they were said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.answers import Evidence
from memory.model import Role
from memory.text.dates import Bound, mentions
from memory.text.entities import normalise
from memory.text.glossary import Glossary
from memory.text.sentences import runs_without, sentences

#: How people mark that what follows replaces what was said.
_MARK = re.compile(
    r"\s*(?:[【\[(][^】\])]{0,16}(?:変更|訂正|改訂|延期|correction|change)[^】\])]{0,16}[】\])]"
    r"|(?:変更|訂正|改訂)(?:です|します)?[:。]"
    r"|(?:correction|amendment|change of (?:rule|plan|date|procedure)s?|(?:rule|date|plan|procedure) change)\s*:)"
)
#: Of two sentences about different things less than this share of the terms is the same.
_SAME = 0.1
_VALUE = re.compile(r"\d")


def without_replaced(evidence: Sequence[Evidence], moment: datetime, glossary: Glossary) -> list[Evidence]:
    """The evidence without an agent's sentences with numbers of which the same ticket has a later notice, one that was
    given by `moment` and counts by then. What is left of a quote stays word for word, and a notice is trusted as what
    it replaced."""
    notices = [one for one in evidence if _is_notice(one, moment)]
    kept: list[Evidence] = []
    trust: dict[tuple[str, ...], float] = {}
    for one in evidence:
        later = [notice for notice in notices if _is_later(notice, one)]
        replacing = [notice for notice in later if _replaces(notice, one.quote, glossary)]
        for notice in replacing:
            trust[notice.turn_ids] = max(one.confidence, trust.get(notice.turn_ids, 0.0))
        kept.extend(replace(one, quote=run) for run in _runs(one.quote, replacing, glossary))
    return [replace(one, confidence=max(one.confidence, trust.get(one.turn_ids, 0.0))) for one in kept]


def _is_notice(one: Evidence, moment: datetime) -> bool:
    if one.role is not Role.AGENT or one.said_from > moment or not _MARK.match(normalise(one.quote)):
        return False
    begins = (mention.range.start for mention in mentions(one.quote, one.said_from) if mention.bound is Bound.FROM)
    return all(begin <= moment for begin in begins)


def _is_later(notice: Evidence, one: Evidence) -> bool:
    return one.role is Role.AGENT and notice.ticket == one.ticket and notice.said_from > one.said_to


def _runs(quote: str, notices: Sequence[Evidence], glossary: Glossary) -> list[str]:
    """The quote, or the runs of its sentences that no notice replaces, each a verbatim part of it."""
    if not notices:
        return [quote]
    return runs_without(
        quote, lambda sentence: any(_replaces_sentence(notice, sentence, glossary) for notice in notices)
    )


def _replaces(notice: Evidence, quote: str, glossary: Glossary) -> bool:
    return any(_replaces_sentence(notice, sentence, glossary) for sentence in sentences(quote))


def _replaces_sentence(notice: Evidence, sentence: str, glossary: Glossary) -> bool:
    """Whether the sentence gives a number, code or date on what the notice is about."""
    return _VALUE.search(normalise(sentence)) is not None and glossary.overlap(sentence, notice.quote) >= _SAME
