"""What came of trying other weights and other sizes of episodes, as an object for scripts and as lines for the
configuration. Numbers and names of settings: nothing that anybody said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.evaluation.compared import Compared, Standing
from memory.evaluation.report import Measured
from memory.evaluation.weighing import LEAST_GAIN

#: With fewer questions nothing can be told from chance.
FEWEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """How many were asked; how many were not because they name no ticket, or because they were too many; into which
    halves the others fell."""

    asked: int
    without_ticket: int
    left_out: int = 0
    choosing: int = 0
    checking: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedWeights:
    """The weights that were chosen, by name as they are and as they would be, and what came of them on the other
    half."""

    changes: Mapping[str, tuple[float, float]]
    checked: Compared


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedSize:
    """A size of episodes in tokens, and what came of it where it was chosen and where it had to hold."""

    tokens: int
    chosen: Compared
    checked: Compared


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedSizes:
    """On how many turns of how many sizes were tried; none where every size cuts them in the same way."""

    turns: int
    of_turns: int
    tried: Sequence[TriedSize] = ()

    @property
    def best(self) -> TriedSize | None:
        """The one that was best where it was chosen; only for this one it counts what it was elsewhere."""
        better = [one for one in self.tried if one.chosen.gain.value >= LEAST_GAIN]
        return max(better, key=lambda one: one.chosen.gain.value, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """All of it. `as_set` is the standing of all questions that were asked, with the settings as they are."""

    questions: Questions
    as_set: Standing
    weights: TriedWeights | None
    sizes: TriedSizes


def too_few(questions: Questions) -> dict[str, object]:
    """The object for scripts where nothing was tried."""
    return {"questions": _questions(questions), "needed": FEWEST, "enough": False, "advice": None}


def as_json(done: Tuned) -> dict[str, object]:
    """The object that scripts read; `advice` are lines of YAML, null where nothing is sure to be better."""
    weights, best = done.weights, done.sizes.best
    return {
        "questions": _questions(done.questions),
        "needed": FEWEST,
        "enough": True,
        "as_set": _standing(done.as_set),
        "weights": weights
        and {"changes": {name: list(pair) for name, pair in weights.changes.items()}, **_checked(weights.checked)},
        "sizes": {
            "turns": done.sizes.turns,
            "of_turns": done.sizes.of_turns,
            "tried": {str(one.tokens): _rounded(one.chosen.gain.value) for one in done.sizes.tried},
            "best": best and {"episode_tokens": best.tokens, **_checked(best.checked)},
        },
        "advice": "\n".join(_advice(done)) or None,
    }


def _questions(questions: Questions) -> dict[str, int]:
    return {name: getattr(questions, name) for name in Questions.__slots__}


def _standing(standing: Standing) -> dict[str, object]:
    return {"place": _measured(standing.place), "first_five": _measured(standing.first_five)}


def _checked(checked: Compared) -> dict[str, object]:
    return {
        "before": _standing(checked.before),
        "after": _standing(checked.after),
        "gain": _measured(checked.gain),
        "holds": checked.holds,
    }


def _measured(one: Measured) -> dict[str, object]:
    interval = [_rounded(one.low), _rounded(one.high)]
    return {"value": _rounded(one.value), "interval": interval, "questions": one.questions}


def _rounded(value: float) -> float:
    return round(value, 4)


def _advice(done: Tuned) -> Iterator[str]:
    if done.weights and done.weights.checked.holds:
        yield "recall:"
        yield "  weights:"
        yield from (f"    {name}: {after:g}" for name, (_, after) in done.weights.changes.items())
    if (best := done.sizes.best) and best.checked.holds:
        yield "remember:"
        yield f"  episode_tokens: {best.tokens}"
