"""What each part of the ranking is worth, as a table and by command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot import measuring
from bot.cli_eval import evaluate
from config.loader import load_settings
from config.recall import RecallPart
from memory.evaluation import locomo
from memory.evaluation.ablation import Variant, ablation, as_table, variants
from memory.evaluation.evaluate import Outcome
from tests.fakes.exports import locomo_sample
from tests.fakes.word_ranker import WordRanker


class Forgetful(WordRanker):
    """Finds nothing by words when words are left out."""

    def varied(self, without: Sequence[RecallPart]) -> Forgetful:
        other = Forgetful()
        other.turns = [] if RecallPart.WORDS in without else self.turns
        return other


@pytest.fixture
def conversations(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([locomo_sample()]))
    return path


def test_each_variant_differs_in_one_part_from_the_ranking_as_it_is_set() -> None:
    graph, words, exact = RecallPart.GRAPH, RecallPart.WORDS, RecallPart.EXACT
    assert variants([graph, exact], [words, graph]) == [
        Variant(name="as set", without=(graph, exact)),
        Variant(name="without words", without=(graph, exact, words)),
        Variant(name="with graph", without=(exact,)),
    ]


async def test_every_question_is_asked_in_every_way_of_a_memory_that_is_loaded_once(conversations: Path) -> None:
    dataset, ranker = locomo.read(conversations), Forgetful()
    chosen = variants([], [RecallPart.WORDS])
    found: dict[str, list[Outcome]] = {variant.name: [] for variant in chosen}
    async for variant, outcome in ablation(dataset, ranker, chosen):
        found[variant.name].append(outcome)
    assert ranker.loads == len(dataset.cases)
    assert [len(outcomes) for outcomes in found.values()] == [dataset.size, dataset.size]
    assert any(outcome.found for outcome in found["as set"])
    assert not any(outcome.found for outcome in found["without words"])
    table = as_table(dataset, found)
    assert table["questions"] == dataset.size
    assert table["ablation"]["without words"]["turn"]["all"] == {"5": 0, "10": 0, "20": 0, "50": 0}  # type: ignore[index]


def test_an_unknown_part_is_refused_with_those_that_are_known(conversations: Path) -> None:
    done = CliRunner().invoke(evaluate, ["locomo", str(conversations), "--without", "window,moon"])
    assert done.exit_code == 2
    assert "no such part: moon. Known are words, meaning, turn, window" in done.output


def test_ones_own_questions_are_asked_of_the_memory_as_it_is(conversations: Path) -> None:
    done = CliRunner().invoke(evaluate, ["own", str(conversations), "--without", "window"])
    assert done.exit_code == 2
    assert "recall.without" in done.output


async def test_the_same_memory_is_ranked_without_a_part(
    conversations: Path,
) -> None:
    """Over the shipped index and encoder."""
    done = await measuring.measure_parts(
        load_settings(None, {}),
        "locomo",
        conversations,
        [RecallPart.MEANING, RecallPart.GRAPH],
        limit=2,
        sample=None,
        tell=lambda told: None,
    )
    assert list(done["ablation"]) == ["as set", "without meaning", "with graph"]
    assert done["questions"] == 2
