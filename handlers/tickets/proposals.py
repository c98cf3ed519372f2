"""Where a new ticket belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import normalize


def category_of(words: str, categories: Mapping[str, Sequence[str]]) -> str | None:
    """The first category of which one word stands in these; None where none does."""
    said = _folded(words)
    return next((name for name, its in categories.items() if any(_folded(word) in said for word in its)), None)


def _folded(words: str) -> str:
    return normalize("NFKC", words).casefold()
