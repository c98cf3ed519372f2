"""What a new ticket is called and where it belongs, until somebody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import normalize

from memory.text.sentences import sentences

#: As long as a line in a list.
_TITLE_CHARACTERS = 80


def title_of(words: str) -> str:
    """The first sentence of a request, in one line and not too long; empty where there are no words."""
    first = next((one for one in sentences(words) if one.strip()), words)
    line = " ".join(first.split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1].rstrip()}…"


def category_of(words: str, categories: Mapping[str, Sequence[str]]) -> str | None:
    """The first category of which one word stands in these; None where none does."""
    said = _folded(words)
    return next((name for name, its in categories.items() if any(_folded(word) in said for word in its)), None)


def _folded(words: str) -> str:
    return normalize("NFKC", words).casefold()
