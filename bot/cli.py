"""The command line: `helpdesk`. Commands parse and render; what they do is in `bot.use_cases`.

Nothing heavy is imported before a command needs it, so that `--help` is there at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from types import TracebackType

import click

from bot.cli_ask import ask, chat
from bot.cli_audit import audit
from bot.cli_backup import backup, restore
from bot.cli_config import config
from bot.cli_demo import demo
from bot.cli_erasing import forget, holds
from bot.cli_eval import evaluate
from bot.cli_history import history, redo, rollback, undo
from bot.cli_import import import_
from bot.cli_incidents import incidents
from bot.cli_jobs import jobs, run, status
from bot.cli_knowledge import knowledge
from bot.cli_memory import memory
from bot.cli_stats import stats
from bot.cli_tickets import tickets
from bot.cli_tune import tune
from bot.cli_work import say
from bot.places import data_path, made
from bot.streams import OutputUnwritable, abandon_output, prepare
from config.problems import ConfigProblems
from memory.errors import HelpdeskError

_INTERRUPTED = 130
_WRONG_USE = 2
#: New objects between two looks for garbage, in place of Python's 700.
_LITTER = 50_000


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="helpdesk-bot", prog_name="helpdesk")
def helpdesk() -> None:
    """A helpdesk bot that remembers tickets and answers with dated, cited evidence.

    HELPDESK_CONFIG names the YAML file, HELPDESK_DATA the data folder.

    Exit codes: 0 done, 1 did not work, 2 used wrongly, 130 broken off: by Ctrl-C, SIGTERM or a no.
    """


for command in (
    chat,
    ask,
    import_,
    run,
    jobs,
    config,
    memory,
    knowledge,
    tickets,
    incidents,
    audit,
    holds,
    evaluate,
    tune,
    stats,
    backup,
    restore,
    demo,
    status,
):
    helpdesk.add_command(command)
for command in (history, undo, redo, rollback, forget):
    memory.add_command(command)


def main() -> None:
    """The entry point. Mistakes become a sentence and an exit code; what nobody foresaw goes to the log, with an id."""
    sys.excepthook = _unforeseen
    _look_for_garbage_seldom()
    # What is written from here on, tickets above all, is for nobody else on this machine.
    os.umask(0o077)
    prepare()
    sys.exit(_exit_code(sys.argv[1:]))


def _look_for_garbage_seldom() -> None:
    """While modules are loaded there is none, and what is left in the end goes with the process: looking for it takes a
    fifth of what a short command computes."""
    gc.set_threshold(_LITTER)
    atexit.register(gc.freeze)


def _exit_code(arguments: Sequence[str]) -> int:
    try:
        done = helpdesk.main(list(arguments), prog_name="helpdesk", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except OutputUnwritable as error:
        abandon_output()
        say(str(error), err=True)
        return error.exit_code
    except HelpdeskError as error:
        say(str(error), err=True)
        return error.exit_code
    except ConfigProblems as error:
        say(str(error), err=True)
        return _WRONG_USE
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read this has heard enough.
        abandon_output()
        return 1
    return done if isinstance(done, int) else 0


def _unforeseen(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Instead of a traceback: a sentence with an id, and the details in the log of the data folder."""
    from bot.logs import FILE, log_to_file, unexpected
    from config.schema import LogSettings

    folder = made(data_path(os.environ))
    log_to_file(LogSettings(level="info", format="json"), folder)
    click.echo(f"{unexpected('command_failed', error)} ({folder / FILE})", err=True)
