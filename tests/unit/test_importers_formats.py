"""Which format a file is, and the two research formats as histories."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from bot.importers import locomo, longmemeval
from bot.importers.formats import Format, detect, reader
from bot.importers.rows import BadRow
from memory.errors import InputRefused
from memory.evaluation.files import source_of
from memory.model import Role, Turn, Visibility
from tests.fakes.exports import (
    jsonl,
    locomo_sample,
    longmemeval_entries,
    said,
    slack_folder,
    ticket_row,
    zipped,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)
JST = timezone(timedelta(hours=9))


def written(path: Path, content: object) -> Path:
    text = json.dumps(content)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def shared_form() -> dict[str, object]:
    """The same questions with each session kept once."""
    sessions: dict[str, object] = {}
    questions = longmemeval_entries()
    for entry in questions:
        named = zip(entry["haystack_session_ids"], entry.pop("haystack_sessions"), strict=True)
        sessions.update(named)
        entry["haystack"] = [[name, []] for name in entry["haystack_session_ids"]]
    return {"sessions": sessions, "questions": questions}


# --- which format -----------------------------------------------------------------------------------------------------


def test_every_format_shows_itself(tmp_path: Path) -> None:
    folder = slack_folder(tmp_path / "Acme", {"general/2026-03-02.json": [said("U1", 0, "hi")]})
    table = tmp_path / "desk.csv"
    table.write_text("ticket,message\n")
    shown = {
        detect(folder): Format.SLACK_EXPORT,
        detect(zipped(folder, tmp_path / "Acme.zip")): Format.SLACK_EXPORT,
        detect(table): Format.CSV,
        detect(jsonl(tmp_path / "desk.jsonl", ticket_row())): Format.JSONL,
        detect(written(tmp_path / "locomo.json", [locomo_sample()])): Format.LOCOMO,
        detect(written(tmp_path / "long.json", longmemeval_entries())): Format.LONGMEMEVAL,
        detect(written(tmp_path / "long.json.gz", shared_form())): Format.LONGMEMEVAL,
    }
    assert all(found == expected for found, expected in shown.items())
    assert set(shown) == set(Format)


def test_content_shows_the_format_where_the_name_does_not(tmp_path: Path) -> None:
    assert detect(jsonl(tmp_path / "desk.txt", ticket_row())) == Format.JSONL
    table = tmp_path / "desk.dat"
    table.write_bytes(b'\xef\xbb\xbf"ticket","message","at"\r\n')
    assert detect(table) == Format.CSV
    folder = slack_folder(tmp_path / "Acme", {"general/1.json": []})
    assert detect(zipped(folder, tmp_path / "download")) == Format.SLACK_EXPORT


def test_what_shows_no_format_is_refused_with_the_names(tmp_path: Path) -> None:
    for name, content in (("notes.txt", "hello"), ("list.json", "[1, 2]")):
        (tmp_path / name).write_text(content)
        with pytest.raises(InputRefused, match=r"--format slack-export\|csv\|jsonl\|locomo\|longmemeval"):
            detect(tmp_path / name)


def test_an_empty_a_missing_and_a_broken_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("\n")
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8b\x00\x00broken")
    for name, reason in (("empty.csv", "is empty"), ("gone.csv", "cannot be read"), ("cut.json.gz", "gzip")):
        with pytest.raises(InputRefused, match=reason):
            detect(tmp_path / name)


def test_every_format_has_a_reader_and_nothing_else_does() -> None:
    assert len({reader(name) for name in Format}) == len(Format)
    with pytest.raises(InputRefused, match="choose one of slack-export, csv"):
        reader("xml")


@pytest.mark.parametrize(
    ("file", "source"),
    [("desk.jsonl", "desk"), ("long_s.json.gz", "long_s"), ("Acme v1.2.zip", "Acme v1.2"), ("folder", "folder")],
)
def test_a_source_is_named_after_its_file(file: str, source: str) -> None:
    assert source_of(Path("/somewhere") / file) == source


# --- LoCoMo -----------------------------------------------------------------------------------------------------------


def test_locomo_sessions_are_threads_in_numerical_order(tmp_path: Path) -> None:
    path = written(tmp_path / "talks.json", [locomo_sample()])
    rows = [row for row in locomo.read(path, default_zone=JST, now=NOW) if isinstance(row, Turn)]
    assert [row.ref for row in rows] == ["conv-1-s2/D2:1", "conv-1-s2/D2:2", "conv-1-s10/D10:1"]
    assert [row.author for row in rows] == ["Ann", "Ben", "Ben"]
    assert rows[0].said_at == datetime(2023, 5, 8, 13, 56, tzinfo=JST)
    assert rows[0].said_at < rows[1].said_at < rows[0].said_at + timedelta(minutes=1)
    assert {row.visibility for row in rows} == {Visibility.EVERYONE}


def test_locomo_pictures_are_told_by_their_caption_and_never_by_their_query(tmp_path: Path) -> None:
    rows = list(locomo.read(written(tmp_path / "t.json", [locomo_sample()]), default_zone=UTC, now=NOW))
    texts = [row.text for row in rows if isinstance(row, Turn)]
    assert texts[1] == "Lovely! [image: a photo of a harbour]"
    assert not any("lighthouse" in text for text in texts)


def test_bad_locomo_turns_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    sample = locomo_sample()
    sample["conversation"]["session_2"][0] = {"speaker": "Ann", "dia_id": "D2:1", "text": " "}
    sample["conversation"]["session_2"].append({"dia_id": "D2:3", "text": "who?"})
    sample["conversation"]["session_10_date_time"] = "soon"
    rows = list(locomo.read(written(tmp_path / "t.json", [sample]), default_zone=UTC, now=NOW))
    assert [row.message for row in rows if isinstance(row, Turn)] == ["D2:2"]
    bad = [row for row in rows if isinstance(row, BadRow)]
    assert [(row.file, row.message, row.field) for row in bad] == [
        ("t.json, conv-1-s2", 1, None),
        ("t.json, conv-1-s2", 3, "speaker"),
        ("t.json, conv-1-s10", 1, None),
    ]
    assert [row.reason for row in bad][:2] == ["text is empty", "is missing"]


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ("hello", None, 'is no message with fields, as in {"text": …}'),
        ({"speaker": 5, "dia_id": "D1:1", "text": "hi"}, "speaker", "must be a text"),
        ({"speaker": "Ann", "dia_id": "D1:1", "text": []}, "text", "must be a text"),
    ],
)
def test_a_turn_of_another_kind_is_told_in_our_words(
    tmp_path: Path, row: object, field: str | None, reason: str
) -> None:
    sample = locomo_sample()
    sample["conversation"]["session_2"] = [row]
    rows = list(locomo.read(written(tmp_path / "t.json", [sample]), default_zone=UTC, now=NOW))
    assert [(one.field, one.reason) for one in rows if isinstance(one, BadRow)] == [(field, reason)]


def test_what_is_no_locomo_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="is not a LoCoMo file"):
        list(locomo.read(written(tmp_path / "t.json", [{"qa": []}]), default_zone=UTC, now=NOW))
    (tmp_path / "cut.json").write_text('[{"conversation": {\n "session_1": [')
    with pytest.raises(InputRefused, match=r"cut\.json, line 2: not JSON"):
        list(locomo.read(tmp_path / "cut.json", default_zone=UTC, now=NOW))


# --- LongMemEval ------------------------------------------------------------------------------------------------------


def test_both_forms_of_longmemeval_give_the_same_turns(tmp_path: Path) -> None:
    published = written(tmp_path / "long.json", longmemeval_entries())
    shared = written(tmp_path / "long.json.gz", shared_form())
    rows = list(longmemeval.read(published, default_zone=JST, now=NOW))
    assert rows == list(longmemeval.read(shared, default_zone=JST, now=NOW))
    found = [row for row in rows if isinstance(row, Turn)]
    assert [row.ref for row in found] == ["s-noise/1", "s-mower/1", "s-mower/2", "s-kettle/1"]
    assert [row.role for row in found] == [Role.REQUESTER, Role.REQUESTER, Role.AGENT, Role.REQUESTER]
    assert found[3].said_at == datetime(2023, 1, 24, 23, tzinfo=JST)


def test_one_question_can_be_chosen(tmp_path: Path) -> None:
    path = written(tmp_path / "long.json", longmemeval_entries())
    rows = list(longmemeval.read(path, default_zone=UTC, now=NOW, question="q2_abs"))
    assert [row.ref for row in rows if isinstance(row, Turn)] == ["s-noise/1"]
    with pytest.raises(InputRefused, match="no question q9"):
        list(longmemeval.read(path, default_zone=UTC, now=NOW, question="q9"))


def test_what_is_no_longmemeval_is_refused(tmp_path: Path) -> None:
    form = shared_form()
    form["sessions"] = {}
    for content in ([{"question": "?"}], form, 5):
        with pytest.raises(InputRefused, match="is not a LongMemEval file"):
            list(longmemeval.read(written(tmp_path / "t.json", content), default_zone=UTC, now=NOW))
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(b"[]" * 9000)[:30])
    with pytest.raises(InputRefused, match="is not a whole gzip file; was the download cut off"):
        list(longmemeval.read(tmp_path / "cut.json.gz", default_zone=UTC, now=NOW))
