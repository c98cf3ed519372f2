"""Asking, scoring and adding up, with a memory made small."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.answers import Answer, AnswerKind, Evidence, RankedTurn, RoutedEpisode
from memory.errors import InputRefused
from memory.evaluation import locomo, longmemeval, own_tickets
from memory.evaluation.dataset import Asked, Dataset, Unit
from memory.evaluation.evaluate import Outcome, collect, found_units, outcomes, spoken
from memory.evaluation.lookup import Wanted, lookups
from memory.evaluation.lookup import as_json as lookup_json
from memory.evaluation.report import as_json, report
from memory.model import Question, Role, TokenUse, Viewer
from memory.recall.ranking import Ranking
from tests.fakes.exports import locomo_sample, longmemeval_entries
from tests.fakes.word_ranker import WordRanker

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


def question(text: str = "?") -> Question:
    return Question(text=text, viewer=Viewer(user="reader"), now=NOW)


def outcome(
    group: str, gold: str, found: str, *, ms: float = 1, flawed: bool = False, adversarial: bool = False
) -> Outcome:
    asked = Asked(id="1", group=group, question=question(), gold=tuple(gold), unanswerable=adversarial, flawed=flawed)
    return Outcome(asked=asked, found=tuple(found), ms=ms)


async def measured(dataset: Dataset, ranker: WordRanker) -> list[Outcome]:
    return [one async for one in outcomes(dataset, ranker)]


def answered(asked: Question) -> Answer:
    """Abstains on what was never said; else answers the same words at a price."""
    kind = AnswerKind.ABSTAINED if "lighthouse" in asked.text else AnswerKind.WRITTEN
    return Answer(
        kind=kind,
        language="en",
        body="7 May 2023",
        assistant_tokens=TokenUse(prompt=100, cached=60, completion=10),
        master_tokens=TokenUse(prompt=40, cached=5, completion=20),
    )


# --- asking -----------------------------------------------------------------------------------------------------------


async def test_the_memory_is_reset_for_each_case_and_sees_nothing_but_questions(tmp_path: Path) -> None:
    dataset = longmemeval.read(written(tmp_path / "t.json", longmemeval_entries()))
    ranker = WordRanker()
    done = await measured(dataset, ranker)
    assert ranker.loads == 2
    assert [turn.ref for turn in ranker.turns] == ["s-noise/1"]
    assert ranker.asked == [case.asked[0].question for case in dataset.cases]
    assert done[0].found == ("s-mower", "s-kettle")
    assert done[0].spoken is None


async def test_own_questions_are_asked_of_what_the_memory_holds(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("question,ticket\nbeagle,conv-1-s2\n")
    ranker = WordRanker()
    await ranker.load(locomo.read(written(tmp_path / "t.json", [locomo_sample()])).cases[0].turns or ())
    (one,) = await measured(own_tickets.read(path, NOW), ranker)
    assert ranker.loads == 1
    assert one.found == ("conv-1-s2",)


def test_sessions_stand_as_the_router_ranks_them_and_behind_them_by_their_best_turn() -> None:
    refs = ("a/2", "b/x/7", "a/1", "c/1")
    turns = [RankedTurn(turn_id=ref, ref=ref, episode="", ticket=ref.rpartition("/")[0], score=1) for ref in refs]
    routed = RoutedEpisode(episode="", ticket="b/x", score=2, pathways=("semantic",))
    ranked = Ranking(turns=tuple(turns), episodes=(routed,))
    assert found_units(ranked, Unit.TURN) == ("a/2", "b/x/7", "a/1", "c/1")
    assert found_units(ranked, Unit.SESSION) == ("b/x", "a", "c")


# --- answers ----------------------------------------------------------------------------------------------------------


def test_an_abstaining_answer_scores_nothing_whatever_it_says() -> None:
    asked = Asked(id="1", group="2", question=question(), expected="7 May 2023")
    answer = Answer(kind=AnswerKind.ABSTAINED, language="en", body="7 May 2023")
    said = spoken(asked, answer, locomo.score)
    assert (said.text, said.abstained, said.f1) == ("", True, 0)


def test_quotes_are_scored_as_the_answer_they_stand_for() -> None:
    quote = Evidence(
        quote="on 7 May 2023", turn_ids=("t",), refs=("a/1",), speaker="Ann", role=Role.REQUESTER, said_from=NOW,
        said_to=NOW, confidence=1, episode="e", ticket="a",
    )  # fmt: skip
    asked = Asked(id="1", group="2", question=question(), expected="7 May 2023")
    said = spoken(asked, Answer(kind=AnswerKind.QUOTES, language="en", cited=(quote,)), locomo.score)
    assert said.f1 == pytest.approx(6 / 7)  # three of four words, all three found


def test_an_adversarial_question_is_judged_by_abstention_alone() -> None:
    asked = Asked(id="1", group="5", question=question(), expected="No", unanswerable=True)
    said = spoken(asked, Answer(kind=AnswerKind.WRITTEN, language="en", body="No"), locomo.score)
    assert (said.abstained, said.f1) == (False, None)


# --- adding up --------------------------------------------------------------------------------------------------------


async def test_a_run_without_a_model_reports_recall_and_no_answers(tmp_path: Path) -> None:
    dataset = locomo.read(written(tmp_path / "t.json", [locomo_sample()]))
    shown = as_json(report(dataset.name, dataset.unit, await measured(dataset, WordRanker()), "c0ffee"))
    recall = shown["recall"]
    assert isinstance(recall, dict)
    # beagle and parrot are both found, "adopted when" too, harbour too, the lighthouse is not; one has no gold
    assert {group: row["5"] for group, row in recall["turn"].items()} == {"all": 1, "1": 1, "2": 1, "3": 1, "5": 0}
    assert set(recall["turn"]["all"]) == {"5", "10", "20", "50"}
    assert (shown["dataset"], shown["questions"], shown["config"]) == ("locomo", 5, "c0ffee")
    assert [shown[name] for name in ("f1", "f1_by_group", "abstention", "wrongly_abstained", "sound")] == [None] * 5
    assert shown["tokens"] == {"assistant": 0, "master": 0, "cached": 0, "per_question": 0}


async def test_a_run_with_a_model_reports_answers_abstention_and_tokens(tmp_path: Path) -> None:
    dataset = locomo.read(written(tmp_path / "t.json", [locomo_sample()]))
    shown = as_json(report(dataset.name, dataset.unit, await measured(dataset, WordRanker(answered)), ""))
    assert shown["f1"] == 0.25  # right in one of the four that have an answer
    assert shown["f1_by_group"] == {"all": 0.25, "1": 0, "2": 1, "3": 0, "4": 0}
    assert (shown["abstention"], shown["wrongly_abstained"]) == (1, 0)
    assert shown["tokens"] == {"assistant": 550, "master": 300, "cached": 325, "per_question": 170}


def test_recall_together_leaves_adversarial_questions_out() -> None:
    done = [outcome("1", "ab", "axxxxb"), outcome("4", "c", "c"), outcome("5", "d", "", adversarial=True)]
    found = report("locomo", Unit.TURN, done, "").recall
    assert [found[group]["5"].value for group in ("all", "1", "4", "5")] == [0.75, 0.5, 1, 0]
    assert [found[group]["10"].value for group in ("all", "1")] == [1, 1]
    assert [found[group]["5"].questions for group in ("all", "1", "4", "5")] == [2, 1, 1, 1]


def test_a_question_without_gold_counts_as_asked_and_not_as_found() -> None:
    shown = report("locomo", Unit.TURN, [outcome("1", "", "a"), outcome("1", "b", "a")], "")
    assert (shown.questions, shown.recall["all"]["5"].questions, shown.recall["all"]["5"].value) == (2, 1, 0)


def test_sessions_are_reported_by_any_all_and_gain() -> None:
    done = [outcome("multi-session", "ab", "axxxxxb"), outcome("temporal", "c", "c")]
    shown = as_json(report("longmemeval", Unit.SESSION, done, ""))
    assert shown["recall"] == {"session_any": {"5": 1, "10": 1}, "session_all": {"5": 0.5, "10": 1}}
    # gain of the first question: (1 + 1/log2(7)) / 2 = 0.67810 at ten, 1/2 at five
    assert shown["ndcg"] == {"5": 0.75, "10": 0.8391}
    assert shown["groups"] == {"multi-session": 1, "temporal": 1}


def test_known_wrong_gold_is_reported_with_and_without() -> None:
    done = [outcome("1", "a", "a"), outcome("1", "b", "", flawed=True)]
    whole = report("locomo", Unit.TURN, done, "")
    assert whole.recall["all"]["5"].value == 0.5
    assert whole.sound is not None
    assert (whole.sound.questions, whole.sound.recall["all"]["5"].value) == (1, 1)
    assert whole.sound.sound is None


def test_intervals_stand_beside_every_share_and_hold_it() -> None:
    done = [outcome("1", "a", "a" if place % 3 else "") for place in range(60)]
    shown = as_json(report("locomo", Unit.TURN, done, ""))
    intervals, recall = shown["intervals"], shown["recall"]
    assert isinstance(intervals, dict)
    assert isinstance(recall, dict)
    low, high = intervals["turn"]["all"]["5"]
    assert 0.5 < low < recall["turn"]["all"]["5"] < high < 0.8


def test_times_are_given_as_median_and_slow_end() -> None:
    done = [outcome("1", "a", "a", ms=float(ms)) for ms in range(1, 102)]
    assert as_json(report("locomo", Unit.TURN, done, ""))["ms"] == {"p50": 51, "p95": 96}


def test_nothing_asked_is_no_result() -> None:
    shown = as_json(report("longmemeval", Unit.SESSION, [], ""))
    assert shown["recall"] == {"session_any": {"5": None, "10": None}, "session_all": {"5": None, "10": None}}
    json.dumps(shown, allow_nan=False)


# --- the log ----------------------------------------------------------------------------------------------------------


async def test_every_outcome_is_logged_as_it_comes(tmp_path: Path) -> None:
    dataset = locomo.read(written(tmp_path / "t.json", [locomo_sample()]))
    log = tmp_path / "log.jsonl"
    log.write_text("of an earlier run\n")
    heard: list[int] = []
    done = await collect(outcomes(dataset, WordRanker(answered)), log, heard.append)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert (len(done), heard, len(lines)) == (5, [1, 2, 3, 4, 5], 5)
    assert lines[0]["gold"] == ["conv-1-s2/D2:1", "conv-1-s10/D10:1"]
    assert lines[0]["places"] == [1, 2]
    assert lines[4] | {"ms": 0} == {
        "id": "locomo_0_qa4", "group": "5", "question": "lighthouse", "gold": ["conv-1-s2/D2:2"], "places": [None],
        "found": [], "ms": 0, "flawed": False, "expected": None, "unanswerable": True, "answer": "", "abstained": True,
        "f1": None, "tokens": 170,
    }  # fmt: skip


async def test_a_log_that_cannot_be_written_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    ranker = WordRanker()
    dataset = locomo.read(written(tmp_path / "t.json", [locomo_sample()]))
    with pytest.raises(InputRefused, match="cannot be written"):
        await collect(outcomes(dataset, ranker), tmp_path / "no" / "log", lambda count: None)
    assert ranker.loads == 0


# --- one text among many ----------------------------------------------------------------------------------------------


async def test_a_text_with_the_very_same_words_is_a_hit() -> None:
    texts = ["yes indeed", "no way", "yes indeed"]
    wanted = [Wanted(question="indeed", text="yes indeed"), Wanted(question="way", text="yes indeed")]
    assert [hit async for hit in lookups(WordRanker(), texts, wanted, 1)] == [1, 0]
    assert lookup_json([1, 0, 1, 1], 10)["recall@10"] == 0.75


async def test_only_the_first_turns_count() -> None:
    texts = ["red", "red", "red blue"]
    wanted = [Wanted(question="red blue", text="red"), Wanted(question="red blue", text="red blue")]
    assert [hit async for hit in lookups(WordRanker(), texts, wanted, 1)] == [0, 1]
    assert [hit async for hit in lookups(WordRanker(), texts, wanted, 2)] == [1, 1]
