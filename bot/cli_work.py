"""What commands share: having their work done, with a bar while it lasts, and printing."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from bot.places import Place, here
from bot.progress_lines import ProgressLines
from bot.telling import Notice, Step, Tell, Told
from handlers.characters import cleaned
from memory.facts import OF_A_MOMENT

#: C1 controls, line separators, and what turns a line around; JSON writes C0 controls as numbers by itself.
_UNSEEN = re.compile("[\x7f-\x9f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff]")


def work(command: str, arguments: Mapping[str, Any]) -> Any:
    """The result of a use-case, done by the data folder's owner or here."""
    with bars() as tell:
        return asyncio.run(_asked(here(os.environ), command, arguments, tell))


async def _asked(place: Place, command: str, arguments: Mapping[str, Any], tell: Tell) -> Any:
    from bot.lifecycle import asked
    from bot.own_config import tell_of_another

    compared = asyncio.ensure_future(tell_of_another(place, os.environ, tell))
    try:
        return await asked(place, command, arguments, tell)
    finally:
        await compared


def say(text: str, *, err: bool = False) -> None:
    """Print what may hold somebody's words: nothing of it may steer the terminal or turn the line around."""
    click.echo(cleaned(text), err=err)


def days(predicate: str, since: str, until: str | None) -> str:
    """From which day to which it holds, of times in ISO form; the day alone where it happened once."""
    if until is None and predicate in OF_A_MOMENT:
        return f"{since[:10]:24}"
    return f"{since[:10]} to {until[:10] if until else '…':10}"


def print_json(value: object) -> None:
    """One object for scripts. What would steer a terminal stands there as its number, which means the same."""
    click.echo(_UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False, indent=2)))


@contextmanager
def bars() -> Iterator[Tell]:
    """Notices and progress on standard error: bars where somebody sees them, else a plain line now and then."""
    if sys.stderr.isatty():
        with _rich_bars() as tell:
            yield tell
    else:
        yield _plainly()


def _plainly() -> Tell:
    lines = ProgressLines(partial(say, err=True), time.monotonic)

    def tell(told: Told) -> None:
        if isinstance(told, Notice):
            say(told.text, err=True)
        else:
            lines.told(told)

    return tell


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
