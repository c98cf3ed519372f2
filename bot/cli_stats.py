"""`helpdesk stats`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from bot.cli_work import print_json, work


@click.command()
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
def stats(days: int, as_json: bool) -> None:
    """Questions, answers that helped, tokens by role, the saving against reading everything, and time by stage."""
    found = work("stats", {"days": days})
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    modes = ", ".join(f"{mode} {count:,}" for mode, count in found["modes"].items())
    yield (
        f"questions    {found['questions']:,} in {found['days']} days: {found['answered']:,} answered, "
        f"{found['abstained']:,} abstained{f' ({modes})' if modes else ''}"
    )
    yield f"feedback     {found['feedback']['helpful']:,} helpful, {found['feedback']['unhelpful']:,} not helpful"
    for role, used in found["tokens"].items():
        yield f"{role:<12} {used['prompt']:,} prompt tokens ({used['cached']:,} cached), {used['completion']:,} written"
    if found["questions"]:
        yield f"per question {found['episodes_read']} episodes read"
    models = f"over the {found['by_models']:,} questions that a model has seen"
    if found["by_models"]:
        yield f"per question {found['tokens_per_question']:,} tokens, {models}"
    if found["saving"] is not None:
        everything = f"the {found['full_context_tokens']:,} tokens of reading everything"
        yield f"saving       {found['saving']:.1%} of {everything}, {models}"
    yield f"cost         {found['cost']:.4f} (reading everything: {found['full_context_cost']:.4f})"
    if found["ms"]:
        yield f"{'stage':<12} {'p50 ms':>10} {'p95 ms':>10}"
    for stage, times in found["ms"].items():
        yield f"{stage:<12} {times['p50']:>10,.1f} {times['p95']:>10,.1f}"
