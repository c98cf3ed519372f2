"""The numbers of a report, worked out from the ledger and from what people said of answers. No words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from bot.stats import statistics
from config.schema import ModelsSettings
from memory.feedback import Tally
from memory.ports import AnsweredQuestion, HandedOver

#: As many bars can be told apart on a telephone.
_MOST_BARS = 31


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Whole days of one calendar, both ends included."""

    first: date
    last: date
    zone: tzinfo

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def since(self) -> datetime:
        """Its first moment."""
        return datetime.combine(self.first, time(), self.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """How many questions were asked in the days from `first` on, up to the next bar."""

    first: date
    answered: int
    abstained: int

    @property
    def asked(self) -> int:
        return self.answered + self.abstained


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleTokens:
    """The tokens of one model role; `cached` is part of `prompt`."""

    role: str
    prompt: int
    cached: int
    completion: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTime:
    """How long one stage of an answer takes, in milliseconds."""

    stage: str
    median: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the ledger and the votes of a period hold: which questions, which of them went to a person, how many votes
    and, by the ids of messages, whose answers were called not helpful."""

    entries: Sequence[AnsweredQuestion]
    handed_over: Sequence[HandedOver]
    votes: Tally
    unhelpful: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The numbers of a period. `alone` is how many questions were answered without a person, `total` the time from a
    question to its answer; None stands where nothing can be said. `cost` is in the currency of the configured prices,
    `saving` a share of what reading everything would have taken. A bar stands for `days_a_bar` days."""

    period: Period
    questions: int
    answered: int
    alone: int
    votes: Tally
    total: StageTime | None
    stages: tuple[StageTime, ...]
    tokens: tuple[RoleTokens, ...]
    cost: float
    full_context_cost: float
    saving: float | None
    bars: tuple[Bar, ...]
    days_a_bar: int

    @property
    def short_bar(self) -> int:
        """The days of the first bar where they are fewer than those of the others, else 0: a last bar that is lower
        because it is shorter would look like a drop."""
        return self.period.days % self.days_a_bar

    @property
    def abstained(self) -> int:
        return self.questions - self.answered


def period_of(now: datetime, zone: tzinfo, days: int) -> Period:
    """The last `days` days by the calendar of `zone`, today included."""
    today = now.astimezone(zone).date()
    return Period(first=today - timedelta(days=days - 1), last=today, zone=zone)


def figures(period: Period, kept: Kept, models: ModelsSettings) -> Figures:
    """Everything that can be counted, of entries that all lie within the period."""
    counted = statistics(kept.entries, kept.votes, models)
    times = [StageTime(stage=stage, median=of["p50"], p95=of["p95"]) for stage, of in counted["ms"].items()]
    days_a_bar = -(-period.days // _MOST_BARS)
    return Figures(
        period=period,
        questions=counted["questions"],
        answered=counted["answered"],
        alone=_alone(kept),
        votes=kept.votes,
        total=next((each for each in times if each.stage == "total"), None),
        stages=tuple(each for each in times if each.stage != "total"),
        tokens=tuple(RoleTokens(role=role, **used) for role, used in counted["tokens"].items()),
        cost=counted["cost"],
        full_context_cost=counted["full_context_cost"],
        saving=counted["saving"],
        bars=_bars(period, kept.entries, days_a_bar),
        days_a_bar=days_a_bar,
    )


def _alone(kept: Kept) -> int:
    """Questions that were answered, whose answer nobody called not helpful, and that did not go to a person."""
    with_people = kept.unhelpful | _went_to_a_person(kept.entries, kept.handed_over)
    return sum(not entry.abstained and entry.turn not in with_people for entry in kept.entries)


def _went_to_a_person(entries: Sequence[AnsweredQuestion], handed_over: Sequence[HandedOver]) -> set[str]:
    """The turns of questions that did: the question that was handed over itself, or, where another message was ("a
    person, please"), the last question of its conversation before that."""
    asked = {entry.turn for entry in entries}
    by_conversation: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    for entry in entries:
        if entry.conversation and entry.turn:
            by_conversation[entry.conversation].append((entry.asked_at, entry.turn))
    found = set()
    for request in handed_over:
        before = [(at, turn) for at, turn in by_conversation[request.conversation] if at <= request.at]
        if request.turn in asked:
            found.add(request.turn)
        elif before:
            found.add(max(before)[1])
    return found


def _bars(period: Period, entries: Sequence[AnsweredQuestion], days_a_bar: int) -> tuple[Bar, ...]:
    """Counted back from the last day, so that only the first bar may be of fewer days."""
    count = -(-period.days // days_a_bar)
    answered, abstained = [0] * count, [0] * count
    for entry in entries:
        back = (period.last - entry.asked_at.astimezone(period.zone).date()).days
        (abstained if entry.abstained else answered)[-1 - back // days_a_bar] += 1
    starts = (period.last - timedelta(days=days_a_bar * (count - place) - 1) for place in range(count))
    return tuple(
        Bar(first=max(start, period.first), answered=answered[place], abstained=abstained[place])
        for place, start in enumerate(starts)
    )
