"""Where the sentences of a text begin and end, in Japanese and English."""

from __future__ import annotations

import re
from collections.abc import Callable

#: A mark of narrow width ends a sentence only before white space: 4.1.7 and files.example.com go on.
_END = re.compile(r"[。！？]+[」』）)\"”]*\s*|[.!?]+[)\"”」』）]*\s+|\n+")


def sentences(text: str) -> list[str]:
    """The sentences, word for word with the white space after them: joined they are the text again."""
    ends = [match.end() for match in _END.finditer(text)]
    starts = [0, *ends]
    return [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True) if end > start]


def runs_without(text: str, gone: Callable[[str], bool]) -> list[str]:
    """What is left without the sentences that are `gone`, in runs: each is a verbatim part of the text."""
    runs = [""]
    for sentence in sentences(text):
        if gone(sentence):
            runs.append("")
        else:
            runs[-1] += sentence
    return [run.strip() for run in runs if any(character.isalnum() for character in run)]
