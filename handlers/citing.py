"""What an answer may link to."""

from __future__ import annotations

from collections.abc import Iterable

from memory.model import Turn


def allowed_links(cited: Iterable[Turn]) -> frozenset[str]:
    """The addresses that stand in what people said and is cited: an answer may link to these and to no others. The
    bot's own words are no source: an address that a model made up would become one by being said."""
    return frozenset(word for one in cited if not one.derived for word in one.text.split() if "://" in word)
