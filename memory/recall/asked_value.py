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
        rf"\bwhat(?:'s| is| was) (?:[\w.'-]+ ){{0,4}}(?:{english})(?= (?:of|for|that|i|we|you|he|she|they)\b|\W*$)"
        rf"|(?:{japanese})(?:の値)?(?:(?:は|って)?(?:何|なん|いくつ)|(?:は|を)?教えて|は?[?？。]*\s*$)"
    )


#: A secret is never kept and may look like anything: words need only speak of one, of where it is to be had. Where
#: it was taken out of them they tell nothing more.
_TAKEN_OUT = r"(?s:(?!.*\[[a-z_-]+-[0-9a-f]{4}\]).*?)"
#: What asks for a value, and what has one.
_KINDS = (
    (_asking("(?:phone|telephone|mobile|cell|fax) number", "(?:電話|携帯|ファックス|fax)の?番号"), r"\d[\d ()-]{4,}\d"),
    (_asking("e-?mail address", "メール(?:の)?アドレス"), r"[^\s@]@[^\s@]"),
    (
        _asking("password|passcode|pin", "パスワード|暗証番号"),
        rf"\A{_TAKEN_OUT}(?:passw|passc|passp|\bp(?:in|w)\b|パスワ|パスフ|暗証)",
    ),
    (
        _asking("(?:token|api key|access key|secret key)", "トークン|apiキー|アクセスキー|秘密鍵|シークレット"),
        rf"\A{_TAKEN_OUT}(?:token|key|secret|トークン|キー|鍵|シークレット)",
    ),
)


def asks_for_what_is_missing(question: str, tickets: Iterable[str]) -> bool:
    """Whether the question asks for such a value and no ticket has it, by what is quoted of each."""
    asked = normalise(question)
    wanted = [value for asks, value in _KINDS if asks.search(asked)]
    if not wanted:
        return False
    said = [normalise(quotes) for quotes in tickets]
    return any(not any(re.search(value, quotes) for quotes in said) for value in wanted)
