"""A desk that notices incidents, over parts in memory, and questions asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.desks import tickets_over
from config.incidents import IncidentSettings
from config.loader import load_settings
from handlers.incidents.desk import IncidentDesk
from handlers.incidents.records import Notice
from memory.index_ports import Encoder, KeyIndex
from memory.model import DIRECT, Conversation, Role, Turn, Visibility
from memory.ports import Clock
from memory.recall.likeness import Likeness
from memory.stores.in_memory_encoder import HashingEncoder
from memory.stores.in_memory_index import InMemoryIndex
from memory.stores.in_memory_words import InMemoryStore
from memory.text.glossary import NO_GLOSSARY, Glossary
from tests.fakes.turns import NOON


def incident_desk(
    store: InMemoryStore,
    clock: Clock,
    *,
    encoder: Encoder | None = None,
    index: KeyIndex | None = None,
    glossary: Glossary = NO_GLOSSARY,
    incidents: IncidentSettings | None = None,
) -> IncidentDesk:
    settings = load_settings(None, {})
    likeness = Likeness(
        reading=store.reading, index=index or InMemoryIndex(), encoder=encoder or HashingEncoder(), glossary=glossary
    )
    return IncidentDesk(
        box=store.incidents,
        likeness=likeness,
        reading=store.reading,
        recorder=store.writing,
        tickets=tickets_over(settings, clock, store),
        settings=incidents or IncidentSettings(),
        bot=settings.bot,
        clock=clock,
    )


def question(
    person: str, text: str, *, minutes: float = 0, visibility: Visibility = Visibility.EVERYONE, message: str = "1"
) -> Turn:
    """Asked in a thread of the person's own, `minutes` after NOON."""
    channel = DIRECT if visibility is Visibility.PRIVATE else "it-help"
    return Turn(
        conversation=Conversation(platform="test", workspace="w", channel=channel, thread=f"thread of {person}"),
        ticket=None,
        message=message,
        author=person,
        role=Role.REQUESTER,
        text=text,
        said_at=NOON + timedelta(minutes=minutes),
        visibility=visibility,
        requester=person,
    )


async def asked(desk: IncidentDesk, store: InMemoryStore, questions: Sequence[Turn]) -> list[Notice | None]:
    """What is noticed of each, one after the other."""
    return [await ask(desk, store, turn) for turn in questions]


async def ask(desk: IncidentDesk, store: InMemoryStore, turn: Turn) -> Notice | None:
    await store.writing.record([turn])
    return await desk.noticed(turn)


class TurnsClock:
    """A clock that shows the time of whatever was said last."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now
