"""`helpdesk stats`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bot.amounts import amount
from bot.cli_work import print_json, say, work
from memory.errors import WrongUse

_PAGE = click.Path(dir_okay=False, path_type=Path)
_LANGUAGES = click.Choice(["ja", "en"])


@click.command()
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back.")
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
@click.option("--html", type=_PAGE, metavar="FILE", help="Write a page with charts, topics and open questions.")
@click.option("--message", is_flag=True, help="The same in a few lines, for a chat.")
@click.option("--lang", type=_LANGUAGES, help="Language of page and message.  [default: bot.language]")
def stats(days: int, as_json: bool, html: Path | None, message: bool, lang: str | None) -> None:
    """Questions, answers that helped, tokens by role, the saving against reading everything, and time by stage.

    A page or a message may be shown to everybody: questions that not everybody may read are only counted in it.
    """
    if html or message:
        _report(days, html, message, lang)
        return
    found = work("stats", {"days": days})
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        click.echo(line)


def _report(days: int, html: Path | None, message: bool, lang: str | None) -> None:
    found = work("report", {"days": days, "language": lang})
    if html:
        try:
            html.write_text(found["page"], encoding="utf-8")
        except OSError as error:
            raise WrongUse(f"--html: {html} cannot be written ({error.strerror}); name another file.") from error
        click.echo(f"Written: {html}", err=True)
    if message:
        say(found["message"])


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    modes = ", ".join(f"{mode} {count:,}" for mode, count in found["modes"].items())
    yield (
        f"questions    {found['questions']:,} in {amount(found['days'], 'day')}: {found['answered']:,} answered, "
        f"{found['abstained']:,} abstained{f' ({modes})' if modes else ''}"
    )
    yield f"feedback     {found['feedback']['helpful']:,} helpful, {found['feedback']['unhelpful']:,} not helpful"
    for role, used in found["tokens"].items():
        yield f"{role:<12} {used['prompt']:,} prompt tokens ({used['cached']:,} cached), {used['completion']:,} written"
    if found["questions"]:
        yield f"per question {found['episodes_read']} episodes read"
    models = f"over the {amount(found['by_models'], 'question')} that a model has seen"
    if found["by_models"]:
        yield f"per question {amount(found['tokens_per_question'], 'token')}, {models}"
    if found["saving"] is not None:
        everything = f"the {amount(found['full_context_tokens'], 'token')} of reading everything"
        yield f"saving       {found['saving']:.1%} of {everything}, {models}"
    yield f"cost         {found['cost']:.4f} (reading everything: {found['full_context_cost']:.4f})"
    if found["ms"]:
        yield f"{'stage':<12} {'p50 ms':>10} {'p95 ms':>10}"
    for stage, times in found["ms"].items():
        yield f"{stage:<12} {times['p50']:>10,.1f} {times['p95']:>10,.1f}"
