"""The moment whose state a question asks about, and whether it asks how things came to be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from memory.model import Question
from memory.text.dates import as_of
from memory.text.entities import normalise

#: It asks for what was so before, when something changed, or for several states side by side.
_HISTORY = re.compile(
    r"以前|(?<!人)前は|もともと|元々|元は|従来|変わる前|変更前|経緯|履歴|推移|変遷|歴代|いつ(?:から|まで|変わ)|どう変わ|それぞれ|何回|何度"
    r"|\b(?:used to|previously|formerly|originally|history|so far|each time|in the past)\b"
    r"|\bbefore (?:that|the change|it changed)\b|\b(?:since|until|from) when\b"
    r"|\bwhen did .{1,80}\b(?:change|move|switch|take over|start|stop|end)\b|\bhow (?:has|have|did) .{1,80}\bchange"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """`at` is when what is told has to hold; with `history` everything that ever held is of interest."""

    at: datetime
    history: bool


def moment_of(question: Question) -> Moment:
    """The moment that was given or that the words name; else now, unless the words ask for the history."""
    named = question.as_of or as_of(question.text, question.now)
    if named is not None:
        return Moment(at=named, history=False)
    return Moment(at=question.now, history=_HISTORY.search(normalise(question.text)) is not None)
