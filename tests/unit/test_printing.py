"""What commands print: nothing that somebody wrote steers the terminal."""

from __future__ import annotations

import json

import pytest

from bot.cli_work import print_json, say


def test_a_printed_line_is_only_writing(capsys: pytest.CaptureFixture[str]) -> None:
    say("INC-1 \x1b[31mRED\x1b]0;owned\x07 \u202eabc\u202c")
    assert capsys.readouterr().out == "INC-1 RED abc\n"


def test_an_object_for_scripts_keeps_every_character_and_shows_none_that_steers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = {"text": "\x1b[31m\x9b\u202eabc\u2028だ😀"}
    print_json(found)
    printed = capsys.readouterr().out
    assert json.loads(printed) == found
    assert "だ😀" in printed
    assert not set(printed) & set("\x1b\x9b\u202e\u2028")
