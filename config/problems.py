"""What is wrong with a configuration, said so that the admin can mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: The names that lead to a setting, and positions in lists: ("access", "agents", 0).
SettingPath = tuple[str | int, ...]


def dotted(path: SettingPath) -> str:
    """The path as people write it: access.agents[0]."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One mistake: in which file and line (from 1; None where the file has none), at which setting, and what to do."""

    file: str
    line: int | None
    path: SettingPath
    sentence: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, dotted(self.path), self.sentence) if part)


class ConfigProblems(Exception):
    """The configuration has mistakes: `problems` holds all of them, in the order of the file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line or 0, dotted(problem.path))))
        super().__init__("\n".join(str(problem) for problem in self.problems))
