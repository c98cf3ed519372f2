"""What answering has cost, and what it would have cost to let a model read everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from bot.telling import JsonObject
from config.schema import ModelSettings, ModelsSettings
from memory.feedback import Tally
from memory.model import TokenUse
from memory.ports import AnsweredQuestion

_MILLION = 1_000_000


def statistics(entries: Sequence[AnsweredQuestion], feedback: Tally, models: ModelsSettings) -> JsonObject:
    """Plain numbers over these questions and what people said of answers; what cannot be said is null.

    Tokens and what reading everything would have taken are those of the questions that a model has seen: the others
    cost nothing, and would not have cost more.
    """
    by_models = [entry for entry in entries if _spent(entry.assistant + entry.master)]
    assistant = _sum(entry.assistant for entry in by_models)
    master = _sum(entry.master for entry in by_models)
    used = _spent(assistant + master)
    full = sum(entry.full_context_tokens for entry in by_models)
    abstained = sum(entry.abstained for entry in entries)
    return {
        "questions": len(entries),
        "answered": len(entries) - abstained,
        "abstained": abstained,
        "feedback": {"helpful": feedback.helpful, "unhelpful": feedback.unhelpful},
        "modes": dict(sorted(Counter(entry.mode for entry in entries).items())),
        "episodes_read": round(sum(entry.episodes_read for entry in entries) / len(entries), 2) if entries else None,
        "by_models": len(by_models),
        "tokens": {"assistant": _tokens(assistant), "master": _tokens(master)},
        "tokens_per_question": round(used / len(by_models), 1) if by_models else None,
        "full_context_tokens": full,
        "saving": round(1 - used / full, 4) if full else None,
        "cost": round(_cost(assistant, models.assistant) + _cost(master, models.master), 6),
        "full_context_cost": round(full * _price(models.master) / _MILLION, 6),
        "ms": _times(entries),
    }


def _sum(uses: Iterable[TokenUse]) -> TokenUse:
    return sum(uses, TokenUse())


def _spent(use: TokenUse) -> int:
    return use.prompt + use.completion


def _tokens(use: TokenUse) -> Mapping[str, int]:
    return {"prompt": use.prompt, "cached": use.cached, "completion": use.completion}


def _price(model: ModelSettings | None) -> float:
    return model.price_per_million_input if model else 0.0


def _cost(use: TokenUse, model: ModelSettings | None) -> float:
    if model is None:
        return 0.0
    return (
        (use.prompt - use.cached) * model.price_per_million_input
        + use.cached * model.price_per_million_cached
        + use.completion * model.price_per_million_output
    ) / _MILLION


def _times(entries: Sequence[AnsweredQuestion]) -> Mapping[str, Mapping[str, float]]:
    """p50 and p95 of each stage, in milliseconds; `total` is the sum of a question's stages."""
    stages = list(dict.fromkeys(stage for entry in entries for stage in entry.milliseconds))
    by_stage = {
        stage: [entry.milliseconds[stage] for entry in entries if stage in entry.milliseconds] for stage in stages
    }
    by_stage.setdefault("total", [sum(entry.milliseconds.values()) for entry in entries])
    return {
        stage: {"p50": round(float(np.quantile(times, 0.5)), 1), "p95": round(float(np.quantile(times, 0.95)), 1)}
        for stage, times in by_stage.items()
        if times
    }
