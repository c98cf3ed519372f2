"""What commands share: having their work done, with a bar while it lasts, and printing."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from bot.places import here
from bot.telling import Notice, Step, Tell, Told


def work(command: str, arguments: Mapping[str, Any]) -> Any:
    """The result of a use-case, done by the data folder's owner or here."""
    from bot.lifecycle import asked

    with bars() as tell:
        return asyncio.run(asked(here(os.environ), command, arguments, tell))


def print_json(value: object) -> None:
    """One object for scripts."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def bars() -> Iterator[Tell]:
    """Notices and bars on standard error; bars only where somebody sees them."""
    if sys.stderr.isatty():
        with _rich_bars() as tell:
            yield tell
    else:
        yield _notices


def _notices(told: Told) -> None:
    if isinstance(told, Notice):
        click.echo(told.text, err=True)


@contextmanager
def _rich_bars() -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    tasks: dict[str, Any] = {}
    with Progress(*columns, console=Console(stderr=True)) as progress:

        def tell(told: Told) -> None:
            if isinstance(told, Notice):
                progress.console.print(told.text, markup=False, highlight=False)
                return
            if told.what not in tasks:
                tasks[told.what] = progress.add_task(told.what, total=told.total)
            _show(told)

        def _show(step: Step) -> None:
            progress.update(tasks[step.what], completed=step.done, total=step.total)

        yield tell
