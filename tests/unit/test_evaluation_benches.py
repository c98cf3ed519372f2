"""The two benches across languages, on files made small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import ami, jsquad
from bench.policies import CONDITIONS, NEW, NOW, OLD, THEN, Condition, answer
from memory.errors import InputRefused
from memory.remember.timeline import Policy
from tests.fakes.word_ranker import WordRanker


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


async def test_jsquad_finds_the_paragraph_of_each_question(tmp_path: Path) -> None:
    paragraphs = [
        {"context": "雨 [SEP] rain falls", "qas": [{"question": "what falls"}, {"question": "nothing"}]},
        {"context": "雪 [SEP] snow lies", "qas": [{"question": "what lies"}]},
    ]
    texts, asked = jsquad.read(written(tmp_path / "j.json", {"data": [{"paragraphs": paragraphs}]}))
    assert texts == ["雨\nrain falls", "雪\nsnow lies"]
    result = await jsquad.measure(WordRanker(), texts, asked)
    assert (result["paragraphs"], result["questions"], result["recall@10"]) == (2, 3, 0.6667)


async def test_ami_asks_both_ways_and_only_sentences_that_say_enough(tmp_path: Path) -> None:
    sentences = [
        {"en_sentence": "We start at nine alpha", "ja_sentence": "alpha 九時"},
        {"en_sentence": "The remote is yellow beta", "ja_sentence": "黄色"},
        {"en_sentence": "Uh alpha.", "ja_sentence": "えー alpha"},
    ]
    meetings = ami.read(written(tmp_path / "a.json", [{"id": "m", "conversation": sentences}]))
    result = await ami.measure(WordRanker(), meetings)
    assert result["meetings"] == 1
    for way in ("en_to_ja", "ja_to_en"):
        found = result[way]
        assert isinstance(found, dict)
        assert (found["questions"], found["recall@10"]) == (2, 0.5)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", {"data": 1})
    with pytest.raises(InputRefused, match="is not a JSQuAD file"):
        jsquad.read(path)
    with pytest.raises(InputRefused, match="is not a file of meetings"):
        ami.read(path)


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.name)
async def test_where_dates_decide_the_right_owner_is_named_whatever_is_missing_or_mistaken(
    condition: Condition,
) -> None:
    assert await answer(Policy.BITEMPORAL, condition, NOW) == NEW
    assert await answer(Policy.BITEMPORAL, condition, THEN) == OLD


async def test_what_overwrites_has_lost_the_first_owner() -> None:
    assert await answer(Policy.OVERWRITE, CONDITIONS[0], THEN) == NEW
