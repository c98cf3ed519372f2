"""What each part of the ranking is worth: the same questions with one part left out, or put in, at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from config.recall import RecallPart
from memory.evaluation.dataset import Dataset
from memory.evaluation.evaluate import Outcome, ask
from memory.evaluation.ports import Ranker
from memory.evaluation.report import recall_shares
from memory.model import Turn

AS_SET = "as set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A ranking by its name in the table, and the parts that it leaves out."""

    name: str
    without: tuple[RecallPart, ...]


class Varying(Protocol):
    """A memory under measurement that can be asked in several ways."""

    async def load(self, turns: Sequence[Turn]) -> None: ...

    def varied(self, without: Sequence[RecallPart]) -> Ranker:
        """What is loaded, ranked without these parts."""
        ...


def variants(left_out: Sequence[RecallPart], parts: Iterable[RecallPart]) -> list[Variant]:
    """The ranking as it is set, then for each part one that differs in this part alone: without it, or with it where
    it is left out already."""
    return [Variant(name=AS_SET, without=tuple(left_out)), *(_other(left_out, part) for part in parts)]


def _other(left_out: Sequence[RecallPart], part: RecallPart) -> Variant:
    if part in left_out:
        return Variant(name=f"with {part}", without=tuple(one for one in left_out if one is not part))
    return Variant(name=f"without {part}", without=(*left_out, part))


async def ablation(
    dataset: Dataset, ranker: Varying, chosen: Sequence[Variant]
) -> AsyncIterator[tuple[Variant, Outcome]]:
    """Every question in every way; each memory is loaded once."""
    for case in dataset.cases:
        if case.turns is not None:
            await ranker.load(case.turns)
        rankers = [(variant, ranker.varied(variant.without)) for variant in chosen]
        for asked in case.asked:
            for variant, varied in rankers:
                yield variant, await ask(asked, dataset, varied)


def as_table(dataset: Dataset, outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, object]:
    """The object that scripts read: recall by variant, as in a report."""
    return {
        "dataset": dataset.name,
        "questions": dataset.size,
        "ablation": {name: recall_shares(dataset.unit, found) for name, found in outcomes.items()},
    }
