"""Exact things in a text: error codes, host names, ticket ids, versions. They are matched exactly or not at all."""

from __future__ import annotations

import re
import unicodedata

_DASH_IN_CODE = re.compile(r"(?<=[a-z0-9])[\u2010-\u2015\u2212\u30fc](?=[a-z0-9])")
_WORD_WITH_MARKS = re.compile(r"[a-z0-9]+(?:[-_.@:\\][a-z0-9]+)*")
_LETTER, _DIGIT = re.compile(r"[a-z]"), re.compile(r"\d")
#: 3rd, 10am, 5kg and 16gb count something and name nothing.
_COUNTED = re.compile(r"\d+(?:st|nd|rd|th|am|pm|k|s|x|d|h|m|min|kg|km|cm|mm|gb|mb|tb|ml)")
_SHORTEST = 3


def normalise(text: str) -> str:
    """One spelling for width, case and dashes in codes: ＢＬ－６１ and BL‐61 are both bl-61."""
    text = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    return _DASH_IN_CODE.sub("-", text)


def stands_in(name: str, normalised: str) -> bool:
    """Whether a name stands in a normalised text as a word of its own."""
    word = normalise(name)
    if not word or word not in normalised:
        return False  # as nearly always: making a pattern for each name would take longer than all of ranking
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", normalised) is not None


def exact_entities(text: str) -> tuple[str, ...]:
    """The exact things that stand in the text, normalised, each once, in order of appearance.

    A word of letters and digits (bl-61, v8.1, 0x80070005), or of three parts and more (files.example.com, 4.1.7). They
    are found beside Japanese text without a space too: 「BL-61が出る」 has bl-61.
    """
    words = _WORD_WITH_MARKS.findall(normalise(text))
    return tuple(dict.fromkeys(word for word in words if _is_exact(word)))


def _is_exact(word: str) -> bool:
    if len(word) < _SHORTEST or _COUNTED.fullmatch(word):
        return False
    mixed = bool(_LETTER.search(word)) and bool(_DIGIT.search(word))
    return mixed or word.count(".") > 1
