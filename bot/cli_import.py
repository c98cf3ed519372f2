"""`helpdesk import`."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from bot.amounts import amount
from bot.cli_work import say, work
from memory.errors import HelpdeskError, ImportIncomplete, InputRefused

#: As `bot.importers.formats.Format`.
_FORMATS = ("slack-export", "csv", "jsonl", "locomo", "longmemeval")


class NotRemembered(HelpdeskError):
    """All is recorded but not searchable yet; mend what is named above, then run `helpdesk jobs run flush`."""


class NothingImported(HelpdeskError):
    """There was nothing to import: no message was found; check that this is the right file, and whole."""


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "format_name", type=click.Choice(_FORMATS), help="[default: what the file shows]")
@click.option("--source", metavar="NAME", help="What the source is called.  [default: the file's name]")
@click.option(
    "--bot", "bots", metavar="NAME", multiple=True, help="What this bot is called in it: its words are no source."
)
def import_(path: Path, format_name: str | None, source: str | None, bots: tuple[str, ...]) -> None:
    """Take in a history from PATH and remember it. Safe to repeat: nothing is taken twice.

    The exit code is 1 when rows were bad and left out, or when there was nothing to import. A row that the same file
    replaces by a later one is a warning.
    """
    if path.is_fifo():
        raise InputRefused(f"{path} is a pipe, and a history is read more than once; write it into a file first.")
    with _saying_how_to_go_on():
        done = work("import", {"path": str(path.absolute()), "format": format_name, "source": source, "bots": bots})
    if not done["rows"]:
        raise NothingImported(
            f"There was nothing to import: no message was found in {path}; check that it is the right one, and whole."
        )
    summarise(done)
    _list("Warning: ", done["replaced"], done["unlisted_replaced"])
    _list("", done["bad"], done["unlisted"])
    if done["bad"]:
        raise ImportIncomplete
    if done["problem"]:
        raise NotRemembered


@contextmanager
def _saying_how_to_go_on() -> Iterator[None]:
    """Where it is stopped: by Ctrl-C, or by SIGTERM, which then ends it in the same order."""
    before = signal.signal(signal.SIGTERM, _as_ctrl_c)
    try:
        yield
    except KeyboardInterrupt:
        say("The import was stopped. The same command goes on where it stopped: nothing is taken twice.", err=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _as_ctrl_c(*_: object) -> None:
    """Also where a shell that runs it in the background has Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def _list(mark: str, rows: Sequence[str], unlisted: int) -> None:
    """Rows that were left out, one a line on standard error."""
    for row in rows:
        say(f"{mark}{row}", err=True)
    if unlisted:
        say(f"{mark}… and {unlisted:,} more.", err=True)


def summarise(done: Mapping[str, Any]) -> None:
    """What an import did, in two lines."""
    bad = len(done["bad"]) + done["unlisted"]
    replaced = len(done["replaced"]) + done["unlisted_replaced"]
    counted = {name: done[name] for name in ("new", "repeated", "revised")} | {"replaced": replaced, "bad": bad}
    say(f"{amount(done['rows'], 'row')}: {', '.join(f'{count:,} {name}' for name, count in counted.items())}.")
    if done["remembered"] is not None:
        flushed = done["remembered"]
        say(f"Remembered: {amount(flushed['episodes'], 'episode')}, {amount(flushed['keys'], 'key')}.")
