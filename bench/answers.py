"""Answers of a real model on LoCoMo, several ways over the same memory: from the gold evidence alone (what this model
can do at best), from plain top-20 retrieval, and `direct`, `emem` and `auto` as the bot answers.

    HELPDESK_CONFIG=models.yaml python -m bench.answers LOCOMO.json --questions 40 --seed 7 --ways gold,rag,direct,emem

The models are those of the configuration. Prints one JSON object a way, as soon as it is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import numpy as np

from bot.embeddings import open_encoder
from bot.measuring import fresh_ranker
from bot.openai_models import open_models
from config.loader import load_settings
from config.recall import RecallMode
from config.schema import Settings
from memory.answers import Answer, AnswerKind, Evidence, RankedTurn
from memory.chat_model import ModelRole
from memory.evaluation import locomo
from memory.evaluation.dataset import Dataset, narrowed
from memory.evaluation.evaluate import collect, outcomes
from memory.evaluation.ports import Ranker
from memory.evaluation.report import as_json, report
from memory.index_ports import Encoder, Vectors
from memory.llm.budget import estimate_tokens
from memory.llm.meter import metered
from memory.model import Question, Turn
from memory.recall.model_master import ModelMaster
from memory.recall.ranking import Ranking
from memory.recall.voices import Master

_TOP = 20
GOLD, RAG = "gold", "rag"
WAYS = (GOLD, RAG, *RecallMode)


class PlainRetrieval:
    """The usual baseline: the 20 turns most similar to the question, in time order, and the same master."""

    def __init__(self, encoder: Encoder, master: Master) -> None:
        self._encoder = encoder
        self._master = master
        self._turns: Sequence[Turn] = ()
        self._vectors: Vectors = np.zeros((0, 0), dtype=np.float32)

    async def load(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self._vectors = await self._encoder.passages([f"{turn.author}: {turn.text}" for turn in turns])

    async def rank(self, question: Question) -> Ranking:
        return Ranking(turns=tuple(_ranked(turn) for turn in await self._best(question, 50)))

    async def answer(self, question: Question) -> Answer | None:
        return await _answered(self._master, question, await self._best(question, _TOP))

    async def _best(self, question: Question, count: int) -> list[Turn]:
        order = np.argsort(-(self._vectors @ await self._encoder.question(question.text)))
        return [self._turns[place] for place in order[:count]]


class GoldOnly:
    """The evidence that the dataset names and nothing else: an upper bound for any retrieval. `gold` is by question."""

    def __init__(self, gold: Mapping[Question, Sequence[str]], master: Master) -> None:
        self._gold = gold
        self._master = master
        self._turns: Mapping[str, Turn] = {}

    async def load(self, turns: Sequence[Turn]) -> None:
        self._turns = {turn.ref: turn for turn in turns}

    async def rank(self, question: Question) -> Ranking:
        return Ranking(turns=tuple(_ranked(turn) for turn in self._named(question)))

    async def answer(self, question: Question) -> Answer | None:
        return await _answered(self._master, question, self._named(question))

    def _named(self, question: Question) -> list[Turn]:
        return [self._turns[ref] for ref in self._gold[question] if ref in self._turns]


async def _answered(master: Master, question: Question, turns: Sequence[Turn]) -> Answer:
    """The master's answer from these turns, in time order."""
    evidence = [_evidence(turn) for turn in sorted(turns, key=lambda turn: turn.said_at)]
    with metered() as meter:
        verdict = await master.answer(question, "en", (), evidence)
    return Answer(
        kind=AnswerKind.ABSTAINED if verdict.abstained else AnswerKind.WRITTEN,
        language="en",
        body=verdict.body,
        master_tokens=meter.spent,
    )


def _ranked(turn: Turn) -> RankedTurn:
    return RankedTurn(turn_id=turn.id, ref=turn.ref, episode="", ticket=turn.ticket or "", score=0.0)


def _evidence(turn: Turn) -> Evidence:
    return Evidence(
        quote=turn.text,
        turn_ids=(turn.id,),
        refs=(turn.ref,),
        speaker=turn.author,
        role=turn.role,
        said_from=turn.said_at,
        said_to=turn.said_at,
        confidence=1.0,
        episode="",
        ticket=turn.ticket or "",
    )


@asynccontextmanager
async def _ranker(way: str, settings: Settings, dataset: Dataset) -> AsyncIterator[Ranker]:
    if way not in (GOLD, RAG):
        recall = settings.recall.model_copy(update={"mode": RecallMode(way)})
        async with fresh_ranker(settings.model_copy(update={"recall": recall})) as ranker:
            yield ranker
        return
    async with AsyncExitStack() as stack:
        models = await stack.enter_async_context(open_models(settings.models))
        master = ModelMaster(models[ModelRole.MASTER], settings.recall)
        if way == GOLD:
            yield GoldOnly({asked.question: asked.gold for case in dataset.cases for asked in case.asked}, master)
            return
        encoder = await stack.enter_async_context(open_encoder(settings.embeddings))
        yield PlainRetrieval(encoder, master)


def _full_context(dataset: Dataset) -> float:
    """Tokens of the whole conversation behind a question, on average."""
    sizes = [(sum(estimate_tokens(turn.text) for turn in case.turns or ()), len(case.asked)) for case in dataset.cases]
    return sum(size * asked for size, asked in sizes) / max(1, sum(asked for _, asked in sizes))


async def _measure(path: Path, questions: int, seed: int, ways: Sequence[str], log: Path | None) -> None:
    named = os.environ.get("HELPDESK_CONFIG")
    settings = load_settings(Path(named) if named else None, os.environ)
    dataset = narrowed(locomo.read(path), questions, seed)
    full = _full_context(dataset)
    for way in ways:
        place = log and log.with_name(f"{log.stem}-{way}{log.suffix}")
        async with _ranker(way, settings, dataset) as ranker:
            asked = await collect(outcomes(dataset, ranker), place, partial(_say, way))
        found = report(dataset.name, dataset.unit, asked, way)
        names = ("questions", "f1", "f1_by_group", "abstention", "wrongly_abstained", "tokens")
        kept = {name: value for name, value in as_json(found).items() if name in names}
        saving = round(1 - found.tokens.per_question / full, 4)
        sys.stdout.write(json.dumps({"way": way, **kept, "saving": saving}) + "\n")
        sys.stdout.flush()


def _say(way: str, done: int) -> None:
    sys.stderr.write(f"{way}: {done}\n")


def _ways(text: str) -> list[str]:
    named = text.split(",")
    if not set(named) <= set(WAYS):
        raise argparse.ArgumentTypeError(f"the ways are {', '.join(WAYS)}")
    return named


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--ways", type=_ways, default=_ways("gold,rag,direct,emem"))
    parser.add_argument("--log", type=Path)
    given = parser.parse_args()
    asyncio.run(_measure(given.path, given.questions, given.seed, given.ways, given.log))


if __name__ == "__main__":
    main()
