"""The settings of limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.limits import LimitSettings
from config.loader import load_settings
from config.problems import ConfigProblems


def loaded(tmp_path: Path, text: str) -> LimitSettings:
    file = tmp_path / "desk.yaml"
    file.write_text(f"limits:\n{text}", encoding="utf-8")
    return load_settings(file, {}).limits


def test_nobody_who_types_meets_a_limit_and_tokens_have_none() -> None:
    limits = load_settings(None, {}).limits
    assert (limits.person_messages_a_minute, limits.channel_messages_a_minute) == (20, 120)
    assert (limits.tokens_a_day, limits.person_tokens_a_day) == (None, None)


def test_limits_are_taken_from_the_file(tmp_path: Path) -> None:
    text = "  person_messages_a_minute: 5\n  tokens_a_day: 2000000\n  person_tokens_a_day: 50000\n"
    expected = LimitSettings(person_messages_a_minute=5, tokens_a_day=2_000_000, person_tokens_a_day=50_000)
    assert loaded(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("person_messages_a_minute: 0", "desk.yaml:2: limits.person_messages_a_minute: must be 1 or more"),
        ("channel_messages_a_minute: 1.5", "must be a whole number"),
        ("channel_messages_a_minute: true", "must be a number"),
        ("tokens_a_day: 0", "limits.tokens_a_day: must be 1 or more"),
        ("tokens_a_day: true", "must be a number"),
        ("tokens_a_day: many", "must be a whole number"),
        ("tokens_per_day: 5", "did you mean"),
        ("{tokens_a_day: 10, person_tokens_a_day: 11}", "must be no more than `limits.tokens_a_day`, which is 10"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigProblems) as caught:
        loaded(tmp_path, f"  {text}\n")
    assert problem in "\n".join(map(str, caught.value.problems))
