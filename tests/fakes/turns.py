"""Turns for tests, with only what a test cares about spelled out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory.model import Conversation, Role, Turn, Visibility

#: A Friday morning.
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def conversation(thread: str = "INC-1", channel: str = "it-help") -> Conversation:
    return Conversation(platform="import", workspace="test", channel=channel, thread=thread)


def turn(
    message: int | str = 1,
    text: str = "hello",
    *,
    thread: str = "INC-1",
    ticket: str | None = "INC-1",
    minutes: float = 0,
    author: str = "sato",
    role: Role = Role.REQUESTER,
    requester: str = "sato",
    visibility: Visibility = Visibility.EVERYONE,
    channel: str = "it-help",
    said_at: datetime | None = None,
    status: str | None = None,
    title: str | None = None,
    revision: int = 1,
    derived: bool = False,
) -> Turn:
    """One turn of `thread`, `minutes` after NOON."""
    return Turn(
        conversation=conversation(thread, channel),
        ticket=ticket,
        message=str(message),
        author=author,
        role=role,
        text=text,
        said_at=said_at or NOON + timedelta(minutes=minutes),
        visibility=visibility,
        requester=requester,
        status=status,
        title=title,
        revision=revision,
        derived=derived,
    )


def ticket_turns(count: int, *, thread: str = "INC-1", text: str = "hello") -> list[Turn]:
    """`count` turns of one ticket, a minute apart."""
    return [turn(n, text, thread=thread, ticket=thread, minutes=n) for n in range(1, count + 1)]
