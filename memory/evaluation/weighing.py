"""Which other weights would put the right tickets further up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from config.weights import MOST
from memory.evaluation.metrics import mean
from memory.evaluation.sheets import Sheet, found, place, vector
from memory.recall.pathways import Channel
from memory.recall.rerank import WEIGHED, Weights

#: By how much one weight is changed at a time, and how many changes follow each other.
_FACTORS = (0.0, 0.5, 2.0)
_CHANGES = 3
#: A change has to bring so much on average; less is not worth a line in a configuration.
LEAST_GAIN = 0.01


def better_weights(sheets: Sequence[Sheet], weights: Weights) -> Weights | None:
    """The weights that are found by changing one after the other, each time the one that helps most on these questions;
    None where no change does. It fits these questions and may fit no others: that has to be checked."""
    varying = [channel for column, channel in enumerate(WEIGHED) if any(one.values[:, column].any() for one in sheets)]
    best, reached = weights, _worth(sheets, weights)
    for _ in range(_CHANGES):
        tried = [(_worth(sheets, other), other) for other in _others(best, varying)]
        worth, other = max(tried, key=lambda pair: pair[0], default=(reached, best))
        if worth < reached + LEAST_GAIN:
            break
        best, reached = other, worth
    return None if best is weights else best


def _others(weights: Weights, varying: Sequence[Channel]) -> Iterator[Weights]:
    for channel in varying:
        for factor in _FACTORS:
            changed = round(weights[channel] * factor, 4) + 0.0  # no -0.0
            if changed != weights[channel] and abs(changed) <= MOST:
                yield {**weights, channel: changed}


def _worth(sheets: Sequence[Sheet], weights: Weights) -> float:
    column = vector(weights)
    return mean([place(sheet.asked, found(sheet, column)) for sheet in sheets])
