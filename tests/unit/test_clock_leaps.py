"""A clock that goes back a day or forward a month: nothing is deleted early, and nothing stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot.application import Application
from bot.jobs import Outcome
from bot.scheduler import keep_time
from bot.telling import unheard
from bot.use_cases import perform
from config.limits import LimitSettings
from handlers.claims import Claims
from handlers.pace import Pace, Windows
from handlers.ports import by_nobody
from handlers.wordings import SHIPPED
from memory.audit_log import AuditEntry, AuditKind
from memory.model import Turn
from memory.stores.in_memory_words import InMemoryLeases
from memory.text.language import LanguageCode
from tests.fakes.small_application import small_application
from tests.fakes.turns import NOON, turn

DAY, MONTH = timedelta(days=1), timedelta(days=31)


class Watch:
    """A clock that is put where a test wants it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


# --- leases -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leap", [-DAY, -MONTH])
async def test_what_a_dead_process_held_is_free_soon_though_the_clock_was_put_back(leap: timedelta) -> None:
    leases, watch = InMemoryLeases(), Watch()
    assert await leases.acquire("reply t1", "dead", watch.now, 60)
    watch.now += leap
    async with Claims(leases, watch).claimed("t1") as mine:
        assert mine


@pytest.mark.parametrize("leap", [-DAY, MONTH])
async def test_who_lives_has_its_lease_again_with_the_next_renewal_and_nobody_else_then(leap: timedelta) -> None:
    leases, watch = InMemoryLeases(), Watch()
    assert await leases.acquire("flush", "alive", watch.now, 60)
    watch.now += leap
    assert await leases.acquire("flush", "alive", watch.now, 60)
    assert not await leases.acquire("flush", "other", watch.now, 60)


# --- jobs -------------------------------------------------------------------------------------------------------------


async def no_work() -> None:
    pass


@pytest.fixture
async def scheduler() -> AsyncIterator[AsyncIOScheduler]:
    scheduler = AsyncIOScheduler(timezone=ZoneInfo("UTC"))
    scheduler.start(paused=True)
    yield scheduler
    scheduler.shutdown(wait=False)


@pytest.mark.parametrize(
    ("leap", "due_in"), [(-DAY, timedelta(0)), (-timedelta(seconds=30), timedelta(seconds=70)), (MONTH, 40 * -DAY)]
)
async def test_a_job_is_due_within_its_interval_wherever_the_clock_is_put(
    scheduler: AsyncIOScheduler, leap: timedelta, due_in: timedelta
) -> None:
    now = datetime.now(UTC)
    trigger = IntervalTrigger(seconds=60, timezone=UTC)
    scheduler.add_job(no_work, trigger, id="flush", next_run_time=now + timedelta(seconds=40))
    keep_time(scheduler, now + leap)
    [job] = scheduler.get_jobs()
    if due_in < timedelta(0):
        assert job.next_run_time == now + timedelta(seconds=40), "overdue: the scheduler runs it by itself"
    else:
        assert job.next_run_time == now + leap + due_in


# --- retention --------------------------------------------------------------------------------------------------------


@pytest.fixture
async def desk(tmp_path: Path) -> tuple[Application, Watch]:
    """A desk that has remembered one message, and on which something was done every day since, for sixty days."""
    watch = Watch()
    app = small_application(tmp_path, watch)
    await app.store.writing.record([turn(1)])
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    for _ in range(60):
        watch.now += DAY
        await app.store.audit.append(AuditEntry(kind=AuditKind.ANSWERED, at=watch.now))
    return app, watch


async def expired(app: Application) -> int:
    """How many turns went; a run that waits deletes none."""
    run = await app.jobs.scheduled("retention")
    assert run.outcome in (Outcome.DONE, Outcome.WAITING)
    return run.counts.get("turns", 0)


async def test_what_is_past_its_time_goes_on_a_desk_in_use(desk: tuple[Application, Watch]) -> None:
    app, watch = desk
    for _ in range(31):
        watch.now += DAY
        await app.store.audit.append(AuditEntry(kind=AuditKind.ANSWERED, at=watch.now))
    assert await expired(app) == 1


async def test_a_clock_that_leaps_a_month_deletes_nothing_early_though_answers_go_on(
    desk: tuple[Application, Watch],
) -> None:
    app, watch = desk
    right = watch.now
    watch.now += MONTH
    await app.store.audit.append(AuditEntry(kind=AuditKind.ANSWERED, at=watch.now))
    assert await expired(app) == 0
    watch.now = right + DAY
    assert await expired(app) == 0
    assert (await app.store.writing.counts())["turns"] == 1


async def test_after_a_leap_that_was_put_right_retention_goes_on_in_its_time(desk: tuple[Application, Watch]) -> None:
    app, watch = desk
    right = watch.now
    watch.now += MONTH
    assert await expired(app) == 0
    watch.now = right
    for _ in range(30):
        watch.now += DAY
        await app.store.audit.append(AuditEntry(kind=AuditKind.ANSWERED, at=watch.now))
        assert await expired(app) == 0
    watch.now += DAY
    assert await expired(app) == 1


async def test_a_desk_on_which_nothing_was_done_for_a_month_deletes_with_the_second_look(
    desk: tuple[Application, Watch],
) -> None:
    app, watch = desk
    watch.now += MONTH
    assert await expired(app) == 0
    watch.now += DAY
    assert await expired(app) == 1


async def test_a_clock_that_goes_back_deletes_nothing_early_and_does_not_stop_what_is_done_by_hand(
    desk: tuple[Application, Watch],
) -> None:
    app, watch = desk
    watch.now -= DAY
    assert await expired(app) == 0
    watch.now += DAY + MONTH
    assert (await app.jobs.run("retention")).counts["turns"] == 1


# --- how fast people may write, and the hot window --------------------------------------------------------------------


@pytest.mark.parametrize("leap", [-DAY, MONTH])
async def test_who_writes_too_fast_is_never_asked_to_wait_longer_than_a_minute(leap: timedelta) -> None:
    watch = Watch()

    async def english(_: Turn) -> LanguageCode:
        return "en"

    pace = Pace(
        LimitSettings(person_messages_a_minute=1), Windows(), watch, held=by_nobody, spoken=english, wording=SHIPPED
    )
    assert await pace.refused(turn(1, "The VPN is down")) is None
    watch.now += leap
    refused = await pace.refused(turn(2, "The VPN is down"))
    assert refused is not None
    assert refused.reply is not None
    assert ("60 seconds" in refused.reply.text) is (leap < timedelta(0))
    assert ("10 seconds" in refused.reply.text) is (leap > timedelta(0))


async def test_what_waited_for_the_hot_window_is_remembered_once_whatever_the_clock_did_meanwhile(
    tmp_path: Path,
) -> None:
    watch = Watch()
    app = small_application(tmp_path, watch)
    await app.store.writing.record([turn(1)])
    watch.now -= DAY
    assert (await app.jobs.scheduled("flush")).counts.get("episodes", 0) == 0
    watch.now += DAY + MONTH
    await app.jobs.scheduled("flush")
    assert (await app.store.writing.counts())["pending"] == 0
    watch.now -= MONTH
    await app.jobs.scheduled("flush")
    assert (await app.store.writing.counts())["episodes"] == 1


async def test_a_look_that_waits_says_from_when_what_is_old_goes(desk: tuple[Application, Watch]) -> None:
    app, watch = desk
    watch.now += MONTH
    since = watch.now + timedelta(hours=20)
    await app.jobs.scheduled("retention")
    watch.now += timedelta(hours=2)
    await app.jobs.scheduled("retention")
    listed = await perform(app, "jobs list", {}, unheard)
    assert listed is not None
    [last] = [job["last"] for job in listed["jobs"] if job["name"] == "retention"]
    assert (last["outcome"], last["counts"]) == ("waiting", {})
    assert f"older than 90 days goes from {since.astimezone(UTC):%Y-%m-%d %H:%M} UTC on" in last["error"]
    watch.now = since + timedelta(minutes=1)
    assert await expired(app) == 1


async def test_a_look_where_nothing_is_old_waits_for_nothing(tmp_path: Path) -> None:
    watch = Watch()
    app = small_application(tmp_path, watch)
    await app.store.writing.record([turn(1)])
    await perform(app, "jobs run", {"name": "flush"}, unheard)
    await app.store.audit.append(AuditEntry(kind=AuditKind.ANSWERED, at=watch.now))
    run = await app.jobs.scheduled("retention")
    assert (run.outcome, run.counts) == (Outcome.DONE, {"episodes": 0, "turns": 0})
