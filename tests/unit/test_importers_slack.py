"""Slack exports: threads, people, visibility, edits, and exports that are not whole."""

from __future__ import annotations

import json
import unicodedata
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.importers import slack_export
from bot.importers.rows import BadRow
from bot.importers.slack_words import message_words, plain
from handlers.messages import plainly
from handlers.slack.acts.answer_end import answer_end
from handlers.slack.address import Address
from handlers.slack.errand import Errand
from memory.answers import Answer, AnswerKind
from memory.errors import InputRefused
from memory.model import Role, Turn, Visibility
from tests.fakes.exports import said, slack_folder, stamp, zipped

NOW = datetime(2026, 6, 1, tzinfo=UTC)
JST = timezone(timedelta(hours=9))
DAY = "general/2026-03-02.json"


def read(path: Path, source: str | None = None) -> list[Turn | BadRow]:
    return list(slack_export.read(path, default_zone=JST, now=NOW, source=source))


def turns(path: Path) -> list[Turn]:
    rows = read(path)
    assert [row for row in rows if isinstance(row, BadRow)] == []
    return [row for row in rows if isinstance(row, Turn)]


def one_day(root: Path, *messages: object) -> Path:
    return slack_folder(root / "Acme", {DAY: list(messages)})


# --- conversations and people -----------------------------------------------------------------------------------------


def test_a_thread_is_a_conversation_and_the_rest_is_the_channels(tmp_path: Path) -> None:
    path = one_day(
        tmp_path,
        said("U1", 0, "VPN is down", thread_ts=stamp(0), reply_count=1),
        said("U2", 5, "Lunch?"),
        said("U2", 9, "Try again", thread_ts=stamp(0), parent_user_id="U1"),
        said("U1", 12, "Works!", thread_ts=stamp(0), subtype="thread_broadcast"),
    )
    root, lunch, reply, broadcast = turns(path)
    assert root.conversation == reply.conversation == broadcast.conversation
    assert root.conversation.thread == stamp(0)
    assert lunch.conversation.thread == "general"
    assert root.ticket is None
    assert [turn.ref for turn in (root, lunch)] == [f"{stamp(0)}/{stamp(0)}", f"general/{stamp(5)}"]
    assert (root.requester, reply.requester, broadcast.requester, lunch.requester) == ("U1", "U1", "U1", "U2")


def test_a_reply_whose_thread_begins_before_the_export_knows_its_requester(tmp_path: Path) -> None:
    (reply,) = turns(one_day(tmp_path, said("U2", 9, "Try again", thread_ts=stamp(-9), parent_user_id="U1")))
    assert (reply.author, reply.requester) == ("U2", "U1")


def test_people_are_known_by_their_ids_and_called_by_the_names_that_colleagues_see(tmp_path: Path) -> None:
    users = [
        {"id": "U1", "name": "sato", "profile": {"display_name": "佐藤", "real_name": "Sato Aya"}},
        {"id": "U2", "name": "lim", "profile": {"display_name": "", "real_name": "Lim\nWei " + "x" * 200}},
        {"id": "U3", "name": "joost"},
    ]
    days: dict[str, object] = {DAY: [said(f"U{n}", n, "hello") for n in (1, 2, 3)]}
    days[DAY] = [*days[DAY], {**said("U9", 9, "hello"), "user_profile": {"name": "guest"}}]  # type: ignore[misc]
    path = slack_folder(tmp_path / "Acme", days, users=users)
    sato, lim, joost, guest = turns(path)
    assert [turn.author for turn in (sato, lim, joost, guest)] == ["U1", "U2", "U3", "U9"]
    assert (sato.said_by, joost.said_by, guest.said_by) == ("佐藤", "joost", "guest")
    assert lim.said_by.startswith("Lim Wei xxx")
    assert len(lim.said_by) <= 80


def test_times_are_exact_and_in_the_zone_of_their_author(tmp_path: Path) -> None:
    path = one_day(tmp_path, said("U1", 0, "a"), said("U2", 1, "b"), said("U9", 2, "c"))
    sato, lim, unknown = turns(path)
    assert sato.said_at == datetime(2026, 3, 2, 9, 0, 0, 100, tzinfo=UTC)
    assert sato.said_at.isoformat() == "2026-03-02T18:00:00.000100+09:00"
    assert lim.said_at.utcoffset() == timedelta(hours=8)  # its zone's name is unknown, its offset is not
    assert unknown.said_at.utcoffset() == timedelta(hours=9)
    assert unknown.author == "U9"


def test_bots_are_bots(tmp_path: Path) -> None:
    path = one_day(
        tmp_path,
        {
            "type": "message",
            "subtype": "bot_message",
            "username": "Alarm",
            "bot_id": "B1",
            "ts": stamp(0),
            "text": "up",
        },
        said("UB", 1, "hello"),
        said("U1", 2, "hello"),
    )
    assert [(turn.author, turn.said_by, turn.role) for turn in turns(path)] == [
        ("B1", "Alarm", Role.BOT),
        ("UB", "deskbot", Role.BOT),
        ("U1", "sato", Role.REQUESTER),
    ]


OURS = {"bot_id": "B7", "app_id": "A7", "bot_profile": {"id": "B7", "app_id": "A7", "name": "deskbot"}}
ANSWERED = replace(plainly("See the portal.", "en"), answer=Answer(kind=AnswerKind.QUOTES, language="en"))
BUTTONS = answer_end("T1", ANSWERED)
METADATA = Errand(
    client=AsyncWebClient(),
    address=Address(workspace="T1", channel="C1", thread=stamp(0)),
    message=stamp(0),
    asker="U1",
    turn="T1",
    language="en",
).metadata(0)


@pytest.mark.parametrize("marks", [{"blocks": BUTTONS}, {"metadata": METADATA}], ids=["buttons", "metadata"])
def test_what_this_bot_said_where_it_ran_is_its_own_with_marks_and_without(
    tmp_path: Path, marks: dict[str, object]
) -> None:
    quiet = {"subtype": "bot_message", "bot_id": "B7", "username": "deskbot", "text": "Hello", "ts": stamp(9)}
    path = one_day(
        tmp_path,
        said("U1", 0, "How do I print?"),
        said("UB", 1, "See the portal.", **{**OURS, **marks}),
        said("UB", 5, "I can only listen now."),
        quiet,
        {**quiet, "bot_id": "B8", "ts": stamp(10)},
    )
    found = turns(path)
    assert [turn.derived for turn in found] == [False, True, True, True, False]
    assert [turn.role for turn in found] == [Role.REQUESTER, *[Role.BOT] * 4]


def test_who_passes_on_an_answer_of_the_bot_does_not_become_the_bot(tmp_path: Path) -> None:
    answer = said("UB", 1, "See the portal.", **OURS, blocks=BUTTONS)
    path = one_day(
        tmp_path,
        said(
            "U1", 0, "Look at this", attachments=[{"message_blocks": [{"message": answer}], "text": "See the portal."}]
        ),
        said("U1", 2, "Typed by hand", blocks=BUTTONS),
        said("U1", 3, "My own words"),
    )
    assert [turn.derived for turn in turns(path)] == [False, False, False]


def test_housekeeping_is_left_out(tmp_path: Path) -> None:
    kinds = ("channel_join", "channel_leave", "channel_topic", "pinned_item", "bot_add", "tombstone", "huddle_thread")
    path = one_day(tmp_path, *(said("U1", n, "…", subtype=kind) for n, kind in enumerate(kinds)), said("U1", 99, "hi"))
    assert [turn.text for turn in turns(path)] == ["hi"]


# --- who may read -----------------------------------------------------------------------------------------------------


def test_each_kind_of_room_has_its_own_visibility(tmp_path: Path) -> None:
    days = {
        f"{room}/2026-03-02.json": [said("U1", 0, room)] for room in ("general", "board", "hr", "mpdm-a--b-1", "D1")
    }
    path = slack_folder(
        tmp_path / "Acme",
        dict(days),
        channels=[{"id": "C1", "name": "general"}, {"id": "C2", "name": "board", "is_private": True}],
        groups=[{"id": "G1", "name": "hr"}],
        mpims=[{"id": "G2", "name": "mpdm-a--b-1"}],
        dms=[{"id": "D1", "members": ["U1", "U2"]}],
    )
    assert {turn.text: (turn.visibility, turn.conversation.channel) for turn in turns(path)} == {
        "general": (Visibility.EVERYONE, "C1"),
        "board": (Visibility.CHANNEL, "C2"),
        "hr": (Visibility.CHANNEL, "G1"),
        "mpdm-a--b-1": (Visibility.CHANNEL, "G2"),
        "D1": (Visibility.PRIVATE, "dm"),
    }


def test_channels_are_known_by_the_names_that_colleagues_see_and_group_messages_have_none(tmp_path: Path) -> None:
    days: dict[str, object] = {
        DAY: [said("U1", 0, "hello", thread_ts=stamp(0))],
        "bosses/2026-03-02.json": [said("U1", 1, "hello")],
        "mpdm-a--b-1/2026-03-02.json": [said("U1", 2, "hello")],
        "D1/2026-03-02.json": [said("U1", 3, "hello")],
    }
    path = slack_folder(
        tmp_path / "Acme",
        days,
        groups=[{"id": "G1", "name": "bosses"}],
        mpims=[{"id": "G2", "name": "mpdm-a--b-1"}],
        dms=[{"id": "D1", "members": ["U1", "UB"]}],
    )
    assert [turn.room for turn in turns(path)] == ["general", "bosses", None, None]


def test_a_direct_message_belongs_to_the_first_person_who_wrote(tmp_path: Path) -> None:
    messages = [said("UB", 0, "Welcome"), said("U2", 1, "My laptop"), said("U1", 2, "Yes?", thread_ts=stamp(1))]
    path = slack_folder(tmp_path / "Acme", {"D1/2026-03-02.json": messages}, dms=[{"id": "D1"}])
    assert [turn.requester for turn in turns(path)] == ["U2", "U2", "U2"]


def test_a_folder_that_no_list_names_is_reported_and_not_read(tmp_path: Path) -> None:
    path = slack_folder(tmp_path / "Acme", {"secret/2026-03-02.json": [said("U1", 0, "x")], DAY: [said("U1", 0, "y")]})
    turn, bad = read(path)
    assert isinstance(turn, Turn)
    assert isinstance(bad, BadRow)
    assert (bad.file, "who may read it" in bad.reason) == ("secret/", True)


# --- edits ------------------------------------------------------------------------------------------------------------


def test_changed_messages_come_once_in_their_newest_form_and_deleted_ones_not_at_all(tmp_path: Path) -> None:
    def changed(at: int, seconds: int, text: str) -> dict[str, object]:
        return {"subtype": "message_changed", "ts": stamp(at), "message": said("U1", seconds, text, edited={})}

    path = one_day(
        tmp_path,
        said("U1", 0, "frist"),
        said("U1", 1, "secret"),
        changed(5, 0, "frst"),
        changed(6, 0, "first"),
        {"subtype": "message_deleted", "ts": stamp(7), "deleted_ts": stamp(1)},
        changed(8, -50, "older than the export"),
    )
    assert [(turn.message, turn.text) for turn in turns(path)] == [
        (stamp(0), "first"),
        (stamp(-50), "older than the export"),
    ]


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "read_as"),
    [
        ("<@U1> and <@U9|guest> and <@U8>", "@sato and @guest and @U8"),
        ("<#C1> <#C9|old>", "#general #old"),
        ("<!here> <!subteam^S1|@desk> <!date^1^{date}|today>", "@here @desk today"),
        ("<https://a.example/x|docs>", "docs (https://a.example/x)"),
        ("<https://a.example/x> <mailto:a@b.example|a@b.example>", "https://a.example/x a@b.example"),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("&amp;lt;", "&lt;"),
        ("1 < 2 > 0", "1 < 2 > 0"),
    ],
)
def test_markup_is_read_as_people_see_it(marked: str, read_as: str) -> None:
    assert plain(marked, {"U1": "sato", "C1": "general"}) == read_as


def test_a_message_without_text_says_what_its_blocks_attachments_and_files_say() -> None:
    block = {"type": "rich_text", "elements": [{"elements": [{"type": "text", "text": "from a block"}]}]}
    assert message_words({"text": "", "blocks": [block]}, {}) == "from a block"
    assert message_words({"attachments": [{"title": "Alarm", "text": "disk full", "fallback": "-"}]}, {}) == (
        "Alarm\ndisk full"
    )
    assert message_words({"attachments": [{"fallback": "disk full"}]}, {}) == "disk full"
    assert message_words({"text": "see", "files": [{"name": "log.txt"}, {"mode": "tombstone"}]}, {}) == (
        "see [file: log.txt]"
    )


# --- exports that are not whole ---------------------------------------------------------------------------------------


def test_a_zip_says_the_same_as_its_folder(tmp_path: Path) -> None:
    folder = one_day(tmp_path, said("U1", 0, "日本語"))
    assert turns(zipped(folder, tmp_path / "Acme.zip")) == turns(folder)
    assert turns(zipped(folder, tmp_path / "Acme Slack export Mar 1 2026 - Apr 1 2026.zip", "Acme/")) == turns(folder)


def test_decomposed_folder_names_meet_their_channel(tmp_path: Path) -> None:
    name = "プリンタ"
    day = {f"{unicodedata.normalize('NFD', name)}/2026-03-02.json": [said("U1", 0, "紙詰まり")]}
    folder = slack_folder(tmp_path / "Acme", dict(day), channels=[{"id": "C1", "name": name}])
    (turn,) = turns(zipped(folder, tmp_path / "Acme.zip"))
    assert (turn.conversation.channel, turn.conversation.thread) == ("C1", unicodedata.normalize("NFC", name))


def test_a_zip_cut_in_half_is_refused_by_name(tmp_path: Path) -> None:
    whole = zipped(one_day(tmp_path, said("U1", 0, "hi")), tmp_path / "Acme.zip")
    whole.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(
        InputRefused, match=r"Acme\.zip is not a whole zip file; was the download cut off\? Fetch it again\."
    ):
        read(whole)


def test_a_damaged_day_in_a_zip_loses_that_day_only(tmp_path: Path) -> None:
    path = tmp_path / "Acme.zip"
    with zipfile.ZipFile(path, "w") as archive:  # stored, so that a byte of it can be found and changed
        archive.writestr("channels.json", json.dumps([{"id": "C1", "name": "general"}]))
        archive.writestr("general/2026-03-01.json", json.dumps([said("U1", 0, "damaged")]))
        archive.writestr("general/2026-03-02.json", json.dumps([said("U1", 1, "whole")]))
    path.write_bytes(path.read_bytes().replace(b"damaged", b"dAmaged"))
    bad, turn = read(path)
    assert isinstance(bad, BadRow)
    assert (bad.file, "damaged inside the zip" in bad.reason) == ("general/2026-03-01.json", True)
    assert isinstance(turn, Turn)


def test_bad_messages_and_days_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = slack_folder(
        tmp_path / "Acme",
        {
            "general/2026-03-01.json": [
                "no message",
                said("U1", 0, "  "),
                {"text": "nobody", "ts": stamp(1)},
                {"user": "U1", "text": "when?"},
                {"user": "U1", "text": "when?", "ts": "NaN"},
                said("U1", 300_000_000, "from the future"),
                said("U1", 2, "x" * 100_001),
                said("U1", 3, "good"),
            ],
        },
    )
    (folder / "general/2026-03-02.json").write_text('[\n{"user": "U1",\n"te')
    rows = read(folder)
    assert [row.text for row in rows if isinstance(row, Turn)] == ["good"]
    assert [str(row).removeprefix("general/2026-")[:37] for row in rows if isinstance(row, BadRow)] == [
        "03-01.json, message 1: is not a messa",
        "03-01.json, message 2: is empty",
        "03-01.json, message 3: has no author",
        "03-01.json, message 4: `ts` is None, ",
        "03-01.json, message 5: `ts` is 'NaN',",
        "03-01.json, message 6: lies in the fu",
        "03-01.json, message 7: has 100,001 ch",
        "03-02.json, line 3: is not JSON (colu",
    ]


def test_what_is_wrong_with_a_whole_file_or_folder_is_in_no_line_of_it(tmp_path: Path) -> None:
    folder = slack_folder(tmp_path / "Acme", {DAY: [], "hidden/2026-03-02.json": [said("U1", 0, "whose?")]})
    (folder / DAY).write_text("[" * 100_000)
    changed = {"type": "message", "subtype": "message_changed", "message": {"user": "U1", "ts": "NaN", "text": "new"}}
    (folder / "general/2026-03-03.json").write_text(json.dumps([changed]))
    assert [str(row) for row in read(folder)] == [
        "general/2026-03-02.json: is nested too deeply",
        "general/: `ts` is 'NaN', which is no time of Slack",
        "hidden/: is in no list of the export: who may read it is not known",
    ]


@pytest.mark.parametrize(
    ("lists", "reason"),
    [
        ({"channels": None, "users": None}, "is not a Slack export"),
        ({"channels": {"ok": False}}, "channels.json is not a list"),
        ({"users": ["U1"]}, "users.json is not a list"),
    ],
)
def test_what_is_no_export_is_refused(tmp_path: Path, lists: dict[str, object], reason: str) -> None:
    folder = slack_folder(tmp_path / "Acme", {DAY: [said("U1", 0, "hi")]}, **lists)
    with pytest.raises(InputRefused, match=reason):
        read(folder)


def test_without_a_list_of_users_people_keep_their_ids(tmp_path: Path) -> None:
    (turn,) = turns(slack_folder(tmp_path / "Acme", {DAY: [said("U1", 0, "hi <@U2>")]}, users=None))
    assert (turn.author, turn.text) == ("U1", "hi @U2")
