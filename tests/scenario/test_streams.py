"""Commands whose standard streams are closed, full or read by nobody: a sentence where anybody can hear it, and an exit
code that says whether the answer arrived."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.command_line import SECONDS, environment

FULL = "The output cannot be written (No space left on device); send it somewhere else, or make space.\n"

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")


def shell(data: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command line with redirections; `helpdesk` in it is the real command."""
    line = command.replace("helpdesk", f"{sys.executable} -m bot", 1)
    done = subprocess.run(
        ["sh", "-c", line], env=environment(data), capture_output=True, text=True, encoding="utf-8", timeout=SECONDS
    )
    assert "Traceback" not in done.stderr
    return done


@needs_full
@pytest.mark.parametrize("command", ["helpdesk --help", "helpdesk status", "helpdesk config show", "helpdesk stats"])
def test_output_that_finds_no_space_is_told_in_a_sentence(tmp_path: Path, command: str) -> None:
    done = shell(tmp_path, f"{command} >/dev/full")
    assert (done.returncode, done.stderr) == (1, FULL)


@needs_full
def test_a_chat_whose_answers_find_no_space_ends_with_the_same_sentence(tmp_path: Path) -> None:
    done = shell(tmp_path, "echo /who | helpdesk chat >/dev/full")
    assert (done.returncode, done.stderr) == (1, FULL)


def test_what_nobody_could_see_has_not_worked(tmp_path: Path) -> None:
    done = shell(tmp_path, "helpdesk status >&-")
    assert done.returncode == 1
    assert done.stderr.startswith("The output cannot be written (")


def test_a_reader_that_has_heard_enough_gets_no_complaint(tmp_path: Path) -> None:
    assert shell(tmp_path, "helpdesk --help | true").stderr == ""


@pytest.mark.parametrize("errors", ["2>&-", pytest.param("2>/dev/full", marks=needs_full)])
def test_an_answer_is_worth_having_where_errors_cannot_be_shown(tmp_path: Path, errors: str) -> None:
    done = shell(tmp_path, f"helpdesk status {errors}")
    assert done.returncode == 0
    assert done.stdout.startswith(f"data:  {tmp_path}\n")


@pytest.mark.parametrize("errors", ["2>&-", pytest.param("2>/dev/full", marks=needs_full)])
def test_the_exit_code_says_what_the_error_could_not(tmp_path: Path, errors: str) -> None:
    assert shell(tmp_path, f"helpdesk dance {errors}").returncode == 2


def test_a_closed_input_is_an_empty_one(tmp_path: Path) -> None:
    assert shell(tmp_path, "helpdesk chat <&-").returncode == 0
    asked = shell(tmp_path, "helpdesk ask - <&-")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "メッセージが空でした" in asked.stderr


@pytest.mark.parametrize("where", ["", "LC_ALL=C PYTHONUTF8=0 "])
def test_without_a_locale_the_chat_keeps_its_languages(tmp_path: Path, where: str) -> None:
    done = shell(tmp_path, f"printf '/who\\nلا أستطيع الدخول\\nMy VPN is down\\n' | {where}helpdesk chat --lang ja")
    who, arabic, english = done.stdout.strip().split("\n\n")
    assert "話しています" in who
    assert arabic.startswith("確認中: ")
    assert english.startswith("Still open: I could not find that")


def test_with_all_streams_closed_nothing_meant_for_people_gets_into_the_database(tmp_path: Path) -> None:
    assert shell(tmp_path, "helpdesk status <&- >&- 2>&-").returncode == 1
    assert shell(tmp_path, "helpdesk status").returncode == 0
