"""Ticket files: what becomes a turn, and what is reported with its line."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.importers import demo_history, tickets_csv, tickets_jsonl
from bot.importers.demo_history import relative_moment
from bot.importers.rows import BadRow, ReplacedRow, Row, cleaned
from memory.errors import InputRefused
from memory.model import Role, Turn, Visibility
from tests.fakes.exports import jsonl, ticket_row

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
HEADER = "ticket,message,at,author,role,text"


def read_jsonl(path: Path) -> list[Row]:
    return list(tickets_jsonl.read(path, default_zone=UTC, now=NOW))


def read_csv(path: Path, content: str | bytes) -> list[Row]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(tickets_csv.read(path, default_zone=UTC, now=NOW))


def turns(rows: list[Row]) -> list[Turn]:
    return [row for row in rows if isinstance(row, Turn)]


def only_bad(path: Path, *rows: dict[str, object]) -> BadRow:
    (row,) = read_jsonl(jsonl(path, *rows))
    assert isinstance(row, BadRow)
    return row


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "desk.jsonl"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "desk.csv"


# --- what becomes a turn ----------------------------------------------------------------------------------------------


def test_a_row_becomes_a_turn_with_the_names_of_the_source(file: Path) -> None:
    (turn,) = turns(read_jsonl(jsonl(file, ticket_row(3, status="open", assignee="lim", title="VPN"))))
    assert (turn.ref, turn.conversation.workspace, turn.conversation.platform) == ("INC-1/3", "desk", "import")
    assert (turn.author, turn.role, turn.text) == ("sato", Role.REQUESTER, "VPN does not connect")
    assert (turn.title, turn.status, turn.assignee) == ("VPN", "open", "lim")


def test_an_author_is_an_id_where_a_speaker_says_by_what_name_people_know_them(file: Path) -> None:
    (turn,) = turns(read_jsonl(jsonl(file, ticket_row(3, author="U0LIM", speaker="Lim Wei"))))
    assert (turn.author, turn.speaker, turn.said_by) == ("U0LIM", "Lim Wei", "Lim Wei")
    assert turn.said_at.isoformat() == "2026-03-02T09:00:00+09:00"


def test_a_ticket_is_private_unless_it_says_otherwise(file: Path) -> None:
    (silent,) = turns(read_jsonl(jsonl(file, ticket_row())))
    assert (silent.visibility, silent.conversation.channel) == (Visibility.PRIVATE, "general")
    (public,) = turns(read_jsonl(jsonl(file, ticket_row(visibility="everyone"))))
    assert (public.visibility, public.conversation.channel) == (Visibility.EVERYONE, "general")
    (placed,) = turns(read_jsonl(jsonl(file, ticket_row(visibility="channel", channel="it"))))
    assert (placed.visibility, placed.conversation.channel) == (Visibility.CHANNEL, "it")


def test_the_requester_is_the_earliest_author_in_that_role(file: Path) -> None:
    rows = (
        ticket_row("2", author="helpbot", role="bot", at="2026-03-02T09:00:00+09:00"),
        ticket_row("4", author="mori", at="2026-03-02T08:30:00+08:00"),  # 09:30 in +09:00
        ticket_row("3", author="sato", at="2026-03-02T09:10:00+09:00"),
    )
    assert {turn.requester for turn in turns(read_jsonl(jsonl(file, *rows)))} == {"sato"}


def test_without_a_requester_it_is_the_first_author(file: Path) -> None:
    rows = (ticket_row("1", author="lim", role="agent"), ticket_row("2", author="helpbot", role="bot"))
    assert {turn.requester for turn in turns(read_jsonl(jsonl(file, *rows)))} == {"lim"}


def test_a_ticket_has_the_channel_of_its_first_row(file: Path) -> None:
    rows = (
        ticket_row("1", channel="it", visibility="everyone"),
        ticket_row("2"),
        ticket_row("3", channel="finance"),
        ticket_row("1", ticket="INC-2", channel="finance"),
    )
    first, second, moved, other = read_jsonl(jsonl(file, *rows))
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert isinstance(other, Turn)
    assert first.conversation == second.conversation
    assert other.conversation.channel == "finance"
    assert isinstance(moved, BadRow)
    assert (moved.line, moved.field) == (3, "channel")


@pytest.mark.parametrize("corrected", ["private", "channel", "everyone"])
def test_a_message_whose_visibility_is_corrected_is_the_same_message(file: Path, corrected: str) -> None:
    (before,) = turns(read_jsonl(jsonl(file, ticket_row(visibility="everyone"))))
    (after,) = turns(read_jsonl(jsonl(file, ticket_row(visibility=corrected))))
    assert after.id == before.id
    assert after.visibility == corrected


def test_a_message_given_twice_counts_in_its_last_form(file: Path) -> None:
    rows = (ticket_row("1", text="old"), ticket_row("2"), ticket_row("1", text="new"))
    assert [(turn.message, turn.text) for turn in turns(read_jsonl(jsonl(file, *rows)))] == [
        ("2", "VPN does not connect"),
        ("1", "new"),
    ]


def test_a_form_that_a_later_row_replaces_is_told_with_both_lines(file: Path) -> None:
    rows = (ticket_row("1", status="open"), ticket_row("2"), ticket_row("1", status="resolved"))
    replaced, *taken = read_jsonl(jsonl(file, *rows))
    assert replaced == ReplacedRow(file="desk.jsonl", line=1, message="INC-1/1", by=3)
    assert str(replaced) == "desk.jsonl, line 1: INC-1/1 stands in line 3 otherwise, which was taken"
    assert len(taken) == 2


def test_rows_that_only_repeat_the_last_form_are_passed_over(file: Path) -> None:
    rows = (ticket_row("1", text="new"), ticket_row("1", text="old"), ticket_row("1", text="new"))
    old, new = read_jsonl(jsonl(file, *rows))
    assert isinstance(old, ReplacedRow)
    assert (old.line, old.by) == (2, 3)
    assert isinstance(new, Turn)


def test_a_refused_later_form_does_not_hide_the_good_one(file: Path) -> None:
    rows = (ticket_row("1", channel="it", text="good"), ticket_row("1", channel="elsewhere", text="moved"))
    good, bad = read_jsonl(jsonl(file, *rows))
    assert isinstance(good, Turn)
    assert good.text == "good"
    assert isinstance(bad, BadRow)


def test_a_second_reading_yields_the_same_ids(file: Path) -> None:
    jsonl(file, ticket_row("1"), ticket_row("2"))
    assert [turn.id for turn in turns(read_jsonl(file))] == [turn.id for turn in turns(read_jsonl(file))]


def test_another_source_name_keeps_histories_apart(file: Path) -> None:
    jsonl(file, ticket_row())
    (here,) = turns(read_jsonl(file))
    (there,) = turns(list(tickets_jsonl.read(file, default_zone=UTC, now=NOW, source="other")))
    assert here.id != there.id


def test_control_characters_and_lone_surrogates_are_cleaned(file: Path) -> None:
    file.write_text(json.dumps(ticket_row(text="a\x00b\x1b[0m\r\nc\ud800 \u202eabc 😀")) + "\n")
    (turn,) = turns(read_jsonl(file))
    assert turn.text == "ab\nc\ufffd \u202eabc 😀"


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_cleaned_text_can_always_be_stored(text: str) -> None:
    clean = cleaned(text)
    clean.encode("utf-8")
    assert "\x00" not in clean
    assert cleaned(clean) == clean


# --- what is reported -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["ticket", "message", "at", "author", "role", "text"])
def test_a_missing_field_is_named(file: Path, field: str) -> None:
    bad = only_bad(file, ticket_row(**{field: None}) if field != "message" else ticket_row(None))
    assert (bad.file, bad.line, bad.field, bad.reason) == ("desk.jsonl", 1, field, "is missing")
    assert str(bad) == f"desk.jsonl, line 1: `{field}` is missing"


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"at": "yesterday"}, "at", "not a date"),
        ({"at": 1772442000}, "at", "must be a text"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at", "before 1970"),
        ({"at": "0001-01-01T00:00:00"}, "at", "before 1970"),
        ({"at": "9999-12-31T23:59:59"}, "at", "in the future"),
        ({"at": "9999-12-31T23:59:59-14:00"}, "at", "in the future"),
        ({"at": (NOW + timedelta(days=1, seconds=1)).isoformat()}, "at", "in the future"),
        ({"role": "boss"}, "role", "'requester', 'agent' or 'bot'"),
        ({"visibility": "secret"}, "visibility", "'private', 'channel' or 'everyone'"),
        ({"role": "boss"}, "role", "is none of"),
        ({"visibility": "collection"}, "visibility", "is none of 'private', 'channel' or 'everyone'"),
        ({"visibility": ["everyone"]}, "visibility", "is none of 'private', 'channel' or 'everyone'"),
        ({"vissibility": "everyone"}, "vissibility", "is no column; did you mean visibility?"),
        ({"colour": "red"}, "colour", "is no column; columns are ticket, message, at"),
        ({"text": " \u3000\n\t "}, "text", "is empty"),
        ({"text": "\x00\x07"}, "text", "is empty"),
        ({"text": 5}, "text", "must be a text"),
        ({"text": "x" * 200_000}, "text", "200,000 characters"),
        ({"ticket": "  "}, "ticket", "is empty"),
        ({"ticket": True}, "ticket", "must be a text or a whole number"),
        ({"author": ["sato"]}, "author", "must be a text or a whole number"),
        ({"author": "x" * 301}, "author", "301 characters"),
    ],
)
def test_a_wrong_value_is_named_with_its_reason(
    file: Path, changes: dict[str, object], field: str, reason: str
) -> None:
    bad = only_bad(file, ticket_row(**changes))
    assert (bad.line, bad.field) == (1, field)
    assert reason in bad.reason


@pytest.mark.parametrize(
    ("at", "moment"),
    [
        ("2026-03-02T09:00:00", "2026-03-02T00:00:00+00:00"),
        ("2026-03-02 09:00", "2026-03-02T00:00:00+00:00"),
        ("2026-03-02", "2026-03-01T15:00:00+00:00"),
        ("2026-03-02T09:00:00-05:00", "2026-03-02T14:00:00+00:00"),
    ],
)
def test_a_time_without_an_offset_is_read_in_the_desks_zone(tmp_path: Path, at: str, moment: str) -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    table = tmp_path / "desk.csv"
    table.write_text(f"{HEADER}\nI-1,1,{at},sato,requester,hello\n", encoding="utf-8")
    lines = jsonl(tmp_path / "desk.jsonl", ticket_row(at=at))
    for rows in (
        tickets_csv.read(table, default_zone=tokyo, now=NOW),
        tickets_jsonl.read(lines, default_zone=tokyo, now=NOW),
    ):
        (turn,) = turns(list(rows))
        assert turn.said_at.astimezone(UTC).isoformat() == moment


def test_up_to_a_day_ahead_is_a_clock_that_runs_fast(file: Path) -> None:
    (row,) = read_jsonl(jsonl(file, ticket_row(at=(NOW + timedelta(days=1)).isoformat())))
    assert isinstance(row, Turn)


def test_the_longest_text_that_is_taken_has_100000_characters(file: Path) -> None:
    (row,) = turns(read_jsonl(jsonl(file, ticket_row(text="x" * 100_000))))
    assert len(row.text) == 100_000


def test_bad_lines_do_not_stop_the_good_ones(file: Path) -> None:
    good = json.dumps(ticket_row("1")).encode()
    lines = [
        good,
        b"",
        b"{broken",
        b"[]",
        b'{"text": "caf\xe9"}',
        b"[" * 100_000,
        json.dumps(ticket_row("2")).encode()[:-9],
    ]
    file.write_bytes(b"\n".join(lines))
    rows = read_jsonl(file)
    assert isinstance(rows[0], Turn)
    assert [(row.line, row.reason.split(" (")[0]) for row in rows if isinstance(row, BadRow)] == [
        (3, "is not JSON"),
        (4, "is not a JSON object"),
        (5, "is not UTF-8; save the file as UTF-8"),
        (6, "is nested too deeply"),
        (7, "is not JSON"),
    ]


def test_a_number_that_python_does_not_read_is_one_bad_line(file: Path) -> None:
    file.write_text(json.dumps(ticket_row()) + "\n" + json.dumps(ticket_row()).replace('"INC-1"', "9" * 5000))
    good, bad = read_jsonl(file)
    assert isinstance(good, Turn)
    assert str(bad) == "desk.jsonl, line 2: holds a number that is too long; put quotes around it"


def test_a_line_longer_than_any_message_is_reported_and_the_next_is_read(file: Path) -> None:
    file.write_bytes(b"x" * 9_000_000 + b"\n" + json.dumps(ticket_row()).encode())
    bad, good = read_jsonl(file)
    assert isinstance(bad, BadRow)
    assert (bad.line, bad.reason) == (1, "is longer than any message")
    assert isinstance(good, Turn)


def test_a_byte_order_mark_and_windows_line_ends_are_fine(file: Path) -> None:
    body = b"\r\n".join(json.dumps(ticket_row(one)).encode() for one in ("1", "2"))
    file.write_bytes(b"\xef\xbb\xbf" + body + b"\r\n")
    assert [turn.message for turn in turns(read_jsonl(file))] == ["1", "2"]


def test_a_json_array_is_refused_with_the_way_out(file: Path) -> None:
    file.write_text(json.dumps([ticket_row()]))
    with pytest.raises(InputRefused, match="one object a line"):
        read_jsonl(file)


def test_utf16_is_refused_by_name(file: Path) -> None:
    file.write_bytes(json.dumps(ticket_row()).encode("utf-16"))
    with pytest.raises(InputRefused, match="UTF-16; save it as UTF-8"):
        read_jsonl(file)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jsonl", tmp_path):
        with pytest.raises(InputRefused, match="cannot be read"):
            read_jsonl(path)


# --- CSV --------------------------------------------------------------------------------------------------------------


def test_quotes_and_line_ends_inside_cells_are_kept(table: Path) -> None:
    content = HEADER + '\r\nI-1,1,2026-03-02T09:00:00Z,sato,requester,"He said ""no"",\r\nthen left"\r\n'
    (turn,) = turns(read_csv(table, content))
    assert turn.text == 'He said "no",\nthen left'


def test_empty_cells_are_as_good_as_missing(table: Path) -> None:
    content = f"{HEADER},channel,visibility,title\nI-1,1,2026-03-02T09:00:00Z,sato,requester,hello,,,\n"
    (turn,) = turns(read_csv(table, content))
    assert (turn.visibility, turn.title, turn.conversation.channel) == (Visibility.PRIVATE, None, "general")


def test_line_numbers_point_into_the_file(table: Path) -> None:
    content = (
        f'{HEADER}\nI-1,1,2026-03-02T09:00:00Z,sato,requester,"two\nlines"\n\nI-1,2,2026-03-02T09:00:00Z,sato,boss,x\n'
    )
    good, bad = read_csv(table, content)
    assert isinstance(good, Turn)
    assert isinstance(bad, BadRow)
    assert (bad.line, bad.field) == (5, "role")


def test_a_file_cut_in_half_loses_only_the_row_that_was_cut(table: Path) -> None:
    row = "I-1,{},2026-03-02T09:00:00Z,sato,requester,"
    for end in ('"never clo', ""):
        content = (
            f"{HEADER}\n{row.format(1)}fine\n{row.format(2)}{end}" if end else f"{HEADER}\n{row.format(1)}fine\nI-1,2"
        )
        good, bad = read_csv(table, content)
        assert isinstance(good, Turn)
        assert isinstance(bad, BadRow)
        assert bad.line == 3


def test_a_huge_cell_is_one_bad_row(table: Path) -> None:
    row = "I-1,{},2026-03-02T09:00:00Z,sato,requester,{}\n"
    huge = '"' + "line\n" * 40_000 + '"'
    bad, good = read_csv(table, f"{HEADER}\n{row.format(1, huge)}{row.format(2, 'fine')}")
    assert isinstance(bad, BadRow)
    assert (bad.line, bad.field) == (2, "text")
    assert isinstance(good, Turn)


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("I-1,1,2026-03-02T09:00:00Z,sato,requester,hello", "Missing: ticket, message, at, author, role, text"),
        (f"{HEADER},colour", "unknown: colour"),
        (HEADER.replace(",text", ""), "Missing: text"),
        ("I-1,1,2026-03-02T09:00:00Z,sato,requester,hello; you", "Missing: ticket, message"),
        (f"{HEADER},text", "each once"),
        ("", "Missing: ticket"),
    ],
)
def test_a_header_that_does_not_fit_is_refused_with_the_columns(table: Path, header: str, named: str) -> None:
    with pytest.raises(InputRefused) as refused:
        read_csv(table, header + "\n")
    assert named in str(refused.value)
    assert "Columns are ticket, message, at, author, role, text, channel, visibility, title" in str(refused.value)


@pytest.mark.parametrize(
    ("header", "named"),
    [
        (HEADER.replace(",", ";"), "separated by semicolons; save the table with commas"),
        (HEADER.replace(",", "\t"), "separated by tabs; save the table with commas"),
        (HEADER.replace(",", ";", 2), "separated by semicolons"),
        ("sep=;", "separated by semicolons"),
        ('"ticket";"message"', "are there commas between its cells"),
    ],
)
def test_a_header_with_other_separators_is_refused_by_their_name(table: Path, header: str, named: str) -> None:
    with pytest.raises(InputRefused) as refused:
        read_csv(table, header + "\n")
    assert named in str(refused.value)


def test_a_table_in_another_encoding_is_refused(table: Path) -> None:
    content = f"{HEADER}\nI-1,1,2026-03-02T09:00:00Z,sato,requester,接続できません\n".encode("cp932")
    with pytest.raises(InputRefused, match="line 2 is not UTF-8; save the file as UTF-8"):
        read_csv(table, content)


@pytest.mark.parametrize("raw", [b"\xff\xfe", "接続できません".encode("cp932"), "caf\u00e9".encode("latin-1")])
def test_a_line_in_another_encoding_is_bad_without_a_guess(file: Path, raw: bytes) -> None:
    file.write_bytes(b'{"ticket": "' + raw + b'"}\n')
    [bad] = read_jsonl(file)
    assert str(bad) == "desk.jsonl, line 1: is not UTF-8; save the file as UTF-8"


def test_csv_and_jsonl_of_the_same_rows_give_the_same_turns(tmp_path: Path) -> None:
    rows = [ticket_row(one, text=f"text {one}", visibility="everyone", channel="it") for one in ("1", "2")]
    lines = [",".join(rows[0])] + [",".join(str(value) for value in row.values()) for row in rows]
    from_csv = read_csv(tmp_path / "desk.csv", "\n".join(lines))
    assert from_csv == read_jsonl(jsonl(tmp_path / "desk.jsonl", *rows))


# --- the demo ---------------------------------------------------------------------------------------------------------


def test_demo_dates_count_from_the_day_it_is_at_that_offset() -> None:
    late = datetime(2026, 6, 1, 20, tzinfo=UTC)  # already the 2nd in Tokyo
    assert relative_moment(late)("-7d 10:05 +09:00").isoformat() == "2026-05-26T10:05:00+09:00"
    assert relative_moment(late)("-7d 10:05 +00:00").isoformat() == "2026-05-25T10:05:00+00:00"


@pytest.mark.parametrize(
    "text", ["7d 10:05 +09:00", "-7d 25:00 +09:00", "2026-03-02T09:00:00Z", "-99999d 10:00 +09:00"]
)
def test_other_demo_dates_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        relative_moment(NOW)(text)


def test_the_demo_has_the_same_ids_on_every_day(file: Path) -> None:
    jsonl(file, ticket_row(at="-7d 10:05 +09:00"))
    first = turns(list(demo_history.read(file, now=NOW)))
    later = turns(list(demo_history.read(file, now=NOW + timedelta(days=9))))
    assert [turn.id for turn in first] == [turn.id for turn in later]
    assert later[0].said_at - first[0].said_at == timedelta(days=9)
