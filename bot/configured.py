"""The settings of this process: the file, checked with all that it must fit, also what only the upper layers know."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from config.checks import Check
from config.loader import load_settings
from config.schema import Settings
from handlers.wording_names import wording_conflicts


def configured(path: Path | None, environment: Mapping[str, str]) -> Settings:
    """The settings of this file; without one, the shipped defaults. Raises ConfigProblems with every mistake in it."""
    return load_settings(path, environment, Check(find=wording_conflicts))
