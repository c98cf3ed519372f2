"""The same questions asked in two ways, and whether the difference is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.evaluation.dataset import Asked
from memory.evaluation.metrics import any_at
from memory.evaluation.report import Measured, measured
from memory.evaluation.sheets import place

#: A person looks at so many.
_LOOKED_AT = 5

#: The tickets that were found, best first, by the id of the question.
FoundTickets = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far up the right tickets stand (`place`, 0 to 1), and the share of questions with one of them among the first
    five."""

    place: Measured
    first_five: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One way and another; `gain` is that of the place, question by question."""

    before: Standing
    after: Standing
    gain: Measured

    @property
    def holds(self) -> bool:
        """Whether even the low end of the interval is a gain."""
        return self.gain.low > 0


def standing(asked: Sequence[Asked], found: FoundTickets) -> Standing:
    return Standing(
        place=measured([place(one, found[one.id]) for one in asked]),
        first_five=measured([any_at(one.gold, found[one.id], _LOOKED_AT) for one in asked]),
    )


def compared(asked: Sequence[Asked], before: FoundTickets, after: FoundTickets) -> Compared:
    """Every question has to have been asked in both ways."""
    gains = [place(one, after[one.id]) - place(one, before[one.id]) for one in asked]
    return Compared(before=standing(asked, before), after=standing(asked, after), gain=measured(gains))
