"""Where the sentences of a text begin and end, in Japanese and English."""

from __future__ import annotations

import re

#: A mark of narrow width ends a sentence only before white space: 4.1.7 and files.example.com go on.
_END = re.compile(r"[。！？]+[」』）)\"”]*\s*|[.!?]+[)\"”」』）]*\s+|\n+")


def sentences(text: str) -> list[str]:
    """The sentences, word for word with the white space after them: joined they are the text again."""
    ends = [match.end() for match in _END.finditer(text)]
    starts = [0, *ends]
    return [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True) if end > start]
