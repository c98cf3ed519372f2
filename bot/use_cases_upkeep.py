"""The memory examined, for whoever keeps the data folder."""

from __future__ import annotations

from bot.application import Application
from bot.arguments import Nothing
from bot.telling import JsonObject, Step, Tell
from bot.wiring_memory import examine_over
from memory.remember.reports import Progress
from memory.upkeep.examine import Leave

EXAMINING = "examining"


async def examine(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """What is wrong with what is stored; nothing is changed. While a flush is under way, what it is about to write may
    be missed."""

    def watch(progress: Progress) -> None:
        tell(Step(what=EXAMINING, done=progress.done, total=progress.total))

    found = await examine_over(app.store, app.index).run(Leave(), watcher=watch)
    return {"counts": dict(found.counts())}
