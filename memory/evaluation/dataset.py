"""A dataset under measurement: which turns are remembered, what is asked then, and what is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from memory.evaluation.sampling import choose
from memory.model import Question, Turn


class Unit(StrEnum):
    """What has to be found: single turns, or the sessions (tickets, threads) that hold them."""

    TURN = "turn"
    SESSION = "session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with its gold. Only `question` is shown to the memory.

    `gold` names the units to find (empty: not counted in recall), `expected` the right answer (None: not scored),
    `group` the category for the report. `unanswerable`: right is to abstain. `flawed`: the gold is known to be wrong.
    """

    id: str
    group: str
    question: Question
    gold: tuple[str, ...] = ()
    expected: str | None = None
    unanswerable: bool = False
    flawed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Questions on one memory. `turns` is all it may hold; None means what it holds already."""

    turns: tuple[Turn, ...] | None
    asked: tuple[Asked, ...]


Score = Callable[[Asked, str], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Cases, what has to be found in them, and how the text of an answer is scored (0 to 1)."""

    name: str
    unit: Unit
    cases: tuple[Case, ...]
    score: Score

    @property
    def size(self) -> int:
        return sum(len(case.asked) for case in self.cases)


def narrowed(dataset: Dataset, limit: int | None, seed: int | None) -> Dataset:
    """The same dataset with at most `limit` questions (see `choose`); cases without questions are left out."""
    places = [(case, asked) for case in range(len(dataset.cases)) for asked in range(len(dataset.cases[case].asked))]
    return replace(dataset, cases=tuple(_kept(dataset.cases, choose(places, limit, seed))))


def _kept(cases: Sequence[Case], places: Sequence[tuple[int, int]]) -> list[Case]:
    return [
        replace(cases[index], asked=tuple(cases[index].asked[place] for _, place in group))
        for index, group in groupby(places, key=lambda pair: pair[0])
    ]
