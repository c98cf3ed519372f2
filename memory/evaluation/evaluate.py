"""Asking every question of a dataset, and what came of each."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

from memory.answers import Answer, AnswerKind
from memory.errors import InputRefused
from memory.evaluation.dataset import Asked, Dataset, Score, Unit
from memory.evaluation.ports import Ranker
from memory.model import TokenUse
from memory.recall.ranking import Ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What the whole read path answered: its text, whether it abstained, its F1 (None: not scored), its tokens."""

    text: str
    abstained: bool
    f1: float | None
    assistant: TokenUse
    master: TokenUse

    @property
    def tokens(self) -> int:
        """All tokens of both voices, prompt and written."""
        return spent(self.assistant) + spent(self.master)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One question and what came of it. `found` are units, best first; `ms` is the time of the ranking alone."""

    asked: Asked
    found: tuple[str, ...]
    ms: float
    spoken: Spoken | None = None


def spent(use: TokenUse) -> int:
    """Prompt and written tokens together."""
    return use.prompt + use.completion


async def outcomes(dataset: Dataset, ranker: Ranker) -> AsyncIterator[Outcome]:
    """Every question in turn; the memory is reset wherever the dataset says so."""
    for case in dataset.cases:
        if case.turns is not None:
            await ranker.load(case.turns)
        for asked in case.asked:
            yield await ask(asked, dataset, ranker)


async def ask(asked: Asked, dataset: Dataset, ranker: Ranker) -> Outcome:
    """One question of a dataset, and what came of it."""
    started = time.perf_counter()
    ranked = await ranker.rank(asked.question)
    milliseconds = (time.perf_counter() - started) * 1000
    answer = await ranker.answer(asked.question)
    return Outcome(
        asked=asked,
        found=found_units(ranked, dataset.unit),
        ms=milliseconds,
        spoken=None if answer is None else spoken(asked, answer, dataset.score),
    )


def found_units(ranked: Ranking, unit: Unit) -> tuple[str, ...]:
    """Turns; or sessions as the router ranks whole episodes, and behind them those that only have a good turn."""
    if unit is Unit.TURN:
        return tuple(turn.ref for turn in ranked.turns)
    return tuple(dict.fromkeys([*(one.ticket for one in ranked.episodes), *(one.ticket for one in ranked.turns)]))


def spoken(asked: Asked, answer: Answer, score: Score) -> Spoken:
    """The answer with its score. An abstaining answer to a question that has one scores nothing."""
    abstained = answer.kind is AnswerKind.ABSTAINED
    text = "" if abstained else answer.body or " ".join(piece.quote for piece in answer.cited)
    scored = asked.expected is not None and not asked.unanswerable
    return Spoken(
        text=text,
        abstained=abstained,
        f1=score(asked, text) if scored else None,
        assistant=answer.assistant_tokens,
        master=answer.master_tokens,
    )


async def collect(asking: AsyncIterator[Outcome], log: Path | None, progress: Callable[[int], None]) -> list[Outcome]:
    """All outcomes; each is written to `log` as it comes, as one line of JSON. `progress` hears how many there are."""
    if log is not None:
        await asyncio.to_thread(_append, log, "", "w")
    collected: list[Outcome] = []
    async for outcome in asking:
        collected.append(outcome)
        if log is not None:
            await asyncio.to_thread(_append, log, log_line(outcome) + "\n", "a")
        progress(len(collected))
    return collected


def _append(path: Path, text: str, mode: str) -> None:
    try:
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputRefused(f"The log {path} cannot be written ({error}); name another file.") from error


def log_line(outcome: Outcome) -> str:
    """One outcome as JSON: the question, its gold, at which place each was found, and what was answered."""
    asked, said = outcome.asked, outcome.spoken
    places = {name: place for place, name in enumerate(outcome.found, 1)}
    entry = {
        "id": asked.id,
        "group": asked.group,
        "question": asked.question.text,
        "gold": asked.gold,
        "places": [places.get(name) for name in asked.gold],
        "found": outcome.found,
        "ms": round(outcome.ms, 1),
        "flawed": asked.flawed,
        "expected": asked.expected,
        "unanswerable": asked.unanswerable,
        "answer": said and said.text,
        "abstained": said and said.abstained,
        "f1": said and said.f1,
        "tokens": said
        and said.assistant.prompt + said.assistant.completion + said.master.prompt + said.master.completion,
    }
    return json.dumps(entry, ensure_ascii=False)
