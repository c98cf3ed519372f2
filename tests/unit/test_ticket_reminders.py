"""Who is reminded of a ticket, and when; working hours count where it waits for the support team."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from config.tickets import HoursSettings, TicketSettings, Weekday
from handlers.tickets.desk import TicketDesk
from handlers.tickets.hours import worked
from handlers.tickets.records import Actor, Resolution
from handlers.tickets.reminders import Reminders
from memory.lines import Line
from memory.model import Conversation, Viewer
from memory.stores.in_memory_words import InMemoryStore
from tests.fakes.turns import NOON, turn
from tests.fakes.words import Watch

KATO = Actor(viewer=Viewer(user="kato", agent=True), name="Kato", language="en")
TOKYO = HoursSettings()
PLAIN = TicketSettings(remind_support_after_hours=4, remind_user_after_days=2)


def at(day: int, hour: float) -> datetime:
    """In November 2026, in Tokyo's time; the 20th is a Friday."""
    return datetime(2026, 11, day, tzinfo=UTC) + timedelta(hours=hour - 9)


@pytest.mark.parametrize(
    ("since", "until", "hours"),
    [
        (at(20, 10), at(20, 12.5), 2.5),
        (at(20, 6), at(20, 10), 1),
        (at(20, 17), at(20, 22), 1),
        (at(20, 19), at(23, 8), 0),
        (at(20, 17), at(23, 10), 2),
        (at(16, 0), at(23, 0), 45),
        (at(20, 12), at(20, 11), 0),
    ],
    ids=["within a day", "from before", "over the end", "a weekend", "over a weekend", "a week", "backwards"],
)
def test_only_working_hours_are_counted(since: datetime, until: datetime, hours: float) -> None:
    assert worked(TOKYO, since, until) == timedelta(hours=hours)


def test_without_hours_all_time_is_worked() -> None:
    assert worked(None, at(20, 19), at(21, 19)) == timedelta(hours=24)


def test_an_hour_that_is_left_out_in_spring_was_not_worked() -> None:
    """On 29 March 2026 the clocks in Berlin go from two to three."""
    night = HoursSettings(days=(Weekday.SUNDAY,), begins="01:00", ends="05:00", time_zone="Europe/Berlin")
    sunday = datetime(2026, 3, 29, tzinfo=UTC)
    assert worked(night, sunday - timedelta(days=1), sunday + timedelta(days=1)) == timedelta(hours=3)


# --- tickets ----------------------------------------------------------------------------------------------------------


@pytest.fixture
async def store() -> InMemoryStore:
    return InMemoryStore(clock=Watch())


def desk(store: InMemoryStore, now: datetime = NOON) -> TicketDesk:
    return TicketDesk(
        reading=store.reading,
        tickets=store.tickets,
        writing=store.ticket_writing,
        recorder=store.writing,
        settings=PLAIN,
        clock=lambda: now,
    )


async def opened(store: InMemoryStore, number: int = 1) -> None:
    """The ticket HD-`number` at noon UTC, which is in the evening in Tokyo, with a note on it."""
    message = turn(1, "VPN", ticket=None, thread=f"T{number}")
    await store.writing.record([message])
    name = (await desk(store).open(message.id, KATO)).name
    place = Conversation(platform="slack", workspace="T", channel="C", thread=name)
    await store.lines.lay(Line(ticket=name, conversation=message.conversation.id, place=place), NOON)


async def decided(store: InMemoryStore, after: timedelta, settings: TicketSettings = PLAIN) -> int:
    now = NOON + after
    reminders = Reminders(lines=store.lines, tickets=store.tickets, settings=settings, clock=lambda: now)
    return (await reminders.decide())["reminded"]


async def due(store: InMemoryStore) -> list[tuple[str, int | None]]:
    return [(line.ticket, line.reminder) for line in await store.lines.reminders("slack", 9)]


async def test_the_support_team_is_reminded_once_of_what_waits_for_it(store: InMemoryStore) -> None:
    await opened(store)
    assert await decided(store, timedelta(hours=4)) == 0
    assert await decided(store, timedelta(hours=5)) == 1
    assert await decided(store, timedelta(hours=9)) == 0
    assert await due(store) == [("HD-1", 1)]


async def test_a_night_and_a_weekend_do_not_count(store: InMemoryStore) -> None:
    """Opened on Friday at 21:00 in Tokyo: four hours are worked on Monday at 13:00, which is 64 hours later."""
    await opened(store)
    settings = PLAIN.model_copy(update={"hours": TOKYO})
    assert await decided(store, timedelta(hours=63.9), settings) == 0
    assert await decided(store, timedelta(hours=64), settings) == 1


async def test_who_was_asked_is_reminded_after_days_and_again_when_asked_again(store: InMemoryStore) -> None:
    await opened(store)
    await desk(store).ask("HD-1", "Since when?", KATO, key="1")
    assert await decided(store, timedelta(days=2)) == 0
    assert await decided(store, timedelta(days=2, hours=1)) == 1
    assert await decided(store, timedelta(days=3)) == 0
    await desk(store, NOON + timedelta(days=3)).ask("HD-1", "Still so?", KATO, key="2")
    assert await decided(store, timedelta(days=4)) == 0
    assert await decided(store, timedelta(days=6)) == 1


async def test_of_what_is_settled_nobody_is_reminded(store: InMemoryStore) -> None:
    await opened(store)
    await desk(store).resolve("HD-1", Resolution(fix="restart"), KATO, key="1")
    assert await decided(store, timedelta(days=30)) == 0


@pytest.mark.parametrize("kind", ["remind_support_after_hours", "remind_user_after_days"])
async def test_each_kind_can_be_switched_off(store: InMemoryStore, kind: str) -> None:
    await opened(store, 1)
    await opened(store, 2)
    await desk(store).ask("HD-2", "Since when?", KATO, key="1")
    assert await decided(store, timedelta(days=30), PLAIN.model_copy(update={kind: None})) == 1
    assert await due(store) == [("HD-2", 2) if kind == "remind_support_after_hours" else ("HD-1", 1)]


async def test_more_tickets_than_are_looked_at_at_once_are_all_reminded_of(store: InMemoryStore) -> None:
    for number in range(1, 104):
        await opened(store, number)
    assert await decided(store, timedelta(days=1)) == 103


def test_more_than_a_year_counts_as_a_year() -> None:
    until = at(20, 10)
    assert worked(TOKYO, until.replace(year=2000), until) == worked(TOKYO, until - timedelta(days=366), until)
