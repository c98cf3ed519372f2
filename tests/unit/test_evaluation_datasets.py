"""What the datasets ask, and what counts as right."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.errors import InputRefused
from memory.evaluation import locomo, longmemeval, own_tickets
from memory.evaluation.dataset import Asked, Unit, narrowed
from memory.model import Question, Viewer
from tests.fakes.exports import locomo_sample, longmemeval_entries

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content))
    return path


def asked(group: str, expected: str) -> Asked:
    question = Question(text="?", viewer=Viewer(user="reader"), now=NOW)
    return Asked(id="1", group=group, question=question, expected=expected)


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    return written(tmp_path / "talks.json", [locomo_sample(), locomo_sample() | {"sample_id": "conv-2"}])


@pytest.fixture
def histories(tmp_path: Path) -> Path:
    return written(tmp_path / "long.json", longmemeval_entries())


# --- LoCoMo -----------------------------------------------------------------------------------------------------------


def test_each_locomo_conversation_is_a_memory_of_its_own(talks: Path) -> None:
    dataset = locomo.read(talks)
    assert (dataset.unit, len(dataset.cases), dataset.size) == (Unit.TURN, 2, 10)
    tickets = [{turn.ticket for turn in case.turns or ()} for case in dataset.cases]
    assert tickets == [{"conv-1-s2", "conv-1-s10"}, {"conv-2-s2", "conv-2-s10"}]


def test_evidence_is_repaired_and_ids_of_no_turn_are_skipped(talks: Path) -> None:
    gold = [one.gold for one in locomo.read(talks).cases[0].asked]
    assert gold == [
        ("conv-1-s2/D2:1", "conv-1-s10/D10:1"),
        ("conv-1-s2/D2:1",),
        ("conv-1-s2/D2:2",),
        (),
        ("conv-1-s2/D2:2",),
    ]


@pytest.mark.parametrize(
    ("cited", "repaired"),
    [("D:11:26", "D11:26"), ("D11:026", "D11:26"), ("D01:1", "D1:1"), ("D", "D"), ("D1:2:3", "D1:2:3")],
)
def test_ids_of_turns_are_repaired(cited: str, repaired: str) -> None:
    assert locomo.turn_id(cited) == repaired


def test_locomo_is_asked_a_day_after_its_last_turn_and_only_in_words(talks: Path) -> None:
    one = locomo.read(talks).cases[0].asked[4]
    assert one.question.now == datetime(2023, 6, 4, 9, 5, tzinfo=UTC)
    assert one.question == Question(text="lighthouse", viewer=Viewer(user="reader"), now=one.question.now)
    assert (one.unanswerable, one.expected, one.group) == (True, None, "5")


def test_an_audit_marks_the_questions_whose_gold_is_wrong(talks: Path, tmp_path: Path) -> None:
    audit = written(tmp_path / "audit.json", [{"question_id": "locomo_1_qa2"}])
    flawed = [one.id for case in locomo.read(talks, audit).cases for one in case.asked if one.flawed]
    assert flawed == ["locomo_1_qa2"]
    with pytest.raises(InputRefused, match="is not an audit"):
        locomo.read(talks, written(tmp_path / "other.json", {"a": 1}))


def test_locomo_answers_are_scored_by_the_rules_of_their_category() -> None:
    # multi-hop: "parrot" fits one of two parts; as one text it would be P 1, R 1/2
    assert locomo.score(asked("1", "beagle, parrot"), "parrot") == pytest.approx(0.5)
    assert locomo.score(asked("4", "beagle, parrot"), "parrot") == pytest.approx(2 / 3)
    # open domain: what follows the first semicolon is a comment
    assert locomo.score(asked("3", "Yes; she saw it"), "yes") == 1
    assert locomo.score(asked("2", "7 May; 2023"), "7 May") == pytest.approx(0.8)


def test_a_locomo_file_with_a_bad_turn_is_not_measured(tmp_path: Path) -> None:
    sample = locomo_sample()
    sample["conversation"]["session_2"][0]["dia_id"] = None
    with pytest.raises(InputRefused, match="conversation 1"):
        locomo.read(written(tmp_path / "t.json", [sample]))
    with pytest.raises(InputRefused, match="no session with turns"):
        locomo.read(written(tmp_path / "t.json", [{"conversation": {}, "qa": []}]))


# --- LongMemEval ------------------------------------------------------------------------------------------------------


def test_each_longmemeval_question_has_a_memory_of_its_own(histories: Path) -> None:
    dataset = longmemeval.read(histories)
    assert dataset.unit is Unit.SESSION
    first, second = dataset.cases
    assert [turn.ref for turn in first.turns or ()] == ["s-noise/1", "s-mower/1", "s-mower/2", "s-kettle/1"]
    assert first.asked[0].gold == ("s-kettle", "s-mower")
    assert (second.asked[0].gold, second.asked[0].unanswerable, second.asked[0].expected) == ((), True, None)


def test_longmemeval_is_asked_at_its_date_or_when_the_last_session_of_that_day_is_over(histories: Path) -> None:
    first, second = (case.asked[0].question.now for case in longmemeval.read(histories).cases)
    assert first == datetime(2023, 1, 24, 23, tzinfo=UTC)
    assert second == datetime(2023, 1, 24, 12, tzinfo=UTC)


def test_a_session_that_stands_twice_in_a_history_counts_once_at_its_first_date(tmp_path: Path) -> None:
    entry = longmemeval_entries()[1]
    entry["haystack_dates"].append("2023/01/10 (Tue) 08:00")
    entry["haystack_session_ids"] *= 2
    entry["haystack_sessions"] *= 2
    (turn,) = longmemeval.read(written(tmp_path / "t.json", [entry])).cases[0].turns or ()
    assert turn.said_at == datetime(2023, 1, 10, 8, tzinfo=UTC)


def test_preferences_are_not_scored_by_shared_words(tmp_path: Path) -> None:
    entry = longmemeval_entries()[0] | {"question_type": "single-session-preference"}
    assert longmemeval.read(written(tmp_path / "t.json", [entry])).cases[0].asked[0].expected is None


def test_longmemeval_with_a_bad_date_is_not_measured(tmp_path: Path) -> None:
    entry = longmemeval_entries()[0] | {"question_date": "today"}
    with pytest.raises(InputRefused, match=r"question q1: the date 'today' is not like"):
        longmemeval.read(written(tmp_path / "t.json", [entry]))


# --- one's own --------------------------------------------------------------------------------------------------------


def test_own_questions_name_tickets_or_answers_and_who_asks(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text(
        "\ufeffquestion,ticket,answer,user,channel\n"
        'VPN?,INC-1; INC-2,"Restart it, twice",sato,it\n'
        "\u30d7\u30ea\u30f3\u30bf\u306f?,,\u518d\u8d77\u52d5,,\n",
        encoding="utf-8",
    )
    dataset = own_tickets.read(path, NOW)
    first, second = dataset.cases[0].asked
    assert dataset.cases[0].turns is None
    assert (first.gold, first.expected) == (("INC-1", "INC-2"), "Restart it, twice")
    assert (first.question.viewer, first.question.now) == (Viewer(user="sato", channel="it"), NOW)
    assert (second.gold, second.question.viewer.channel) == ((), "dm")
    assert dataset.score(second, "再起動") == 1


@pytest.mark.parametrize(
    "cell", ["INC-1,INC-2", "INC-1, INC-2", "INC-1;INC-2", "INC-1 INC-2", "INC-1、INC-2", " INC-1 ;, INC-2,"]
)
def test_tickets_in_one_cell_are_parted_by_commas_semicolons_or_spaces(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "own.csv"
    path.write_text(f'question,ticket\nVPN?,"{cell}"\n', encoding="utf-8")
    assert own_tickets.read(path, NOW).cases[0].asked[0].gold == ("INC-1", "INC-2")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("frage,ticket\nx,y\n", "its first line has frage, ticket. It may have question"),
        ("ticket\nx\n", "and must have `question`"),
        ("question,ticket\nVPN?,\n", "line 2: a `question` and a `ticket` or an `answer`"),
        ("question,ticket\n", "holds no question"),
        ("", "its first line has none"),
        ('question,ticket\n"VPN', "not a whole CSV"),
    ],
)
def test_own_questions_that_cannot_be_used_are_refused(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "own.csv"
    path.write_text(content)
    with pytest.raises(InputRefused, match=reason):
        own_tickets.read(path, NOW)


def test_own_questions_in_another_encoding_or_place_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes("question,ticket\nプリンタ,I\n".encode("cp932"))
    with pytest.raises(InputRefused, match="save it as UTF-8"):
        own_tickets.read(path, NOW)
    with pytest.raises(InputRefused, match="cannot be read"):
        own_tickets.read(tmp_path / "gone.csv", NOW)


# --- fewer questions --------------------------------------------------------------------------------------------------


def test_a_narrowed_dataset_keeps_its_order_and_leaves_out_idle_memories(talks: Path) -> None:
    dataset = locomo.read(talks)
    few = narrowed(dataset, 3, None)
    assert [one.id for case in few.cases for one in case.asked] == ["locomo_0_qa0", "locomo_0_qa1", "locomo_0_qa2"]
    assert len(few.cases) == 1
    sample = narrowed(dataset, 4, 11)
    assert sample == narrowed(dataset, 4, 11)
    assert sample.size == 4
    assert narrowed(dataset, None, 11).size == 10
    assert timedelta(0) == sample.cases[0].asked[0].question.now - dataset.cases[0].asked[0].question.now
