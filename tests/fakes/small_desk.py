"""A few turns of an invented desk, for tests of what is said to models."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from memory.answers import Evidence
from memory.model import Conversation, Episode, Question, Role, Turn, Viewer, Visibility
from memory.scope import narrowest

TOKYO = timezone(timedelta(hours=9))
#: A Thursday.
MORNING = datetime(2026, 9, 10, 14, 5, tzinfo=TOKYO)
#: The Thursday after.
NOW = datetime(2026, 9, 17, 10, 0, tzinfo=TOKYO)


def turn(
    text: str,
    number: int = 1,
    *,
    author: str = "kaneko",
    role: Role = Role.REQUESTER,
    ticket: str = "INC-1007",
    derived: bool = False,
) -> Turn:
    """A turn of a ticket, `number` minutes after MORNING."""
    return Turn(
        conversation=Conversation(platform="test", workspace="w", channel="it-help", thread=ticket),
        ticket=ticket,
        message=str(number),
        author=author,
        role=role,
        text=text,
        said_at=MORNING + timedelta(minutes=number),
        visibility=Visibility.EVERYONE,
        requester="kaneko",
        derived=derived,
    )


def episode(*turns: Turn) -> Episode:
    """An episode of these turns."""
    return Episode(
        id=f"episode-{turns[0].ticket}",
        conversation=turns[0].conversation,
        ticket=turns[0].ticket,
        turns=turns,
        scope=narrowest(turns),
        tokens=100,
    )


def evidence(
    quote: str, day: int = 10, *, confidence: float = 0.9, ticket: str = "INC-1007", derived: bool = False
) -> Evidence:
    """A quote of that day in September 2026."""
    said = datetime(2026, 9, day, 3, 0, tzinfo=UTC)
    return Evidence(
        quote=quote,
        turn_ids=(f"turn-{ticket}-{day}",),
        refs=(f"{ticket}/{day}",),
        speaker="kaneko",
        role=Role.AGENT,
        said_from=said,
        said_to=said,
        confidence=confidence,
        episode=f"episode-{ticket}",
        ticket=ticket,
        derived=derived,
    )


def question(text: str, *, as_of: datetime | None = None) -> Question:
    """A question of tanaka's in a direct message, at NOW."""
    return Question(text=text, viewer=Viewer(user="tanaka"), now=NOW, as_of=as_of)
