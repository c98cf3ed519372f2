"""What an answer may link to."""

from __future__ import annotations

from collections.abc import Iterable

from memory.model import Turn


def allowed_links(cited: Iterable[Turn]) -> frozenset[str]:
    """The addresses that stand in what is cited: an answer may link to these and to no others."""
    return frozenset(word for one in cited for word in one.text.split() if "://" in word)
