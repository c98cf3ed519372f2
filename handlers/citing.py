"""What is cited under an answer, as people of a platform know it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memory.model import Turn


def with_name(line: str, turn: Turn | None, names: Mapping[str, str]) -> str:
    """The line about this turn with the author's name: people know each other by names, and an id is none."""
    name = names.get(turn.author) if turn else None
    return line.replace(turn.author, name, 1) if turn and name else line


def allowed_links(cited: Iterable[Turn]) -> frozenset[str]:
    """The addresses that stand in what is cited: an answer may link to these and to no others."""
    return frozenset(word for one in cited for word in one.text.split() if "://" in word)
