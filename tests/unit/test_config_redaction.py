"""The settings of redaction: an administrator's patterns are checked before they are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.loader import load_settings
from config.problems import ConfigProblems


def problems(tmp_path: Path, patterns: str) -> str:
    file = tmp_path / "desk.yaml"
    file.write_text(f"redaction:\n  card: false\n  patterns:\n    {patterns}\n", encoding="utf-8")
    with pytest.raises(ConfigProblems) as refused:
        load_settings(file, {})
    return str(refused.value)


def test_patterns_are_taken_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text("redaction:\n  patterns: {staff-card: 'SC-\\d{8}'}\n", encoding="utf-8")
    assert load_settings(file, {}).redaction.patterns == {"staff-card": r"SC-\d{8}"}


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ("staff: 'SC-('", "must be a regular expression as RE2 reads them (missing ): SC-()"),
        (r"staff: '(a)\1'", "must be a regular expression as RE2 reads them"),
        ("staff: '(?=x)y'", "must be a regular expression as RE2 reads them"),
        ("staff: 'x*'", "must not match an empty text"),
        (f"staff: '{'x' * 501}'", "must have at most 500 characters"),
        ("Staff Card: 'SC'", "must be a name of 2 to 31 small letters"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_told_with_its_line(tmp_path: Path, patterns: str, said: str) -> None:
    told = problems(tmp_path, patterns)
    assert said in told
    assert "desk.yaml:4" in told
