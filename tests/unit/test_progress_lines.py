"""Progress where no bar can be drawn: few lines, never many at once."""

from __future__ import annotations

from bot.progress_lines import ProgressLines
from bot.telling import Step


def shown(*steps: Step, seconds_a_step: float) -> list[str]:
    """The lines for these steps, each of which takes so long."""
    lines: list[str] = []
    now = [0.0]
    progress = ProgressLines(lines.append, lambda: now[0])
    for step in steps:
        now[0] += seconds_a_step
        progress.told(step)
    return lines


def asking(total: int) -> list[Step]:
    return [Step(what="asking", done=done, total=total) for done in range(1, total + 1)]


def test_slow_work_is_told_of_at_each_tenth() -> None:
    told = shown(*asking(2_000), seconds_a_step=3)
    assert told[0] == "asking: 200 of 2,000 (10 %)"
    assert told[-1] == "asking: 2,000 of 2,000 (100 %)"
    assert len(told) == 10


def test_of_few_and_slow_steps_each_is_told() -> None:
    assert shown(*asking(3), seconds_a_step=60) == [
        "asking: 1 of 3 (33 %)",
        "asking: 2 of 3 (66 %)",
        "asking: 3 of 3 (100 %)",
    ]


def test_quick_work_is_done_without_a_word() -> None:
    assert shown(*asking(40), seconds_a_step=0.1) == []


def test_lines_are_seconds_apart_however_quickly_tenths_pass() -> None:
    """Ten seconds in all have room for two."""
    assert shown(*asking(80), seconds_a_step=0.125) == ["asking: 40 of 80 (50 %)", "asking: 80 of 80 (100 %)"]


def test_where_nobody_knows_how_much_there_is_what_is_done_is_told() -> None:
    steps = [Step(what="reading", done=1_000 * count) for count in range(1, 5)]
    assert shown(*steps, seconds_a_step=3) == ["reading: 2,000", "reading: 4,000"]


def test_each_piece_of_work_is_counted_by_itself() -> None:
    steps = [Step(what="reading", done=5, total=5), Step(what="remembering", done=1, total=5)]
    assert shown(*steps, seconds_a_step=9) == ["reading: 5 of 5 (100 %)", "remembering: 1 of 5 (20 %)"]
