"""Adding up outcomes: what `helpdesk eval --json` prints."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from memory.evaluation.dataset import Unit
from memory.evaluation.evaluate import Outcome, Spoken, spent
from memory.evaluation.metrics import all_at, any_at, interval, mean, ndcg_at, percentile, recall_at
from memory.model import TokenUse

ALL = "all"
_TURN_DEPTHS = (5, 10, 20, 50)
_SESSION_DEPTHS = (5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A mean over questions with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float
    questions: int


Row = Mapping[str, Measured]
Measure = Callable[[Outcome, int], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens by role, prompt and written together; `cached` is part of them. `per_question` is a mean."""

    assistant: int
    master: int
    cached: int
    per_question: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One run. `recall` is by group for turns, by measure for sessions; `f1` is by group, empty without a model.

    `abstention`: the share of unanswerable questions on which the bot abstained; `wrongly_abstained`: of the others.
    `sound` is the same run without the questions whose gold is known to be wrong.
    """

    dataset: str
    unit: Unit
    groups: Mapping[str, int]
    recall: Mapping[str, Row]
    ndcg: Row
    f1: Row
    abstention: Measured | None
    wrongly_abstained: Measured | None
    tokens: Tokens
    p50: float
    p95: float
    config: str
    sound: Report | None = None

    @property
    def questions(self) -> int:
        return sum(self.groups.values())


def report(dataset: str, unit: Unit, outcomes: Sequence[Outcome], config: str) -> Report:
    """Everything that was measured; with known wrong gold among it, also the figures without."""
    sound = [outcome for outcome in outcomes if not outcome.asked.flawed]
    times = [outcome.ms for outcome in outcomes]
    return Report(
        dataset=dataset,
        unit=unit,
        groups=Counter(outcome.asked.group for outcome in outcomes),
        recall=_recalled(unit, outcomes),
        ndcg={} if unit is Unit.TURN else _row(_with_gold(outcomes), _SESSION_DEPTHS, _of(ndcg_at)),
        f1=_f1(outcomes),
        abstention=_abstaining([outcome for outcome in outcomes if outcome.asked.unanswerable]),
        wrongly_abstained=_abstaining([outcome for outcome in outcomes if not outcome.asked.unanswerable]),
        tokens=_tokens([outcome.spoken for outcome in outcomes if outcome.spoken]),
        p50=percentile(times, 0.5),
        p95=percentile(times, 0.95),
        config=config,
        sound=report(dataset, unit, sound, config) if len(sound) < len(outcomes) else None,
    )


def recall_shares(unit: Unit, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Recall alone, as in the object that scripts read."""
    rows = _recalled(unit, outcomes)
    return _table({"turn": rows} if unit is Unit.TURN else rows, lambda one: _rounded(one.value))


def _recalled(unit: Unit, outcomes: Sequence[Outcome]) -> dict[str, Row]:
    return turn_recall(outcomes) if unit is Unit.TURN else session_recall(outcomes)


def turn_recall(outcomes: Sequence[Outcome]) -> dict[str, Row]:
    """Share of the gold turns found: `all` answerable questions together, then each group alone."""
    counted = _with_gold(outcomes)
    chosen = {ALL: [outcome for outcome in counted if not outcome.asked.unanswerable]} | _by_group(counted)
    return {name: _row(members, _TURN_DEPTHS, _of(recall_at)) for name, members in chosen.items()}


def session_recall(outcomes: Sequence[Outcome]) -> dict[str, Row]:
    """Share of questions with any, and with all, of their gold sessions found."""
    counted = _with_gold(outcomes)
    return {
        "session_any": _row(counted, _SESSION_DEPTHS, _of(any_at)),
        "session_all": _row(counted, _SESSION_DEPTHS, _of(all_at)),
    }


def _with_gold(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.asked.gold]


def _by_group(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    names = sorted({outcome.asked.group for outcome in outcomes})
    return {name: [outcome for outcome in outcomes if outcome.asked.group == name] for name in names}


def _of(metric: Callable[[Sequence[str], Sequence[str], int], float]) -> Measure:
    return lambda outcome, depth: metric(outcome.asked.gold, outcome.found, depth)


def _row(outcomes: Sequence[Outcome], depths: Sequence[int], measure: Measure) -> Row:
    return {str(depth): measured([measure(outcome, depth) for outcome in outcomes]) for depth in depths}


def measured(values: Sequence[float]) -> Measured:
    low, high = interval(values)
    return Measured(value=mean(values), low=low, high=high, questions=len(values))


def _f1(outcomes: Sequence[Outcome]) -> Row:
    scored = [(one.asked.group, one.spoken.f1) for one in outcomes if one.spoken and one.spoken.f1 is not None]
    if not scored:
        return {}
    groups = {name: measured([f1 for group, f1 in scored if group == name]) for name in sorted({g for g, _ in scored})}
    return {ALL: measured([f1 for _, f1 in scored])} | groups


def _abstaining(outcomes: Sequence[Outcome]) -> Measured | None:
    values = [float(outcome.spoken.abstained) for outcome in outcomes if outcome.spoken]
    return measured(values) if values else None


def _tokens(said: Sequence[Spoken]) -> Tokens:
    assistant = sum((one.assistant for one in said), TokenUse())
    master = sum((one.master for one in said), TokenUse())
    return Tokens(
        assistant=spent(assistant),
        master=spent(master),
        cached=assistant.cached + master.cached,
        per_question=mean([one.tokens for one in said]) if said else 0.0,
    )


def as_json(done: Report) -> dict[str, object]:
    """The object that scripts read. Shares have four digits; what was not measured is null."""
    values = partial(_table, shown=lambda one: _rounded(one.value))
    bounds = partial(_table, shown=lambda one: [_rounded(one.low), _rounded(one.high)])
    return {
        "dataset": done.dataset,
        "questions": done.questions,
        "groups": dict(sorted(done.groups.items())),
        "recall": values(_recall(done)),
        "intervals": bounds(_recall(done)),
        "ndcg": values(done.ndcg) or None,
        "f1": _value(done.f1.get(ALL)),
        "f1_by_group": values(done.f1) or None,
        "abstention": _value(done.abstention),
        "wrongly_abstained": _value(done.wrongly_abstained),
        "tokens": {
            "assistant": done.tokens.assistant,
            "master": done.tokens.master,
            "cached": done.tokens.cached,
            "per_question": _rounded(done.tokens.per_question),
        },
        "ms": {"p50": _rounded(done.p50), "p95": _rounded(done.p95)},
        "config": done.config,
        "sound": as_json(done.sound) if done.sound else None,
    }


def _recall(done: Report) -> Mapping[str, object]:
    return {"turn": done.recall} if done.unit is Unit.TURN else done.recall


def _table(table: Mapping[str, object], shown: Callable[[Measured], object]) -> dict[str, object]:
    return {
        name: shown(entry) if isinstance(entry, Measured) else _table(entry, shown)
        for name, entry in table.items()
        if isinstance(entry, Measured | Mapping)
    }


def _value(one: Measured | None) -> float | None:
    return None if one is None else _rounded(one.value)


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)
