"""A short part of what `make chaos` does for longer: load while things fail, and payloads that nobody meant to send."""

from __future__ import annotations

from pathlib import Path

from bench.chaos.fuzz import configs, payloads
from bench.chaos.load import Load, measure


async def test_while_things_fail_each_message_is_answered_once_and_nobody_reads_what_another_wrote(
    tmp_path: Path,
) -> None:
    """The process is killed, its connection breaks, the database is locked. What Slack tells again comes late: which of
    two answers stands first is not asked."""
    told: list[str] = []
    load = Load(seconds=12, people=6, rate=2, every=3, seed=7)
    figures = await measure(tmp_path, load, tell=told.append)
    assert [line.split()[-1] for line in told] == ["killed", "broken_off", "database_locked", "model_dead"]
    assert (figures.outcome.lost, figures.outcome.doubled, figures.leaked) == (0, 0, 0)
    assert (figures.messages, figures.starts, figures.kept) == (24, 2, True)


def test_no_payload_and_no_configuration_is_unforeseen() -> None:
    assert payloads(3000, seed=11) == []
    assert configs(100, seed=11) == []
