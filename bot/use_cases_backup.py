"""A backup of the database, while the bot runs."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bot.application import Application
from bot.arguments import BackUp
from bot.opening import database_address
from bot.telling import JsonObject, Step, Tell
from memory.remember.reports import Progress, Watcher

BACKING_UP = "backing up"


async def back_up_to(app: Application, given: BackUp, tell: Tell) -> JsonObject:
    """Write a backup to a file that is not there yet. Raises WrongUse, BackupFailed and StoreUnavailable."""
    from memory.stores.sql_backup import back_up

    path = Path(given.path)
    manifest = await back_up(
        database_address(app.settings, app.data),
        path,
        busy_seconds=app.settings.store.busy_seconds,
        program=program_version(),
        now=app.clock(),
        watcher=telling(tell, BACKING_UP),
    )
    return {
        "path": str(path),
        "tables": len(manifest.tables),
        "rows": manifest.rows,
        "messages": manifest.rows_of("turns"),
        "revision": manifest.revision,
    }


def telling(tell: Tell, what: str) -> Watcher:
    """A watcher that tells on how far the work of this name is."""

    def watch(progress: Progress) -> None:
        tell(Step(what=what, done=progress.done, total=progress.total))

    return watch


def program_version() -> str:
    """That of this program; "unknown" where it runs without having been installed."""
    try:
        return version("helpdesk-bot")
    except PackageNotFoundError:
        return "unknown"
