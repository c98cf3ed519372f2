"""Answers without a model: the ranking's own quotes, listed, or an honest nothing."""

from __future__ import annotations

from collections.abc import Sequence

from memory.model import Evidence, Question, Turn
from memory.recall.voices import Verdict

#: Evidence below this supports no answer.
_SUPPORT = 0.5
_QUOTES = 6


class ExtractiveMaster:
    """Implements `Master` without a model: the most trusted quotes in time order speak for themselves."""

    async def answer(
        self, question: Question, language: str, recent: Sequence[Turn], evidence: Sequence[Evidence]
    ) -> Verdict:
        supporting = [place for place, one in enumerate(evidence) if not one.derived and one.confidence >= _SUPPORT]
        if not supporting:
            return Verdict(abstained=True)
        best = sorted(supporting, key=lambda place: -evidence[place].confidence)[:_QUOTES]
        return Verdict(abstained=False, cited=tuple(sorted(best)))
