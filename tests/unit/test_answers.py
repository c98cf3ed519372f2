"""The object of `ask --json` and the text of `ask --explain`."""

from __future__ import annotations

import json

from handlers.answers import answer_object, explain_text
from memory.answers import Answer, AnswerKind, Degraded, RankedTurn, RoutedEpisode
from memory.model import TokenUse
from tests.fakes.answers import abstained, evidence


def _answer(language: str = "en") -> Answer:
    one = evidence("It works again.", confidence=0.87654)
    return Answer(
        kind=AnswerKind.WRITTEN,
        language=language,
        body="It works.",
        cited=(one,),
        evidence=(one, evidence("No idea.", ticket="INC-1002", message="1", confidence=0.4)),
        routed=(
            RoutedEpisode(
                episode="e1",
                ticket="INC-1067",
                score=0.83,
                pathways=("semantic", "somewhere"),
                channels={"meaning_turn": 0.71, "odd": 0.5},
            ),
        ),
        ranked=(RankedTurn(turn_id="t1", ref="INC-1067/3", episode="e1", ticket="INC-1067", score=0.9),),
        mode="emem",
        assistant_tokens=TokenUse(prompt=1000, cached=600, completion=50),
        master_tokens=TokenUse(prompt=700, cached=100, completion=80),
        degraded=(Degraded.ASSISTANTS,),
        stages={"route": 12.345, "answer": 800.0},
    )


def test_the_object_names_tickets_turns_scores_tokens_and_times() -> None:
    assert json.loads(json.dumps(answer_object(_answer(), "It works. Sources: …"))) == {
        "answer": "It works. Sources: …",
        "abstained": False,
        "language": "en",
        "mode": "emem",
        "kind": "written",
        "degraded": ["assistants"],
        "citations": [
            {
                "kind": "ticket",
                "ticket": "INC-1067",
                "channel": None,
                "turn_ids": ["INC-1067/3"],
                "quote": "It works again.",
                "speaker": "okabe",
                "time": "2026-11-22T01:05:00+00:00",
                "permalink": None,
            }
        ],
        "evidence": [
            {
                "kind": "ticket",
                "ticket": "INC-1067",
                "channel": None,
                "turn_ids": ["INC-1067/3"],
                "quote": "It works again.",
                "speaker": "okabe",
                "time": "2026-11-22T01:05:00+00:00",
                "permalink": None,
                "until": "2026-11-22T01:05:00+00:00",
                "role": "agent",
                "confidence": 0.877,
                "derived": False,
            },
            {
                "kind": "ticket",
                "ticket": "INC-1002",
                "channel": None,
                "turn_ids": ["INC-1002/1"],
                "quote": "No idea.",
                "speaker": "okabe",
                "time": "2026-11-22T01:05:00+00:00",
                "permalink": None,
                "until": "2026-11-22T01:05:00+00:00",
                "role": "agent",
                "confidence": 0.4,
                "derived": False,
            },
        ],
        "routed": [
            {
                "episode": "e1",
                "ticket": "INC-1067",
                "scores": {"total": 0.83, "meaning_turn": 0.71, "odd": 0.5},
                "pathways": ["semantic", "somewhere"],
            }
        ],
        "facts": [],
        "ranked": [{"turn": "INC-1067/3", "ticket": "INC-1067", "scores": {"total": 0.9}}],
        "tokens": {"assistant": 1050, "master": 780, "cached": 700},
        "ms": {"route": 12.3, "answer": 800.0},
    }


def test_an_abstention_is_an_object_with_empty_lists_and_no_tokens() -> None:
    made = answer_object(abstained(), "確認中: ")
    assert made["abstained"] is True
    assert [made[name] for name in ("citations", "evidence", "routed", "ranked")] == [[], [], [], []]
    assert made["tokens"] == {"assistant": 0, "master": 0, "cached": 0}


def test_the_explanation_says_in_words_what_let_each_ticket_in_and_what_it_cost() -> None:
    assert explain_text(_answer()).splitlines() == [
        "How this was found (mode: emem, 2 pieces of evidence, 1 cited)",
        "  INC-1067  score 0.83 (meaning of the turn 0.71, odd 0.50)  let in by: meaning, somewhere",
        "  Some tickets could not be read; something may be missing.",
        "Tokens: assistants 1,050, master 780 (of these cached 700)",
        "Time (ms): route 12, answer 800",
    ]


def test_the_explanation_speaks_the_language_of_the_answer() -> None:
    assert explain_text(_answer("ja")).splitlines()[1] == (
        "  INC-1067  点数 0.83（発言の意味 0.71, odd 0.50）  経路: 意味, somewhere"
    )


def test_an_explanation_of_nothing_says_so() -> None:
    assert "読むべきチケットはありませんでした。" in explain_text(abstained())
