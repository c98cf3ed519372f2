"""Facts for tests: who owns the printers, unless a test says otherwise. Days are days of September 2026, in Tokyo."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from memory.facts import Fact
from memory.model import Scope, Visibility

TOKYO = timezone(timedelta(hours=9))
EVERYONE = Scope(visibility=Visibility.EVERYONE, channel="it", requester="sato")


def day(number: int, hour: int = 0) -> datetime:
    """Midnight, or an hour, of a day of September 2026; 31 and more run on into October."""
    return datetime(2026, 9, 1, tzinfo=TOKYO) + timedelta(days=number - 1, hours=hour)


def private(requester: str) -> Scope:
    """What only this requester may see."""
    return Scope(visibility=Visibility.PRIVATE, channel="dm", requester=requester)


def fact(
    value: str,
    since: int,
    *,
    said: int | None = None,
    until: int | None = None,
    subject: str = "printers",
    predicate: str = "assignee",
    scope: Scope = EVERYONE,
    turn: str | None = None,
    made_by: str = "rules",
    dated: bool = True,
) -> Fact:
    """`value` from midnight of the day `since`, said at nine on the day `said` (the same day if None)."""
    told = day(since if said is None else said, 9)
    return Fact(
        subject=subject,
        predicate=predicate,
        value=value,
        text=f"{subject}: {value}",
        episode="episode",
        turn_ids=(turn or f"turn-{value}-{since}-{told:%d}",),
        scope=scope,
        valid_from=day(since),
        valid_to=None if until is None else day(until),
        precision="day",
        dated=dated,
        recorded_at=told,
        confidence=0.9,
        made_by=made_by,
    )
