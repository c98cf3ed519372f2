"""Signals that no search returns: what the question says of who and when."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from memory.index_ports import Pointer
from memory.model import Question
from memory.recall.intent import Intent
from memory.recall.pathways import Channel
from memory.recall.rerank import Signal
from memory.text.dates import TimeRange
from memory.text.entities import normalise, stands_in

#: A turn this many days outside the period asked about is worth nothing for it.
_FADES_AFTER_DAYS = 3.0


def signals_of(question: Question, intent: Intent) -> Mapping[Channel, Signal]:
    """The signals that this question gives."""
    plain = normalise(question.text)
    # The same few people, in hundreds of turns.
    named = lru_cache(maxsize=512)(lambda speaker: float(stands_in(speaker, plain)))
    signals: dict[Channel, Signal] = {Channel.SPEAKER: lambda pointer: named(pointer.speaker)}
    period = intent.period
    if period is not None:
        signals[Channel.PERIOD] = lambda pointer: _within(pointer, period)
    if intent.own:
        signals[Channel.OWN] = lambda pointer: float(pointer.requester == question.viewer.user)
    return signals


def _within(pointer: Pointer, period: TimeRange) -> float:
    return max(0.0, 1.0 - period.days_from(pointer.said_at) / _FADES_AFTER_DAYS)
