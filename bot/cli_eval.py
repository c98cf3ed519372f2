"""`helpdesk eval`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.amounts import amount
from bot.cli_work import bars, print_json, work
from bot.places import config_path

if TYPE_CHECKING:
    from config.recall import RecallPart

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class Parts(click.ParamType["tuple[RecallPart, ...]", object]):
    """Parts of the ranking, by their names with commas between them."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[RecallPart, ...]:
        from config.recall import RecallPart

        names = [name.strip() for name in str(value).split(",")]
        known = {part.value: part for part in RecallPart}
        if unknown := [name for name in names if name not in known]:
            self.fail(f"no such part: {', '.join(unknown)}. Known are {', '.join(known)}.", param, ctx)
        return tuple(dict.fromkeys(known[name] for name in names))


@click.command("eval")
@click.argument("dataset", type=click.Choice(["locomo", "longmemeval", "own"]))
@click.argument("path", type=_FILE, required=False)
@click.option("--json", "as_json", is_flag=True, help="One object for scripts.")
@click.option("--limit", type=click.IntRange(1), help="Ask at most so many questions.")
@click.option("--sample", type=int, metavar="SEED", help="With --limit: a repeatable sample instead of the first ones.")
@click.option(
    "--log", type=click.Path(path_type=Path), metavar="FILE", help="Write every question and what came of it."
)
@click.option("--audit", type=_FILE, metavar="FILE", help="LoCoMo: questions with wrong gold.")
@click.option(
    "--without", type=Parts(), metavar="PART,...", help="Print what recall is without each of these parts, as a table."
)
def evaluate(
    dataset: str,
    path: Path | None,
    as_json: bool,
    limit: int | None,
    sample: int | None,
    log: Path | None,
    audit: Path | None,
    without: tuple[RecallPart, ...] | None,
) -> None:
    """Measure recall, answers and abstention on a DATASET at PATH.

    `own` asks your questions of the memory as it is: a CSV file with the columns `question` and `ticket` or `answer`,
    also `user` and `channel` (docs/operations.md, Questions of your own, says what they and the output mean). Without
    PATH it asks those whose answers people called helpful or put right. The others fill a memory of their own. Recall
    needs no model.
    """
    logged = str(log.absolute()) if log else None
    if path is None and dataset != "own":
        raise click.UsageError(f"{dataset} needs the PATH of its file.")
    if without:
        found = _without(dataset, path, without, limit, sample)
    elif dataset == "own" or path is None:
        own = str(path.absolute()) if path else None
        found = work("eval own", {"path": own, "limit": limit, "sample": sample, "log": logged})
    else:
        found = _measured(dataset, path, limit, sample, log, audit)
    if as_json:
        print_json(found)
    elif without:
        _show_table(found)
    else:
        _show(found)


def _measured(
    dataset: str, path: Path, limit: int | None, sample: int | None, log: Path | None, audit: Path | None
) -> Mapping[str, Any]:
    from bot.configured import configured
    from bot.measuring import measure_file

    settings = configured(config_path(os.environ), os.environ)
    with bars() as tell:
        return asyncio.run(
            measure_file(settings, dataset, path, limit=limit, sample=sample, log=log, audit=audit, tell=tell)
        )


def _without(
    dataset: str, path: Path | None, parts: tuple[RecallPart, ...], limit: int | None, sample: int | None
) -> Mapping[str, Any]:
    from bot.configured import configured
    from bot.measuring import measure_parts

    if dataset == "own" or path is None:
        raise click.UsageError("--without measures locomo and longmemeval; for your own questions set recall.without.")
    settings = configured(config_path(os.environ), os.environ)
    with bars() as tell:
        return asyncio.run(measure_parts(settings, dataset, path, parts, limit=limit, sample=sample, tell=tell))


def _show_table(found: Mapping[str, Any]) -> None:
    """One line a variant, by group at 10 for turns, by measure at 5 for sessions."""
    click.echo(f"{found['dataset']}: {amount(found['questions'], 'question')}")
    for name, recall in found["ablation"].items():
        rows, depth = (recall["turn"], "10") if "turn" in recall else (recall, "5")
        shown = "  ".join(f"{group} {_number(row[depth])}" for group, row in rows.items())
        click.echo(f"{name:<18} @{depth}  {shown}")


def _show(found: Mapping[str, Any]) -> None:
    click.echo(f"{found['dataset']}: {amount(found['questions'], 'question')} (configuration {found['config']})")
    for group, row in found["recall"].items():
        rows = row.items() if group == "turn" else [(group, row)]
        for name, depths in rows:
            shown = "  ".join(f"@{depth} {_number(value)}" for depth, value in depths.items())
            click.echo(f"recall {name:<12} {shown}")
    for name in ("f1", "abstention", "wrongly_abstained"):
        if found[name] is not None:
            click.echo(f"{name.replace('_', ' '):<19} {_number(found[name])}")
    click.echo(f"{'tokens a question':<19} {_number(found['tokens']['per_question'])}")
    click.echo(f"{'ms':<19} p50 {_number(found['ms']['p50'])}, p95 {_number(found['ms']['p95'])}")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.3f}"
