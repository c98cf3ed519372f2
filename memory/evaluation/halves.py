"""Questions in two halves: by the one something is chosen, on the other it is checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.evaluation.dataset import Asked
from memory.model import derived_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """Which questions something is chosen by, and on which it has to hold."""

    choosing: tuple[Asked, ...]
    checking: tuple[Asked, ...]


def halves(asked: Iterable[Asked]) -> Halves:
    """The same questions are always parted in the same way, in whatever order they come. Questions with the same first
    gold stay together: what fits the one would fit the other, too. Each has to have gold."""
    together: dict[str, list[Asked]] = {}
    for one in sorted(asked, key=lambda one: one.id):
        together.setdefault(min(one.gold), []).append(one)
    choosing: list[Asked] = []
    checking: list[Asked] = []
    for group in _shuffled(together.values()):
        (choosing if len(choosing) <= len(checking) else checking).extend(group)
    return Halves(choosing=tuple(choosing), checking=tuple(checking))


def _shuffled(groups: Iterable[Sequence[Asked]]) -> list[Sequence[Asked]]:
    """Largest first, so that the halves come out even; else in an order that has to do with nothing."""
    return sorted(groups, key=lambda group: (-len(group), derived_id("half", min(group[0].gold))))
