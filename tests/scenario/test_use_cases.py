"""What commands ask of the bot, in process: the table that the command line and the socket share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.readiness import IndexState
from bot.renewable_index import RenewableIndex
from bot.telling import Notice, Told, unheard
from bot.use_cases import perform
from bot.wiring_memory import flush_over
from handlers.slack.acts.names import FEEDBACK
from memory.errors import (
    EncoderChanged,
    EncoderUnavailable,
    IndexDamaged,
    IndexUnavailable,
    InputRefused,
    NothingFound,
    WrongUse,
)
from memory.feedback import Feedback
from memory.index_ports import EncoderStamp, Hit, Vector, Vectors
from memory.model import Conversation, KeyKind, Viewer, Visibility, turn_id
from memory.ports import Clock
from memory.remember.reports import Watcher
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore
from memory.stores.qdrant_edge import open_edge_index
from tests.fakes.exports import jsonl, said, slack_folder, stamp, ticket_row
from tests.fakes.keys import key
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn

LATER = NOON + timedelta(days=2)
ALERT = "E-7731: disk /var of db-2 is full"
WEEK_IN_ENGLISH = {"days": 7, "language": "en"}
ROWS = [
    {
        "ticket": "INC-1007",
        "message": "1",
        "at": "2026-11-20T10:00:00+09:00",
        "author": "sato",
        "role": "requester",
        "text": "VPNに接続できません。証明書の検証に失敗と表示されます。",
        "title": "VPN接続不可",
        "status": "open",
    },
    {
        "ticket": "INC-1007",
        "message": "2",
        "at": "2026-11-20T23:30:00+09:00",
        "author": "okabe",
        "role": "agent",
        "text": "証明書を再登録すると直ります。",
        "status": "resolved",
        "assignee": "okabe",
    },
]


def later() -> Clock:
    """A clock two days after NOON that goes on by a second whenever somebody looks at it."""
    seconds = count()
    return lambda: LATER + timedelta(seconds=next(seconds))


class AbsentEncoder(HashingEncoder):
    """A model that cannot be loaded."""

    async def stamp(self) -> EncoderStamp:
        raise EncoderUnavailable

    async def passages(self, texts: Sequence[str]) -> Vectors:
        raise EncoderUnavailable

    async def question(self, text: str) -> Vector:
        raise EncoderUnavailable


def rows_in(folder: Path, *extra: str) -> Path:
    path = folder / "tickets.jsonl"
    path.write_text("\n".join([*(json.dumps(row, ensure_ascii=False) for row in ROWS), *extra]), encoding="utf-8")
    return path


async def filled(folder: Path, more: Sequence[str] = (), **parts: Any) -> Application:
    """An application that has imported the rows above, and more."""
    app = small_application(folder, later(), **parts)
    await perform(app, "import", {"path": str(rows_in(folder, *more))}, unheard)
    return app


async def asked(app: Application, question: str, **more: object) -> Any:
    found = await perform(app, "ask", {"question": question, "user": "sato", **more}, unheard)
    assert found is not None
    return found["answer"]


def seen(answer: Any) -> set[str]:
    """The messages that the answer was made from; whether they are good enough is not a matter of these tests."""
    return {turn["turn"] for turn in answer["ranked"]}


async def test_an_import_is_remembered_at_once_and_a_second_one_changes_nothing(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    path = str(rows_in(tmp_path))
    first = await perform(app, "import", {"path": path}, unheard)
    second = await perform(app, "import", {"path": path}, unheard)
    assert first is not None
    assert second is not None
    assert (first["format"], first["new"], first["bad"], first["remembered"]["episodes"]) == ("jsonl", 2, [], 1)
    assert (second["new"], second["repeated"], second["remembered"]["episodes"]) == (0, 2, 0)


@pytest.mark.parametrize(
    "alert",
    [
        {"subtype": "bot_message", "username": "Alarm", "bot_id": "B1", "text": ALERT, "ts": stamp(0)},
        said("UB", 0, ALERT),
    ],
)
async def test_what_another_bot_wrote_in_slack_is_quoted_like_anybodys_words(
    tmp_path: Path, alert: dict[str, object]
) -> None:
    app = small_application(tmp_path, later())
    export = slack_folder(tmp_path / "Acme", {"general/2026-03-02.json": [alert]})
    await perform(app, "import", {"path": str(export)}, unheard)
    answer = await asked(app, "Which disk is full, E-7731?")
    assert [one["quote"] for one in answer["citations"]] == [ALERT]


async def test_what_a_desks_own_bot_wrote_into_a_ticket_is_no_answer(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    rows = jsonl(tmp_path / "desk.jsonl", ticket_row(text=ALERT, role="bot", author="helpbot", visibility="everyone"))
    await perform(app, "import", {"path": str(rows)}, unheard)
    answer = await asked(app, "Which disk is full, E-7731?")
    assert (answer["abstained"], answer["citations"], seen(answer)) == (True, [], {"INC-1/1"})


async def test_what_this_bot_answered_where_it_ran_is_no_answer_again(tmp_path: Path) -> None:
    """By a name that is given, or by what its messages carry."""
    app = small_application(tmp_path, later())
    named = ticket_row(text=ALERT, author="U0", speaker="Deskbot", channel="it", visibility="everyone")
    await perform(app, "import", {"path": str(jsonl(tmp_path / "a.jsonl", named)), "bots": ("deskbot",)}, unheard)
    feedback = {"type": "context_actions", "elements": [{"type": "feedback_buttons", "action_id": FEEDBACK}]}
    marked = said("UB", 0, ALERT, bot_id="B1", blocks=[feedback])
    export = slack_folder(tmp_path / "Acme", {"general/2026-03-02.json": [marked]})
    await perform(app, "import", {"path": str(export)}, unheard)
    answer = await asked(app, "Which disk is full, E-7731?")
    assert (answer["abstained"], answer["evidence"], seen(answer)) == (True, [], set())


async def test_what_was_imported_before_is_told_to_be_the_bots_own_by_importing_it_again(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    row = ticket_row(text=ALERT, author="deskbot", role="agent", visibility="everyone")
    said_once = {"path": str(jsonl(tmp_path / "a.jsonl", row))}
    await perform(app, "import", said_once, unheard)
    assert seen(await asked(app, "Which disk is full, E-7731?")) == {"INC-1/1"}
    done = await perform(app, "import", {**said_once, "bots": ("deskbot",)}, unheard)
    assert done is not None
    assert done["revised"] == 1
    assert seen(await asked(app, "Which disk is full, E-7731?")) == set()


async def test_a_bot_that_wrote_nothing_in_a_history_is_told(tmp_path: Path) -> None:
    app, heard = small_application(tmp_path, later()), list[Told]()
    await perform(app, "import", {"path": str(rows_in(tmp_path)), "bots": ("deskbto", "sato")}, heard.append)
    notices = [told.text for told in heard if isinstance(told, Notice)]
    assert notices == ["Nobody there is called 'deskbto', so that --bot marked nothing."]


async def test_bad_rows_are_named_by_file_and_line_and_the_others_are_in(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    done = await perform(app, "import", {"path": str(rows_in(tmp_path, '{"ticket": "INC-1'))}, unheard)
    assert done is not None
    assert done["new"] == 2
    assert [row.split(":")[0] for row in done["bad"]] == ["tickets.jsonl, line 3"]


async def test_the_name_of_the_source_keeps_two_exports_apart(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    done = await perform(app, "import", {"path": str(rows_in(tmp_path)), "source": "osaka"}, unheard)
    assert done is not None
    assert done["new"] == 2


async def test_rows_that_the_same_file_replaces_are_warned_of_and_are_no_mistake(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    later_form = json.dumps({**ROWS[1], "text": "証明書を削除してください。"}, ensure_ascii=False)
    done = await perform(app, "import", {"path": str(rows_in(tmp_path, later_form))}, unheard)
    assert done is not None
    assert (done["rows"], done["new"], done["bad"]) == (3, 2, [])
    assert [row.split(":")[0] for row in done["replaced"]] == ["tickets.jsonl, line 2"]


async def test_who_gets_no_answer_hears_how_many_messages_wait_for_a_flush(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    await app.store.writing.record([turn(1, "the plotter is on fire"), turn(2, "the plotter is out of ink")])
    heard: list[Told] = []
    found = await perform(app, "ask", {"question": "Where is the plotter?", "user": "kim"}, heard.append)
    assert found is not None
    assert (found["answer"]["abstained"], found["answer"]["pending"]) == (True, 2)
    assert heard == [
        Notice(text="Messages that cannot be searched yet: 2. `helpdesk jobs run flush` makes them searchable.")
    ]
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    again = await perform(app, "ask", {"question": "When is lunch?", "user": "kim"}, heard.append)
    assert again is not None
    assert (again["answer"]["abstained"], again["answer"]["pending"], len(heard)) == (True, 0, 1)


async def test_who_asks_while_messages_are_taken_up_is_told_to_ask_again(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    await app.store.writing.record([turn(1, "the plotter is on fire")])
    under_way, done = asyncio.Event(), asyncio.Event()

    async def flush(watcher: Watcher) -> Mapping[str, int]:
        under_way.set()
        await done.wait()
        return {}

    heard: list[Told] = []
    async with asyncio.TaskGroup() as group:
        group.create_task(app.jobs.in_place_of("flush", flush))
        await under_way.wait()
        await perform(app, "ask", {"question": "プロッターはどこですか", "user": "kim"}, heard.append)
        await perform(app, "ask", {"question": "Where is the plotter?", "user": "kim"}, heard.append)
        done.set()
    assert [one.text for one in heard if isinstance(one, Notice)] == [
        "検索できるようにしている途中のメッセージが1件あります。少し待って、もう一度お尋ねください。",
        "Messages that are being made searchable right now: 1. Please ask again in a moment.",
    ]


async def test_an_answer_does_not_speak_of_what_waits(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    await app.store.writing.record([turn(1, "the plotter is on fire")])
    assert (await asked(app, "証明書を再登録すると直りますか"))["pending"] is None


async def test_an_answer_names_ticket_message_and_time_as_the_source_does(tmp_path: Path) -> None:
    answer = await asked(await filled(tmp_path), "証明書を再登録すると直りますか")
    repair = next(one for one in answer["citations"] if one["turn_ids"] == ["INC-1007/2"])
    assert (repair["ticket"], repair["time"]) == ("INC-1007", "2026-11-20T23:30:00+09:00")
    assert repair["quote"] == "証明書を再登録すると直ります。"
    assert answer["ranked"][0]["ticket"] == answer["routed"][0]["ticket"] == "INC-1007"
    assert not answer["abstained"]
    assert {"assistant", "master", "cached"} == answer["tokens"].keys()


async def test_a_private_ticket_is_not_there_for_others_nor_in_a_channel(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    for more in ({"user": "lucas"}, {"channel": "it-desk"}):
        answer = await asked(app, "証明書を再登録すると直りますか", **more)
        assert (answer["abstained"], answer["evidence"], answer["ranked"]) == (True, [], [])


OWNERS = [
    ("1", "2026-11-18T10:00:00+09:00", "Andonの担当は加藤さんです。"),
    ("2", "2026-11-20T23:30:00+09:00", "Andonの担当は森さんに代わりました。"),
]


async def owner_on(app: Application, day: str, now: str = "2026-11-22T09:00:00+09:00") -> set[str]:
    """Who the answer says owned it at the end of that day."""
    answer = await asked(app, "Andonの担当は誰ですか", as_of=day, now=now)
    return {name for name in ("加藤", "森") for one in answer["citations"] if name in one["quote"]}


async def test_as_of_is_the_end_of_that_day_where_the_asker_is(tmp_path: Path) -> None:
    rows = [
        {**ROWS[0], "ticket": "INC-2000", "title": "Andon", "message": name, "at": moment, "text": text}
        for name, moment, text in OWNERS
    ]
    app = await filled(tmp_path, more=[json.dumps(row) for row in rows])
    assert await owner_on(app, "2026-11-19") == {"加藤"}
    assert await owner_on(app, "2026-11-20") == {"森"}
    # 23:30 in Tokyo is 14:30 in London; a day that ends in Kiritimati ends five hours before Tokyo's.
    assert await owner_on(app, "2026-11-20", now="2026-11-22T09:00:00+14:00") == {"加藤"}


async def test_what_was_told_later_may_be_true_of_an_earlier_day(tmp_path: Path) -> None:
    late = {**ROWS[0], "ticket": "INC-2000", "title": "Andon", "at": "2026-11-21T10:00:00+09:00"}
    late["text"] = "Andonの担当は11月12日から加藤さんです。"
    app = await filled(tmp_path, more=[json.dumps(late)])
    assert await owner_on(app, "2026-11-15") == {"加藤"}


async def test_known_at_a_moment_is_that_moment(tmp_path: Path) -> None:
    answer = await asked(await filled(tmp_path), "証明書を再登録すると直りますか", known_at="2026-11-20T12:00:00+09:00")
    assert seen(answer) == {"INC-1007/1"}


async def test_a_question_leaves_nothing_but_what_it_cost(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    before = await app.store.writing.counts()
    await asked(app, "証明書を再登録すると直りますか")
    assert await app.store.writing.counts() == before
    found = await perform(app, "stats", {}, unheard)
    assert found is not None
    assert (found["questions"], found["answered"]) == (1, 1)


async def test_statistics_tell_what_was_said_of_answers_in_the_same_days(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    for days, author, helpful in ((0.5, "sato", True), (2, "mori", True), (3, "abe", False), (40, "kato", False)):
        given = Feedback(turn="T1", author=author, helpful=helpful, at=app.clock() - timedelta(days=days))
        await app.store.feedback.give(given)
    month, day = await perform(app, "stats", {}, unheard), await perform(app, "stats", {"days": 1}, unheard)
    assert month is not None
    assert day is not None
    assert month["feedback"] == {"helpful": 2, "unhelpful": 1}
    assert day["feedback"] == {"helpful": 1, "unhelpful": 0}


async def test_a_report_names_what_could_not_be_answered_where_everybody_may_read_it(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    for thread, text, visibility in (
        ("T1", "来客用の駐車場はどこですか", Visibility.EVERYONE),
        ("T2", "給与明細の番号を教えてください", Visibility.PRIVATE),
    ):
        message = {
            "platform": "terminal",
            "workspace": "local",
            "channel": "office",
            "thread": thread,
            "message": "m1",
            "author": "sato",
            "text": text,
            "said_at": LATER.isoformat(),
            "visibility": visibility,
        }
        await perform(app, "reply", message, unheard)
    japanese, english = (
        await perform(app, "report", {}, unheard),
        await perform(app, "report", WEEK_IN_ENGLISH, unheard),
    )
    assert japanese is not None
    assert english is not None
    assert "質問：2（回答0件、未回答2件）" in japanese["message"]
    assert "Questions: 2 (0 answered, 2 unanswered)" in english["message"]
    assert "16–22 November 2026 (7 days)" in english["page"]
    for told in (*japanese.values(), *english.values()):
        assert "来客用の駐車場はどこですか" in told
        assert "給与明細" not in told


async def test_the_language_that_was_asked_for_is_that_of_the_bots_own_words(tmp_path: Path) -> None:
    answer = await asked(await filled(tmp_path), "証明書を再登録すると直りますか", language="en")
    assert answer["language"] == "en"
    assert "quotes from past tickets" in answer["answer"]


def chat_message(number: int, text: str) -> dict[str, object]:
    """One of sato's messages to the bot, a minute after the one before."""
    return {
        "platform": "terminal",
        "workspace": "local",
        "channel": "dm",
        "thread": "dm-sato",
        "message": f"m{number}",
        "author": "sato",
        "text": text,
        "said_at": (LATER + timedelta(minutes=number - 3)).isoformat(),
        "visibility": "private",
    }


async def said_in_chat(app: Application, *texts: str) -> str:
    """What the bot says to the last of these."""
    replies = [
        await perform(app, "reply", chat_message(number, text), unheard) for number, text in enumerate(texts, start=1)
    ]
    assert replies[-1] is not None
    return str(replies[-1]["text"])


@pytest.mark.parametrize("flushed", [False, True], ids=["a moment ago", "before a flush"])
async def test_ones_own_words_of_the_same_chat_are_quoted_as_said_here(tmp_path: Path, flushed: bool) -> None:
    app = small_application(tmp_path, later())
    await said_in_chat(app, "My desk is next to the plotter on floor 8.")
    if flushed:
        await perform(app, "jobs run", {"name": "flush"}, unheard)
    reply = await perform(app, "reply", chat_message(2, "Which floor is my desk on, with the plotter?"), unheard)
    assert reply is not None
    assert reply["text"] == (
        "These are quotes from earlier in this conversation that seem to fit:\n\n"
        "2026-11-22 sato (earlier in this conversation): “My desk is next to the plotter on floor 8.”"
    )


@pytest.mark.parametrize(
    ("language", "done", "gone"),
    [
        ("ja", "そのメッセージを忘れました。", "そのメッセージは、もう覚えていません。"),
        ("en", "I have forgotten that message.", "I no longer remember that message."),
    ],
)
async def test_in_the_terminal_a_message_with_a_secret_is_forgotten_once_and_for_its_author_alone(
    tmp_path: Path, language: str, done: str, gone: str
) -> None:
    app = small_application(tmp_path, later())
    said = await perform(app, "reply", chat_message(1, "My password is hunter2"), unheard)
    await perform(app, "reply", chat_message(2, "The plotter is on floor 8."), unheard)
    assert said is not None
    assert said["pasted"] is True
    assert "/forget" in said["text"]
    pasted = {
        "turn": turn_id(Conversation(platform="terminal", workspace="local", channel="dm", thread="dm-sato"), "m1"),
        "language": language,
    }
    told = [
        (await perform(app, "take back", {**pasted, "user": user}, unheard) or {})["text"]
        for user in ("tanaka", "sato", "sato")
    ]
    assert told == [gone, done, gone]
    left = await app.store.personal.kept(Viewer(user="sato"), later()())
    assert left.messages == 1


async def test_what_one_said_next_about_something_else_is_no_answer(tmp_path: Path) -> None:
    """Nor what followed on the bot's own words, which repeat those of everybody."""
    app = small_application(tmp_path, later())
    told = ["My extension number is 4412.", "The plotter is out of ink.", "What was my extension number?", "Fine."]
    reply = await said_in_chat(app, *told, "Tell me my extension number!")
    lines = [line for line in reply.splitlines() if "sato" in line]
    assert lines == ["2026-11-22 sato (earlier in this conversation): “My extension number is 4412.”"]


async def test_what_was_said_in_another_chat_is_not_called_said_here(tmp_path: Path) -> None:
    app = small_application(tmp_path, later())
    await said_in_chat(app, "My desk is next to the plotter on floor 8.")
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    other = {**chat_message(2, "Which floor is my desk on, with the plotter?"), "thread": "another"}
    reply = await perform(app, "reply", other, unheard)
    assert reply is not None
    assert reply["text"].endswith("2026-11-22 sato: “My desk is next to the plotter on floor 8.”")


@pytest.mark.parametrize("thread", [{}, {"thread_ts": stamp(0)}], ids=["channel", "thread"])
async def test_what_was_said_in_slack_is_quoted_with_its_channel(tmp_path: Path, thread: dict[str, object]) -> None:
    app = small_application(tmp_path, later())
    export = slack_folder(tmp_path / "Acme", {"general/2026-03-02.json": [said("U1", 0, ALERT, **thread)]})
    await perform(app, "import", {"path": str(export)}, unheard)
    answer = await asked(app, "Which disk is full, E-7731?")
    assert answer["answer"].endswith(f"2026-03-02 #general sato: “{ALERT}”")
    assert [one["channel"] for one in answer["citations"]] == ["general"]
    listed = await perform(app, "memory search", {"query": "disk full", "user": "me"}, unheard)
    assert listed is not None
    assert [(one["author"], one["speaker"], one["room"]) for one in listed["found"]] == [("U1", "sato", "general")]


async def test_a_message_gets_one_reply_and_its_repeat_none(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    message = chat_message(1, "証明書を再登録すると直りますか")
    first = await perform(app, "reply", message, unheard)
    assert first is not None
    assert "再登録" in first["text"]
    assert await perform(app, "reply", message, unheard) is None


@pytest.mark.parametrize("name", ["INC-1007", "inc-1007/2"])
async def test_memory_shows_a_ticket_or_a_message_with_its_state_and_note(tmp_path: Path, name: str) -> None:
    found = await perform(await filled(tmp_path), "memory show", {"id": name}, unheard)
    assert found is not None
    assert [(ticket["title"], ticket["status"], ticket["assignee"]) for ticket in found["tickets"]] == [
        ("VPN接続不可", "resolved", "okabe")
    ]
    assert found["turns"][-1]["text"] == "証明書を再登録すると直ります。"
    assert [(episode["turns"], episode["made_by"]) for episode in found["episodes"]] == [(2, "rules")]


async def test_what_is_not_there_is_told_plainly(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="INC-9"):
        await perform(await filled(tmp_path), "memory show", {"id": "INC-9"}, unheard)


async def test_searching_shows_turns_with_what_their_score_is_made_of(tmp_path: Path) -> None:
    found = await perform(await filled(tmp_path), "memory search", {"query": "証明書", "user": "me"}, unheard)
    assert found is not None
    assert {turn["turn"] for turn in found["found"]} == {"INC-1007/1", "INC-1007/2"}
    assert all(turn["scores"] for turn in found["found"])


async def test_what_is_pinned_outlives_retention(tmp_path: Path) -> None:
    now = LATER
    app = small_application(tmp_path, lambda: now)
    await perform(app, "import", {"path": str(rows_in(tmp_path))}, unheard)
    await app.store.writing.record([turn(1, "printer", thread="INC-2", ticket="INC-2")])
    with pytest.raises(NothingFound, match="flush"):
        await perform(app, "memory pin", {"id": "INC-2"}, unheard)
    await app.jobs.run("flush")
    await perform(app, "memory pin", {"id": "INC-1007"}, unheard)
    now += timedelta(days=91)
    assert (await app.jobs.run("retention")).counts == {"episodes": 1, "turns": 1}
    await perform(app, "memory unpin", {"id": "INC-1007"}, unheard)
    assert (await app.jobs.run("retention")).counts == {"episodes": 1, "turns": 2}


async def test_questions_of_ones_own_are_measured_on_the_memory_as_it_is(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    path = tmp_path / "own.csv"
    path.write_text("question,ticket,user\n証明書を再登録すると直りますか,INC-1007,sato\n", encoding="utf-8")
    found = await perform(app, "eval own", {"path": str(path)}, unheard)
    assert found is not None
    assert (found["questions"], found["recall"]["session_any"]["5"]) == (1, 1.0)


async def test_a_measurement_is_in_no_statistics_and_in_nobodys_audit_log(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    path = tmp_path / "own.csv"
    path.write_text("question,ticket,user\n証明書を再登録すると直りますか,INC-1007,sato\n", encoding="utf-8")
    before = await perform(app, "audit list", {}, unheard)
    measured = await perform(app, "eval own", {"path": str(path)}, unheard)
    assert measured is not None
    assert measured["wrongly_abstained"] == 0.0
    assert await app.store.ledger.since(LATER.replace(year=2000)) == []
    assert await perform(app, "audit list", {}, unheard) == before
    counted = await perform(app, "stats", {"days": 3650}, unheard)
    assert counted is not None
    assert (counted["questions"], counted["answered"], counted["abstained"]) == (0, 0, 0)


async def test_a_ticket_is_found_by_the_name_that_people_write_and_by_one_of_its_messages(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    path = tmp_path / "own.csv"
    path.write_text(
        'question,ticket,user\n証明書を再登録すると直りますか,"inc-1007, INC-1007/2",sato\n', encoding="utf-8"
    )
    found = await perform(app, "eval own", {"path": str(path)}, unheard)
    assert found is not None
    assert found["recall"]["session_all"]["5"] == 1.0


@pytest.mark.parametrize("command", ["eval own", "tune"])
async def test_a_ticket_that_is_not_there_is_told_with_its_line_and_not_counted_as_missed(
    tmp_path: Path, command: str
) -> None:
    app = await filled(tmp_path)
    path = tmp_path / "own.csv"
    path.write_text("question,ticket\nVPN?,NOPE-1\nVPN?,INC-1007\nVPN?,INC-1007 NOPE-2\n", encoding="utf-8")
    with pytest.raises(InputRefused) as refused:
        await perform(app, command, {"path": str(path)}, unheard)
    assert str(refused.value) == (f"{path}, line 2: there is no ticket NOPE-1; line 4: there is no ticket NOPE-2.")


async def test_of_many_tickets_that_are_not_there_ten_are_told(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    path = tmp_path / "own.csv"
    path.write_text("question,ticket\n" + "".join(f"VPN?,NOPE-{number}\n" for number in range(13)), encoding="utf-8")
    with pytest.raises(InputRefused, match=r"line 11: there is no ticket NOPE-9; and 3 more\.$"):
        await perform(app, "eval own", {"path": str(path)}, unheard)


async def test_jobs_are_listed_with_their_last_run(tmp_path: Path) -> None:
    listed = await perform(await filled(tmp_path), "jobs list", {}, unheard)
    assert listed is not None
    last = {job["name"]: job["last"] and job["last"]["outcome"] for job in listed["jobs"]}
    assert last == {
        "flush": "done",
        "enrich-retry": None,
        "retention": None,
        "knowledge-sync": None,
        "consolidate": None,
        "tickets": None,
        "weekly-report": None,
        "reindex": None,
        "redact": None,
        "repair": None,
    }


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("dance", {}),
        ("ask", {"question": "?"}),
        ("ask", {"question": "?", "user": "sato", "colour": "red"}),
        ("jobs run", {"name": "dance"}),
        ("ask", {"question": "VPN?", "user": "sato", "as_of": "yesterday"}),
    ],
)
async def test_what_a_command_does_not_take_is_refused(
    tmp_path: Path, command: str, arguments: dict[str, object]
) -> None:
    with pytest.raises(WrongUse):
        await perform(small_application(tmp_path, lambda: NOON), command, arguments, unheard)


@pytest.mark.parametrize("question", ["", " \n\t ", "😀", "\x00"])
async def test_a_question_without_words_is_refused_with_a_hint(tmp_path: Path, question: str) -> None:
    with pytest.raises(InputRefused):
        await asked(small_application(tmp_path, lambda: NOON), question)


# --- the index and its encoder ----------------------------------------------------------------------------------------


async def test_an_index_that_was_lost_is_rebuilt_before_the_question_is_answered(tmp_path: Path) -> None:
    store = InMemoryStore(clock=later())
    await filled(tmp_path, store=store)
    app = small_application(tmp_path, later(), store=store, index=InMemoryIndex())
    told: list[Told] = []
    found = await perform(app, "ask", {"question": "証明書を再登録すると直りますか", "user": "sato"}, told.append)
    assert found is not None
    assert "INC-1007/2" in seen(found["answer"])
    assert isinstance(told[0], Notice)
    assert await app.readiness.check() is IndexState.READY


async def test_only_a_job_makes_a_new_index_ready_for_vectors(tmp_path: Path) -> None:
    """Jobs hold the lease of what writes keys; a look from any other place would empty what another process fills."""
    index = InMemoryIndex()
    one, other = (small_application(tmp_path / name, later(), index=index) for name in ("one", "other"))
    assert await perform(one, "status", {}, unheard) is not None
    await asked(one, "VPN?")
    assert await index.stamp() is None
    await one.jobs.run("flush")
    assert await index.stamp() == await HashingEncoder().stamp()
    await index.put([key("a", terms={7: 1.0})])
    await other.jobs.run("flush")
    assert await index.count(KeyKind.TURN) == 1


async def emptied(app: Application) -> None:
    """The process that rebuilt the index died when it had emptied it."""
    await app.store.writing.reopen_all()
    await app.index.reset(await HashingEncoder().stamp())


async def test_a_rebuild_that_was_cut_off_is_finished_before_the_question_is_answered(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    await emptied(app)
    assert await app.readiness.check() is IndexState.REBUILDING
    told: list[Told] = []
    found = await perform(app, "ask", {"question": "証明書を再登録すると直りますか", "user": "sato"}, told.append)
    assert found is not None
    assert "INC-1007/2" in seen(found["answer"])
    assert found["answer"]["degraded"] == []
    assert told[0] == Notice(text="A rebuild of the search index was cut off; the rest is done first.")
    assert await app.readiness.check() is IndexState.READY


async def test_a_rebuild_that_was_cut_off_is_finished_by_the_next_scheduled_flush(tmp_path: Path) -> None:
    """Also what was said a moment ago, for which an ordinary flush would wait."""
    app = await filled(tmp_path)
    await app.store.writing.record([turn(1, "the plotter is on fire")])
    await emptied(app)
    await app.jobs.scheduled("flush")
    assert (await app.store.writing.counts())["pending"] == 0
    assert await app.readiness.check() is IndexState.READY


async def test_nobody_is_told_that_there_is_nothing_while_not_everything_can_be_searched(tmp_path: Path) -> None:
    """A chat does not wait for the rebuild: it answers from what is there and says how much that is."""
    app = await filled(tmp_path)
    plotter = turn(1, "the plotter is out of ink", thread="INC-3", ticket="INC-3")
    await app.store.writing.record([plotter, turn(2, "thanks", thread="INC-3", ticket="INC-3")])
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    await emptied(app)
    flush = flush_over(app.settings, app.clock, store=app.store, index=app.index, encoder=HashingEncoder(), models={})
    await flush.of([plotter.conversation.id])
    found = await perform(app, "reply", chat_message(1, "Who mends the plotter that is out of ink?"), unheard)
    assert found is not None
    assert "“the plotter is out of ink”" in found["text"]
    assert found["text"].endswith(
        "The search index is being rebuilt (50% done); some past tickets cannot be found yet."
    )
    japanese = await perform(app, "reply", chat_message(2, "証明書を再登録すると直りますか"), unheard)
    assert japanese is not None
    assert japanese["text"] == (
        "確認中: いまは過去のチケットをすべては探せないため、お答えの根拠になる記録があるかどうか、まだ分かりません。"
        "推測ではお答えしません。\n"
        "しばらくしてから、もう一度お尋ねください。\nお急ぎのときは、サポート担当者に直接ご連絡ください。\n\n"
        "検索の索引を作り直している途中です（50%まで完了）。まだ見つけられないチケットがあります。"
    )


async def test_a_command_does_not_wait_for_a_rebuild_that_is_going_on(tmp_path: Path) -> None:
    class Slow(HashingEncoder):
        """Encodes when it is told to."""

        def __init__(self) -> None:
            super().__init__()
            self.asked, self.go = asyncio.Event(), asyncio.Event()

        async def passages(self, texts: Sequence[str]) -> Vectors:
            self.asked.set()
            await self.go.wait()
            return await super().passages(texts)

    store, encoder = InMemoryStore(clock=later()), Slow()
    await filled(tmp_path, store=store)
    app = small_application(tmp_path, later(), store=store, encoder=encoder)
    job = asyncio.create_task(app.jobs.run("reindex"))
    await encoder.asked.wait()
    told: list[Told] = []
    found = await perform(app, "ask", {"question": "証明書を再登録すると直りますか", "user": "sato"}, told.append)
    assert found is not None
    assert (found["answer"]["abstained"], found["answer"]["degraded"]) == (True, ["rebuilding"])
    assert told == [Notice(text="The search index is being rebuilt; answers may be incomplete until that is done.")]
    encoder.go.set()
    await job
    assert not (await asked(app, "証明書を再登録すると直りますか"))["degraded"]


async def test_another_encoder_is_refused_with_the_command_that_helps(tmp_path: Path) -> None:
    store, index = InMemoryStore(clock=later()), InMemoryIndex()
    await filled(tmp_path, store=store, index=index)
    app = small_application(tmp_path, later(), store=store, index=index, encoder=HashingEncoder(size=64))
    for command, arguments in (("ask", {"question": "VPN?", "user": "sato"}), ("jobs run", {"name": "flush"})):
        with pytest.raises(EncoderChanged, match="helpdesk jobs run reindex"):
            await perform(app, command, arguments, unheard)
    await perform(app, "jobs run", {"name": "reindex"}, unheard)
    assert "INC-1007/2" in seen(await asked(app, "証明書を再登録すると直りますか"))


async def test_without_the_encoder_answers_come_by_words_and_say_so(tmp_path: Path) -> None:
    store, index = InMemoryStore(clock=later()), InMemoryIndex()
    await filled(tmp_path, store=store, index=index)
    app = small_application(tmp_path, later(), store=store, index=index, encoder=AbsentEncoder())
    await store.writing.record([turn(1, "toner QX-7713", thread="INC-3", ticket="INC-3")])
    await app.jobs.run("flush")
    answer = await asked(app, "QX-7713")
    assert answer["degraded"] == ["meaning"]
    assert seen(answer) == {"INC-3/1"}
    assert (await store.writing.counts())["pending"] == 1


async def test_while_the_index_cannot_be_reached_the_bot_says_so_and_answers_what_it_can(tmp_path: Path) -> None:
    class Unreachable(InMemoryIndex):
        async def stamp(self) -> EncoderStamp | None:
            raise IndexUnavailable

        async def search(self, *_: object) -> list[list[Hit]]:
            raise IndexUnavailable

    app = small_application(tmp_path, later(), index=Unreachable())
    told: list[Told] = []
    found = await perform(app, "ask", {"question": "VPN QX-7713?", "user": "sato"}, told.append)
    assert found is not None
    assert found["answer"]["degraded"] == ["index"]
    assert told == [Notice(text=str(IndexUnavailable()))]


async def test_an_import_without_encoder_into_a_new_memory_is_recorded_and_says_what_is_missing(tmp_path: Path) -> None:
    app = small_application(tmp_path, later(), encoder=AbsentEncoder())
    done = await perform(app, "import", {"path": str(rows_in(tmp_path))}, unheard)
    assert done is not None
    assert (done["new"], done["remembered"], done["problem"]) == (2, None, str(EncoderUnavailable()))


async def test_a_damaged_index_is_told_plainly_and_mended_by_reindex(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    store = InMemoryStore(clock=later())
    async with open_edge_index(folder) as index:
        await filled(tmp_path, store=store, index=index)
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(b"not what it was")
    renewable = RenewableIndex(folder, open_edge_index)
    await renewable.open()
    try:
        app = small_application(tmp_path, later(), store=store, index=renewable)
        with pytest.raises(IndexDamaged, match="helpdesk jobs run reindex"):
            await asked(app, "VPN?")
        await perform(app, "jobs run", {"name": "reindex"}, unheard)
        assert "INC-1007/2" in seen(await asked(app, "証明書を再登録すると直りますか"))
        assert await renewable.count(KeyKind.TURN) == 2
    finally:
        await renewable.aclose()
    assert (tmp_path / "index-damaged").is_dir()


@pytest.mark.parametrize(
    ("command", "given", "sentence"),
    [
        *(
            (command, {"id": ""}, "`id` must not be empty")
            for command in (
                "memory show",
                "memory pin",
                "memory unpin",
                "memory history",
                "holds add",
                "holds release",
                "holds show",
                "tickets show",
                "incidents show",
            )
        ),
        ("memory search", {"query": "", "user": "sato"}, "`query` must not be empty"),
        ("memory forget", {"what": "user", "id": "", "dry_run": True}, "`id` must not be empty"),
        ("memory redo", {"id": ""}, "`id` must not be empty"),
        ("memory rollback", {"id": "", "version": 0}, "`id` must not be empty; `version` must be 1 or more"),
        (
            "memory undo",
            {"id": "", "user": "u", "why": "w" * 501},
            "`id` must not be empty; `why` must have at most 500 characters",
        ),
        ("tickets step", {"id": "", "step": "take", "user": ""}, "`id` must not be empty; `user` must not be empty"),
        ("incidents rule", {"id": "", "phase": "over", "user": "u"}, "`id` must not be empty"),
        ("audit verify", {"known": "17"}, "`known` is not of the form that it has to have"),
        ("stats", {"days": 3651}, "`days` must be 3,650 or less"),
        ("status", {"colour": "red"}, "`colour` is not known"),
        ("jobs run", {}, "`name` is missing"),
        ("jobs run", {"name": 7}, "`name` cannot be used"),
    ],
)
async def test_what_an_argument_may_not_be_is_told_in_words_for_people(
    tmp_path: Path, command: str, given: dict[str, object], sentence: str
) -> None:
    with pytest.raises(WrongUse) as told:
        await perform(small_application(tmp_path, later()), command, given, unheard)
    assert str(told.value) == f"{command} does not take that: {sentence}."


async def test_the_clock_of_a_question_is_its_own(tmp_path: Path) -> None:
    app = await filled(tmp_path)
    answer = await asked(app, "証明書を再登録すると直りますか", now=datetime(2026, 11, 20, 2, tzinfo=UTC).isoformat())
    assert seen(answer) == {"INC-1007/1"}
