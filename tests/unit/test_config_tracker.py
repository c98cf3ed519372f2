"""An outside tracker in the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from config.at_start import taken_over
from config.display import show
from config.loader import load_settings
from config.problems import ConfigProblems
from config.schema import Settings
from config.tracker import TrackerWords, keys_in

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TRACKER = "tickets:\n  tracker:\n    url: https://tracker.example.com/hook\n    secret: ${SECRET}\n"


def loaded(tmp_path: Path, text: str = TRACKER, secret: str = SECRET) -> Settings:
    file = tmp_path / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, {"SECRET": secret})


def test_a_tracker_is_told_no_words_unless_somebody_says_so(tmp_path: Path) -> None:
    tracker = loaded(tmp_path).tickets.tracker
    assert tracker is not None
    assert (tracker.words, tracker.name) == (TrackerWords.NONE, "tracker")
    assert keys_in(tracker.secret)[0].hex() == "31f290f6bf06298aab4f08d43c3f082cf648a362da2da4b0"


def test_without_one_nothing_is_owed_to_any(tmp_path: Path) -> None:
    assert load_settings(None, {}).tickets.tracker is None


def test_while_a_secret_is_changed_there_are_two() -> None:
    keys = keys_in(SecretStr(f"whsec_{'A' * 32}, {SECRET}"))
    assert keys == (bytes(24), keys_in(SecretStr(SECRET))[0])


@pytest.mark.parametrize(
    ("text", "secret", "problem"),
    [
        (TRACKER.replace("https", "http"), SECRET, "must begin with https://"),
        (TRACKER.replace("${SECRET}", SECRET), SECRET, "a secret must not stand in the file"),
        (TRACKER, SECRET.removeprefix("whsec_"), "must begin with whsec_"),
        (TRACKER, "whsec_short", "must be base64 behind whsec_"),
        (TRACKER, "whsec_c2hvcnQ=", "must hold 24 to 64 bytes"),
        (TRACKER + "    words: some\n", SECRET, "words"),
        (TRACKER.split("    secret")[0], SECRET, "secret"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, text: str, secret: str, problem: str) -> None:
    with pytest.raises(ConfigProblems) as caught:
        loaded(tmp_path, text, secret)
    assert problem in "\n".join(map(str, caught.value.problems))


def test_its_secret_is_never_shown(tmp_path: Path) -> None:
    assert SECRET not in show(loaded(tmp_path))


def test_a_running_bot_keeps_its_tracker_until_it_is_started_again(tmp_path: Path) -> None:
    settings, left = taken_over(load_settings(None, {}), loaded(tmp_path, TRACKER + "  prefix: IT\n"))
    assert (settings.tickets.tracker, settings.tickets.prefix) == (None, "IT")
    assert left == ("tickets.tracker",)
