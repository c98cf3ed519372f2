"""What goes wrong outside: messages, files, settings, databases and models. Each gets a clear sentence, and nothing
that was there before is lost."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.application import Application
from bot.opening import refuse_lost_words
from bot.telling import unheard
from bot.use_cases import perform
from bot.wiring import build
from config.loader import load_settings
from memory.errors import InputRefused, StoreLost
from memory.model import DIRECT, Visibility
from tests.fakes.command_line import SECONDS, environment, helpdesk
from tests.fakes.exports import said, slack_folder, zipped
from tests.fakes.folders import contents, copied
from tests.fakes.forked import run_forked
from tests.fakes.llm_server import LlmServer, computes, garbage, says, serving
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON

NOW = "2026-11-24T09:00:00+09:00"
TICKETS = [
    {
        "ticket": "INC-1",
        "message": "1",
        "at": "2026-11-20T10:00:00+09:00",
        "author": "sato",
        "role": "requester",
        "text": "VPNに接続できません。E-4711と出ます。",
    },
    {
        "ticket": "INC-1",
        "message": "2",
        "at": "2026-11-20T10:20:00+09:00",
        "author": "okabe",
        "role": "agent",
        "text": "証明書を再登録すると、E-4711は消えます。",
    },
]
QUESTION = "E-4711が出てVPNに接続できません"


def rows_in(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def stored(data: Path) -> list[tuple[str, str]]:
    """(author, words) of every turn in the database file, in order of arrival."""
    with closing(sqlite3.connect(data / "helpdesk.db")) as connection:
        return connection.execute("SELECT author, text FROM turns ORDER BY rowid").fetchall()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one private ticket of sato's."""
    folder = tmp_path_factory.mktemp("bad-input")
    assert helpdesk(folder / "data", "import", str(rows_in(folder / "desk.jsonl", TICKETS))).returncode == 0
    return folder / "data"


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    copied(made, tmp_path / "data", without=("private",))
    return tmp_path / "data"


def still_answers(data: Path) -> bool:
    done = helpdesk(data, "ask", QUESTION, "--user", "sato", "--now", NOW)
    return done.returncode == 0 and "証明書を再登録" in done.stdout


def typed(data: Path, lines: bytes, *arguments: str) -> str:
    """What a command says to these bytes on its standard input."""
    done = run_forked(arguments, environment(data), lines, SECONDS)
    assert b"Traceback" not in done.stderr
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


# --- messages ---------------------------------------------------------------------------------------------------------

#: What is sent, and a sentence of the reply in Japanese and in English.
REFUSED = [
    ("", "メッセージが空でした", "That message was empty"),
    (" \t\u3000 ", "メッセージが空でした", "That message was empty"),
    ("V" * 200_000, "長すぎて受け取れませんでした（200,000文字", "too long to take in (200,000 characters"),
    ("\x00\x01\x1b\x7f", "読める文字が入っていません", "no readable characters"),
    ("\ud800\udfff", "読める文字が入っていません", "no readable characters"),
    ("\u202e\u200b\ufeff", "読める文字が入っていません", "no readable characters"),
]
EMOJI = [("😭", "どうされましたか", "What can I do for you"), ("👩‍💻🔥!!", "どうされましたか", "What can I do for you")]


async def asked(app: Application, text: str, **more: object) -> Any:
    return await perform(app, "ask", {"question": text, "user": "sato", **more}, unheard)


@pytest.mark.parametrize(("text", "japanese", "english"), REFUSED + EMOJI)
async def test_a_question_that_says_nothing_is_refused_in_the_language_that_was_asked_for(
    tmp_path: Path, text: str, japanese: str, english: str
) -> None:
    app = small_application(tmp_path, lambda: NOON)
    for language, sentence in (("ja", japanese), ("en", english)):
        with pytest.raises(InputRefused, match=re.escape(sentence)):
            await asked(app, text, language=language)
    assert (await app.store.writing.counts())["turns"] == 0
    assert await app.store.ledger.since(NOON - timedelta(days=1)) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("VPN\ud83d\x00 E-4711\x1b[2J", "VPN\ufffd E-4711"),
        ("\u202eE-4711 VPN\u202c", "E-4711 VPN"),
        ("الشبكة E-4711 VPN", "الشبكة E-4711 VPN"),
        ("שלום E-4711 VPN", "שלום E-4711 VPN"),
        ("E-4711 VPN 😭😭", "E-4711 VPN 😭😭"),
    ],
)
async def test_a_message_with_strange_characters_is_kept_readable_answered_and_remembered(
    tmp_path: Path, text: str, kept: str
) -> None:
    app = small_application(tmp_path, lambda: NOON)
    await perform(app, "import", {"path": str(rows_in(tmp_path / "desk.jsonl", TICKETS))}, unheard)
    reply = await replied(app, text)
    assert "証明書を再登録" in reply
    reply.encode()
    shown = await perform(app, "memory show", {"id": "dm-sato/m1"}, unheard)
    assert shown is not None
    assert [turn["text"] for turn in shown["turns"]] == [kept]
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    assert (await app.store.writing.counts())["pending"] == 0


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("大阪支社のWi-Fiのパスワードは何ですか？", "確認中: "),
        ("大阪支社のWi-Fiのパスワードを知りたい", "確認中: "),
        ("What is the wifi password in Osaka?", "Still open: I could not find that"),
    ],
)
async def test_asking_again_does_not_make_an_answer_of_the_question(tmp_path: Path, question: str, said: str) -> None:
    seconds = _clock(timedelta(seconds=1))
    app = small_application(tmp_path, lambda: next(seconds))
    for message in ("m1", "m2"):
        assert (await replied(app, question, message=message)).startswith(said)
    assert "😭" not in await replied(app, "😭", message="m3")
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    assert (await replied(app, question, message="m4")).startswith(said)
    assert (await asked(app, question))["answer"]["abstained"]


async def replied(app: Application, text: str, *, message: str = "m1") -> str:
    """The reply to sato's direct message."""
    given = {
        "platform": "terminal",
        "workspace": "local",
        "channel": DIRECT,
        "thread": "dm-sato",
        "message": message,
        "author": "sato",
        "text": text,
        "said_at": app.clock().isoformat(),
        "visibility": Visibility.PRIVATE.value,
    }
    reply = await perform(app, "reply", given, unheard)
    assert reply is not None
    return str(reply["text"])


def test_a_chat_takes_any_bytes_and_keeps_what_can_be_read(data: Path) -> None:
    lines = [
        b"",
        b"  \t",
        b"\x00\x01\x1b",
        b"\xed\xa0\xbd\xff\xfe",
        b"V" * 200_000,
        "😭".encode(),
        "مرحبا".encode(),
        b"E-4711 \xff VPN",
        "これは保存される".encode(),  # the last line has no end
    ]
    replies = typed(data, b"\n".join(lines), "chat", "--user", "sato").split("\n\n")
    refusals = ("空でした", "空でした", "読める文字", "読める文字", "200,000 characters", "どうされましたか")
    assert [sentence for sentence, reply in zip(refusals, replies, strict=False) if sentence not in reply] == []
    assert any("証明書を再登録" in reply for reply in replies[7:])
    mine = [text for author, text in stored(data)[2:] if author == "sato"]
    assert mine == ["😭", "مرحبا", "E-4711 \ufffd VPN", "これは保存される"]
    assert stored(data)[:2] == [(row["author"], row["text"]) for row in TICKETS]


@pytest.mark.parametrize(
    ("arguments", "stdin", "sentence"),
    [
        (["ask", ""], "", "空でした"),
        (["ask", "-", "--lang", "en"], "V" * 200_000, "200,000 characters, the limit is 20,000"),
        (["ask", "\udcff\udcfe"], "", "読める文字"),
        (["ask", "VPN?", "--user", " "], "", "I do not know who is asking"),
    ],
)
def test_the_command_refuses_such_a_question_with_exit_code_2(
    made: Path, arguments: list[str], stdin: str, sentence: str
) -> None:
    before = stored(made)
    done = helpdesk(made, *arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert stored(made) == before


def test_a_user_whom_nobody_knows_gets_an_answer_but_nobodys_private_words(made: Path) -> None:
    done = helpdesk(made, "ask", QUESTION, "--user", "u-nobody-knows", "--now", NOW)
    assert done.returncode == 0
    assert "確認中: " in done.stdout
    assert "証明書" not in done.stdout
    assert "INC-1" not in done.stdout


# --- settings and databases -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (b"bot: [1, 2\n", 2, "not valid YAML"),
        (b"bot:\n\tname: Taro\n", 2, "tab"),
        (b"bot:\n  name: \xff\xfe\n", 2, "UTF-8"),
        (b"models:\n  master:\n    base_url: http://127.0.0.1:9/v1\n    model: m\n    api_key: sk-1234\n", 5, "secret"),
    ],
)
def test_a_broken_configuration_is_told_with_its_line_and_touches_no_data(
    data: Path, tmp_path: Path, text: bytes, line: int, sentence: str
) -> None:
    path = tmp_path / "helpdesk.yaml"
    path.write_bytes(text)
    before = (data / "helpdesk.db").read_bytes()
    done = helpdesk(data, "chat", stdin="VPN?\n", more={"HELPDESK_CONFIG": str(path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{path}:{line}: ")
    assert sentence in done.stderr
    assert "sk-1234" not in done.stderr
    assert (data / "helpdesk.db").read_bytes() == before


def _foreign(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.execute("INSERT INTO recipes VALUES ('miso soup')")
        connection.commit()


def _newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE helpdesk_schema SET version_num = 'r9999'")
        connection.commit()


def _damaged(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])


@pytest.mark.parametrize(
    ("spoil", "fresh", "sentence"),
    [
        (lambda file: file.write_bytes(b"notes of another program\n" * 100), True, "belongs to something else"),
        (_foreign, True, "belongs to something else"),
        (_newer, False, "newer version"),
        (_damaged, False, "damaged"),
    ],
)
def test_a_database_that_is_not_ours_to_use_is_named_and_left_as_it_is(
    data: Path, tmp_path: Path, spoil: Any, fresh: bool, sentence: str
) -> None:
    file = data / "helpdesk.db"
    if fresh:
        file.unlink()
    spoil(file)
    before = file.read_bytes()
    for arguments in (["ask", QUESTION], ["import", str(rows_in(tmp_path / "desk.jsonl", TICKETS))]):
        done = helpdesk(data, *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert sentence in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert file.read_bytes() == before


def _kept(data: Path) -> dict[Path, bytes]:
    """Everything in the folder but what the process itself leaves there."""
    own = {"owner.lock", "helpdesk.log"}
    return {path: contents(path) for path in data.rglob("*") if path.is_file() and path.name not in own}


@pytest.mark.parametrize(("spoil", "lost"), [(Path.unlink, "missing"), (lambda file: os.truncate(file, 0), "empty")])
def test_a_lost_database_is_not_replaced_by_an_empty_one_while_the_index_has_keys(
    data: Path, tmp_path: Path, spoil: Callable[[Path], None], lost: str
) -> None:
    whole = (data / "helpdesk.db").read_bytes()
    spoil(data / "helpdesk.db")
    before = _kept(data)
    rows = str(rows_in(tmp_path / "desk.jsonl", TICKETS))
    for arguments in (["ask", QUESTION], ["import", rows], ["jobs", "run", "reindex"], ["status"]):
        done = helpdesk(data, *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.splitlines() == [
            f"The database file {data}/helpdesk.db is {lost}, but the search index beside it is not; put the file back "
            f"from a backup, or delete the folder {data}/index to begin anew."
        ]
    assert _kept(data) == before
    (data / "helpdesk.db").write_bytes(whole)
    assert still_answers(data)


def test_who_begins_anew_after_a_lost_database_deletes_the_index(data: Path, tmp_path: Path) -> None:
    (data / "helpdesk.db").unlink()
    shutil.rmtree(data / "index")
    done = helpdesk(data, "import", str(rows_in(tmp_path / "desk.jsonl", TICKETS)))
    assert done.stdout.startswith("2 rows: 2 new")
    assert still_answers(data)


@pytest.mark.parametrize(
    ("noted", "lost"),
    [('{"at_least": 0}', False), ('{"layout": 1, "at_least": 7}', True), ('{"at_le', True), (None, False)],
)
def test_an_index_without_keys_is_that_of_a_first_start_that_was_cut_short(
    tmp_path: Path, noted: str | None, lost: bool
) -> None:
    (tmp_path / "index").mkdir()
    if noted is not None:
        (tmp_path / "index" / "index.json").write_text(noted)
    with pytest.raises(StoreLost) if lost else nullcontext():
        refuse_lost_words(load_settings(None, {}), tmp_path)


def test_a_log_that_cannot_be_written_stops_nothing_and_is_not_talked_about(data: Path, tmp_path: Path) -> None:
    (data / "helpdesk.log").unlink()
    (data / "helpdesk.log").mkdir()
    done = helpdesk(data, "import", str(rows_in(tmp_path / "desk.jsonl", TICKETS)))
    assert (done.returncode, done.stderr) == (0, "")


# --- exports ----------------------------------------------------------------------------------------------------------


def test_a_zip_cut_in_half_is_refused_whole_and_its_good_copy_is_taken_later(data: Path, tmp_path: Path) -> None:
    day = {"general/2026-03-02.json": [said("U1", n, f"printer trouble {n}") for n in range(50)]}
    whole = zipped(slack_folder(tmp_path / "Acme", dict(day)), tmp_path / "Acme.zip")
    content = whole.read_bytes()
    whole.write_bytes(content[: len(content) // 2])
    done = helpdesk(data, "import", str(whole))
    assert (done.returncode, done.stdout) == (2, "")
    assert "Acme.zip is not a whole zip file" in done.stderr
    assert len(stored(data)) == 2
    whole.write_bytes(content)
    assert helpdesk(data, "import", str(whole)).stdout.startswith("50 rows: 50 new")
    assert len(stored(data)) == 52


def test_a_ticket_file_cut_in_half_loses_the_cut_row_only_and_the_whole_one_completes_it(
    data: Path, tmp_path: Path
) -> None:
    rows = [{**TICKETS[0], "ticket": f"INC-{n}", "visibility": "everyone"} for n in range(100, 120)]
    path = rows_in(tmp_path / "more.jsonl", rows)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2 + 20])
    complete = content[: len(content) // 2 + 20].count(b"\n")
    cut = helpdesk(data, "import", str(path))
    assert cut.returncode == 1
    assert f"more.jsonl, line {complete + 1}: is not JSON" in cut.stderr
    assert cut.stdout.startswith(f"{complete + 1} rows: {complete} new, 0 repeated, 0 revised, 0 replaced, 1 bad.")
    path.write_bytes(content)
    whole = helpdesk(data, "import", str(path))
    assert whole.stdout.startswith(f"20 rows: {20 - complete} new, {complete} repeated, 0 revised, 0 replaced, 0 bad.")
    assert len(stored(data)) == 22


def test_times_that_cannot_be_are_named_by_line_and_cost_no_other_row(data: Path, tmp_path: Path) -> None:
    wrong = {
        "2999-01-01T00:00:00+09:00": "lies in the future",
        "1901-01-01T00:00:00+09:00": "lies before 1970",
        "2026-11-31T10:00:00": "is not a date and time",
        "next Friday": "is not a date and time",
        "": "is missing",
    }
    rows = [{**TICKETS[0], "ticket": f"INC-{n}", "at": at} for n, at in enumerate(wrong, start=10)]
    path = rows_in(tmp_path / "times.jsonl", [*rows, {**TICKETS[0], "ticket": "INC-20"}])
    done = helpdesk(data, "import", str(path))
    assert done.returncode == 1
    for line, reason in enumerate(wrong.values(), start=1):
        assert f"times.jsonl, line {line}: `at` {reason}" in done.stderr
    assert done.stdout.startswith("6 rows: 1 new, 0 repeated, 0 revised, 0 replaced, 5 bad.")
    mended = [{**row, "at": TICKETS[0]["at"]} for row in rows]
    rows_in(path, [*mended, {**TICKETS[0], "ticket": "INC-20"}])
    assert helpdesk(data, "import", str(path)).stdout.startswith("6 rows: 5 new, 1 repeated")


def test_a_pipe_is_refused_at_once(data: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    subprocess.run(["mkfifo", str(pipe)], check=True)
    done = helpdesk(data, "import", str(pipe))
    assert (done.returncode, "write it into a file first" in done.stderr) == (2, True)


# --- models -----------------------------------------------------------------------------------------------------------

PROSE = "Sure! In my view one should look into the certificate, but I cannot say more without further details."


@pytest.fixture
async def server() -> AsyncIterator[LlmServer]:
    async with serving() as running:
        yield running


@pytest.fixture
def settings_file(server: LlmServer, tmp_path: Path) -> Path:
    """Every role's model, and the embeddings, on that server."""
    model = f"{{base_url: '{server.base_url}', model: small, retries: 0, timeout_seconds: 20}}"
    path = tmp_path / "helpdesk.yaml"
    path.write_text(
        f"models: {{assistant: {model}, master: {model}, enricher: {model}, breaker_failures: 100}}\n"
        f"embeddings: {{kind: endpoint, base_url: '{server.base_url}', model: vectors}}\n"
        "recall: {mode: emem}\n",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("behaviour", [says(PROSE), says(""), says('{"ans'), garbage()])
async def test_a_model_that_answers_nothing_readable_makes_the_bot_smaller_and_loses_nothing(
    server: LlmServer, settings_file: Path, tmp_path: Path, behaviour: Any
) -> None:
    server.chat.always = behaviour
    clock = _clock(timedelta(hours=1))
    (tmp_path / "data").mkdir()
    async with build(load_settings(settings_file, {}), tmp_path / "data", lambda: next(clock)) as app:
        path = str(rows_in(tmp_path / "desk.jsonl", TICKETS))
        done = await perform(app, "import", {"path": path}, unheard)
        assert done is not None
        assert (done["new"], done["bad"], done["remembered"]["postponed"]) == (2, [], 1)
        counts = await app.store.writing.counts()
        assert (counts["turns"], counts["pending"], counts["episodes"], counts["retries"]) == (2, 0, 1, 1)

        for question, sentence in (
            (QUESTION, "言語モデルから使える答えが得られない"),
            ("VPN E-4711?", "no usable answer"),
        ):
            answer = (await asked(app, question))["answer"]
            assert not answer["abstained"]
            assert sentence in answer["answer"]
            assert "証明書を再登録すると、E-4711は消えます。" in answer["answer"]
            assert "certificate" not in answer["answer"]
            assert "INC-1/2" in {ref for one in answer["citations"] for ref in one["turn_ids"]}
        assert await app.store.writing.counts() == counts

        server.chat.always = computes(_sensible)
        retried = await perform(app, "jobs run", {"name": "enrich-retry"}, unheard)
        assert retried is not None
        counts = await app.store.writing.counts()
        assert (counts["retries"], counts["notes"]) == (0, 1)
        answer = (await asked(app, QUESTION))["answer"]
        assert answer["answer"].startswith("証明書を再登録してください。")


def _clock(step: timedelta) -> Iterator[datetime]:
    """Later by so much whenever somebody looks."""
    return (NOON + number * step for number in count(1))


def _sensible(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply that fits every role's shape."""
    return {
        "summary": "VPNの証明書",
        "keywords": ["VPN"],
        "evidence": [],
        "answer": "証明書を再登録してください。",
        "cited": [1],
        "supported": True,
    }
