"""Scores as pure functions: recall, token F1, ndcg, bootstrap intervals. All shares are 0 to 1."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import snowballstemmer

_NO_WORDS = re.compile(r"\b(a|an|the|and)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_WIDE = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])")
_RESAMPLES = 1000
_BOOTSTRAP_SEED = 20_260_101


def recall_at(gold: Sequence[str], found: Sequence[str], k: int) -> float:
    """The share of `gold` among the first `k` of `found`. Raises ValueError without gold: that does not count."""
    if not gold:
        raise ValueError("a question without gold has no recall")
    wanted = set(gold)
    return len(wanted.intersection(found[:k])) / len(wanted)


def any_at(gold: Sequence[str], found: Sequence[str], k: int) -> float:
    """1 when at least one of `gold` is among the first `k`, else 0."""
    return float(recall_at(gold, found, k) > 0)


def all_at(gold: Sequence[str], found: Sequence[str], k: int) -> float:
    """1 when all of `gold` are among the first `k`, else 0."""
    return float(recall_at(gold, found, k) == 1)


def ndcg_at(gold: Sequence[str], found: Sequence[str], k: int) -> float:
    """Normalised gain with the discount that LongMemEval uses: places one and two count whole, then 1/log2(place)."""
    wanted = set(gold)
    ideal = sum(_discount(place) for place in range(1, min(len(wanted), k) + 1))
    gained = sum(_discount(place) for place, name in enumerate(found[:k], 1) if name in wanted)
    return gained / ideal if ideal else 0.0


def _discount(place: int) -> float:
    return 1.0 if place == 1 else 1 / math.log2(place)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(snowballstemmer.stemmer("porter").stemWord(word))


def answer_tokens(text: str) -> list[str]:
    """Stems of an answer: no commas, lower case, no punctuation, no a/an/the/and."""
    bare = text.replace(",", "").lower().translate(_NO_PUNCTUATION)
    return [_stem(word) for word in _NO_WORDS.sub(" ", bare).split()]


def token_f1(prediction: str, gold: str) -> float:
    """F1 of counted stems; 0 when the two share none."""
    predicted, wanted = answer_tokens(prediction), answer_tokens(gold)
    shared = sum((Counter(predicted) & Counter(wanted)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def parts_f1(prediction: str, gold: str) -> float:
    """For answers that are lists: both sides split on commas, the mean over gold of the best predicted part."""
    predicted = prediction.split(",")
    return mean([max(token_f1(part, wanted) for part in predicted) for wanted in gold.split(",")])


def spaced(text: str) -> str:
    """Japanese and Chinese characters as words of their own, so that token F1 has something to count."""
    return _WIDE.sub(r" \1 ", text)


def mean(values: Sequence[float]) -> float:
    """The mean; nan of nothing, so that it cannot pass for a result."""
    return sum(values) / len(values) if values else math.nan


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, linear between neighbours; nan of nothing."""
    return float(np.quantile(values, share)) if values else math.nan


def interval(values: Sequence[float]) -> tuple[float, float]:
    """A 95 % bootstrap interval of the mean; the same values always give the same one."""
    if not values:
        return (math.nan, math.nan)
    sample = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    means = [float(sample[rng.integers(0, sample.size, sample.size)].mean()) for _ in range(_RESAMPLES)]
    low, high = np.quantile(means, (0.025, 0.975))
    return (float(low), float(high))
