"""What an answer names must stand somewhere: models invent ticket names, codes and sums as easily as sentences."""

from __future__ import annotations

import re

from memory.text.quotes import folded

_TOKEN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._:/-]*[A-Za-z0-9])?")
#: Commas and blanks that only group digits.
_GROUPING = re.compile(r"(?<=\d)[, ](?=\d{3}(?!\d))")
#: What an answer may work out or write in another way: a year, a day, a time, the how-manieth.
_WORKED_OUT = re.compile(
    r"(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|\d{1,2}[-/.]\d{1,2}(?:[-/.](?:19|20)?\d\d)?|\d{1,2}:\d\d(?::\d\d)?|\d+(?:st|nd|rd|th)",
    re.IGNORECASE,
)
#: A number with its unit: the number counts.
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)[A-Za-z]{1,4}")
#: Smaller numbers are counted and reckoned ("three of them, 12 days").
_FEWEST_DIGITS = 3


def standing_nowhere(answer: str, *texts: str) -> tuple[str, ...]:
    """Names with digits, and numbers of three digits and more, that the answer has and none of the texts; case, width
    and punctuation make no difference. A year, a day or a time is never among them: it may have been worked out."""
    there = _plain(" ".join(texts))
    return tuple(dict.fromkeys(token for token in _tokens(answer) if _plain(token) not in there))


def _tokens(text: str) -> list[str]:
    tokens = _TOKEN.findall(_GROUPING.sub("", folded(text)))
    named = (_WITH_UNIT.sub(r"\1", token) if _WITH_UNIT.fullmatch(token) else token for token in tokens)
    return [token for token in named if _is_name(token)]


def _is_name(token: str) -> bool:
    digits = sum(map(str.isdigit, token))
    if not digits or _WORKED_OUT.fullmatch(token):
        return False
    return digits >= _FEWEST_DIGITS or any(map(str.isalpha, token))


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, folded(text).casefold()))
