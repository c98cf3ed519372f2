"""Facts, events and links for tests, with only what a test cares about spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory.facts import Event, Fact, Link, Undo
from memory.model import Turn
from memory.scope import narrowest
from tests.fakes.turns import NOON


def fact(
    said: Turn | Sequence[Turn],
    value: str = "Mori",
    *,
    subject: str = "VPN Gateway",
    predicate: str = "owner",
    episode: str = "A",
    valid: datetime | None = None,
    recorded: datetime | None = None,
) -> Fact:
    """What these turns say, valid and recorded from the first of them on."""
    turns = (said,) if isinstance(said, Turn) else tuple(said)
    return Fact(
        subject=subject,
        predicate=predicate,
        value=value,
        text=f"{subject}: {predicate} is {value}",
        people=("mori", "森"),
        keywords=("vpn", "接続"),
        episode=episode,
        turn_ids=tuple(turn.id for turn in turns),
        scope=narrowest(turns),
        valid_from=valid or turns[0].said_at,
        precision="minute",
        dated=valid is not None,
        recorded_at=recorded or turns[0].said_at,
        confidence=0.75,
        made_by="rules",
    )


def event(
    name: str,
    facts: Sequence[Fact],
    *,
    version: int = 1,
    keywords: Sequence[str] = ("vpn",),
    first: float = 0,
    last: float = 60,
) -> Event:
    """Of one happening from `first` to `last`, in minutes after NOON."""
    return Event(
        id=name,
        version=version,
        summary=f"summary {version}",
        people=("mori",),
        keywords=tuple(keywords),
        first_at=NOON + timedelta(minutes=first),
        last_at=NOON + timedelta(minutes=last),
        facts=tuple(fact.id for fact in facts),
        made_by="rules",
    )


def link(episode: str, other: str, strength: float = 0.5) -> Link:
    return Link(episode=episode, other=other, reason="same host", strength=strength, made_by="rules", made_at=NOON)


def undo(closed: Fact, by: Fact, minutes: float = 0) -> Undo:
    return Undo(fact=closed.id, by=by.id, who="kato", why="a mistake", at=NOON + timedelta(minutes=minutes))
