"""Configuration files that repeat themselves: keys written twice, and aliases of aliases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_config import problems_of


def test_a_branch_that_is_written_twice_hides_no_other_mistake(tmp_path: Path) -> None:
    text = "recall: {max_episodes: 0}\nbot: {nmae: x}\nrecall: {mode: fast}\nbot: {time_zone: Nowhere}\n"
    assert [problem.split(": ")[:2] for problem in problems_of(text, tmp_path)] == [
        ["desk.yaml:1", "recall.max_episodes"],
        ["desk.yaml:2", "bot.nmae"],
        ["desk.yaml:3", "recall"],
        ["desk.yaml:3", "recall.mode"],
        ["desk.yaml:4", "bot"],
        ["desk.yaml:4", "bot.time_zone"],
    ]


def test_a_value_that_is_written_twice_is_checked_all_the_same(tmp_path: Path) -> None:
    twice, wrong = sorted(problems_of("recall:\n  max_episodes: 0\n  max_episodes: 8\n", tmp_path), reverse=True)
    assert twice == "desk.yaml:3: recall.max_episodes: is written twice, first in line 2; delete one of the two"
    assert wrong == "desk.yaml:2: recall.max_episodes: must be 1 or more (found: 0)"


def test_a_number_longer_than_any_is_refused_plainly(tmp_path: Path) -> None:
    assert problems_of(f"recall:\n  max_episodes: {'9' * 5000}\n", tmp_path) == [
        "desk.yaml:2: recall.max_episodes: must be a smaller number"
    ]


@pytest.mark.parametrize(("levels", "repeated", "line"), [(9, 9, 6), (60, 1, 21)])
def test_aliases_of_aliases_end_in_a_sentence(levels: int, repeated: int, line: int, tmp_path: Path) -> None:
    # Nine of nine of nine …: the sixth line stands for 9 + 81 + … + 59,049 values. The twenty-first lies 21 deep.
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * repeated)}]\n" for n in range(1, levels)]
    [found] = problems_of(f"a0: &a0 [x]\n{''.join(lines)}", tmp_path)
    assert found == f"desk.yaml:{line}: a{line - 1}: aliases (*name) stand for too much here; write out what is meant"
