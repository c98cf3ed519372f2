"""Whether a question asks for a value of a kind that is known by its form, and nothing that was found has one.

"What is Lim's mobile number" is near to everything about phones and about Lim, and none of it is a number to call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory.text.entities import normalise


def _asking(english: str, japanese: str) -> re.Pattern[str]:
    """What asks for the thing itself: not what to do about it, nor for its policy."""
    return re.compile(
        rf"\bwhat(?:'s| is| was) (?:[\w.'-]+ ){{0,4}}(?:{english})(?= of\b| for\b|\W*$)"
        rf"|(?:{japanese})(?:(?:は|って)?(?:何|なん|いくつ)|(?:は|を)?教えて|は?[?？。]*\s*$)"
    )


#: What asks for a value, and what has one. A password may look like anything, so that a quote need only speak of one.
_KINDS = (
    (_asking("(?:phone|telephone|mobile|cell|fax) number", "(?:電話|携帯|ファックス|fax)の?番号"), r"\d[\d ()-]{4,}\d"),
    (_asking("e-?mail address", "メール(?:の)?アドレス"), r"[^\s@]@[^\s@]"),
    (_asking("password|passcode|pin", "パスワード|暗証番号"), r"passw|passc|passp|\bp(?:in|w)\b|パスワ|パスフ|暗証"),
)


def asks_for_what_is_missing(question: str, quotes: Iterable[str]) -> bool:
    """Whether the question asks for such a value and none of the quotes has it."""
    asked = normalise(question)
    wanted = [value for asks, value in _KINDS if asks.search(asked)]
    if not wanted:
        return False
    said = [normalise(quote) for quote in quotes]
    return any(not any(re.search(value, quote) for quote in said) for value in wanted)
