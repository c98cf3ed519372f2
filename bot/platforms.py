"""What every chat platform has in the running bot: the way to the memory, and the look for replies still owed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from bot.application import Application
from bot.desks import corrections_over, likeness_over
from bot.wiring_memory import forget_from
from handlers.acts.own import OwnRecords
from handlers.acts.pasted import ForgetOne
from handlers.acts.taken import TakenActs
from handlers.changes import Changes
from handlers.handover import CountedHandOver, HandOver, RedactedHandOver
from handlers.lanes import Lanes
from handlers.tickets.duplicates import ComparedHandOver, Duplicates
from handlers.tickets.endings import Endings
from memory.errors import StoreUnavailable
from memory.model import Turn
from memory.recall.profile import Profiles
from memory.upkeep.forget import Forget, Forgotten
from memory.upkeep.withdraw import AuditedWithdraw, Withdraw

log = structlog.get_logger()

#: How long replies under way may take when the process is told to end.
FINISH_SECONDS = 20.0
#: Clicks and commands that are seen to at the same time.
ACTS_AT_ONCE = 16
#: How often messages without a reply are looked for.
_RESUME_SECONDS = 15.0


def changes_over(app: Application) -> Changes:
    """What takes edits and deletions to the memory."""
    return Changes(
        recorder=app.store.writing,
        reading=app.store.reading,
        withdraw=AuditedWithdraw(
            Withdraw(app.store.mailbox, app.index, app.store.feedback), app.store.audit, app.clock
        ),
        redactor=app.store.redactor,
        settings=lambda: app.settings,
        clock=app.clock,
        revised=lambda turn, viewer: corrections_over(app.settings, app.clock, app.store, app.index).revised(
            turn, viewer
        ),
    )


def own_records_over(app: Application) -> OwnRecords:
    """What shows people what is theirs, and forgets it."""
    store = app.store
    return OwnRecords(
        personal=store.personal,
        tickets=store.tickets,
        lines=store.lines,
        reading=store.reading,
        profiles=Profiles(reading=store.facts, facts=app.recall.facts),
        forget=forget_over(app),
        clock=app.clock,
    )


def forget_over(app: Application) -> Forget:
    """What takes back what was said."""
    store = app.store
    return forget_from(store, Withdraw(store.mailbox, app.index, store.feedback), app.clock)


def forget_one_over(app: Application) -> ForgetOne:
    """What takes one message back for its author, who is named nowhere."""

    async def forget(turn: Turn) -> Forgotten:
        return await forget_over(app).messages([turn], [turn.id], None)

    return forget


def endings_over(app: Application) -> Endings:
    """What tells who follows a ticket how it ended."""
    return Endings(
        followers=app.store.followers,
        tickets=app.store.tickets,
        desk=lambda: app.tickets,
        access=lambda: app.settings.access,
        claims=app.claims,
        clock=app.clock,
        wording=lambda: app.desk.wording,
    )


def careful(hand_over: HandOver, app: Application) -> HandOver:
    """A platform's hook as it is used: counted, compared with what is open, and told no secrets."""
    store = app.store
    likeness = likeness_over(app.settings, store=store, index=app.index, encoder=app.encoder)
    duplicates = Duplicates(likeness=likeness, reading=store.reading, tickets=store.tickets, clock=app.clock)
    counted = CountedHandOver(hand_over, store.ledger, app.clock)
    return RedactedHandOver(ComparedHandOver(counted, duplicates), store.redactor)


def taken_over(app: Application, lanes: Lanes, platform: str) -> TakenActs:
    """What sees to it that acts on this platform are done in these lanes, whatever becomes of the process."""
    return TakenActs(app.store.acts, lanes, platform=platform, holder=app.claims.holder, clock=app.clock)


@asynccontextmanager
async def resuming(platform: str, resume: Callable[[], Awaitable[int]]) -> AsyncIterator[None]:
    """Call `resume` again and again while the context is open; it says how many messages or acts it took up. The
    first time before anything is heard: what is owed comes before what a platform tells again."""
    await _resumed(platform, resume)
    async with repeating(platform, resume, first=_RESUME_SECONDS, every=_RESUME_SECONDS):
        yield


@asynccontextmanager
async def repeating(
    platform: str, work: Callable[[], Awaitable[int]], *, first: float, every: float
) -> AsyncIterator[None]:
    """Do this again and again while the context is open, for the first time after `first` seconds; nothing waits for
    it. It says how much it found to do."""
    task = asyncio.create_task(_again_and_again(platform, work, first, every), name=f"{platform} resume")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _again_and_again(platform: str, work: Callable[[], Awaitable[int]], first: float, every: float) -> None:
    await asyncio.sleep(first)
    while True:
        await _resumed(platform, work)
        await asyncio.sleep(every)


async def _resumed(platform: str, resume: Callable[[], Awaitable[int]]) -> None:
    try:
        if owed := await resume():
            log.info("platform_resumed", platform=platform, owed=owed)
    except StoreUnavailable as error:
        log.warning("platform_not_resumed", platform=platform, error=type(error).__name__)
