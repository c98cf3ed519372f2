"""What people do about incidents, whatever the platform: who asked wants to hear of the end, support agents say what it
is."""

from __future__ import annotations

import structlog

from handlers.incidents.desk import IncidentDesk
from handlers.incidents.records import Subscribed
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import IncidentSettled, IncidentUnknown
from memory.incidents import Phase
from memory.model import Turn
from memory.text.language import LanguageCode

log = structlog.get_logger()

#: Ids have none.
_JOINT = " "


def subscription(incident: str, turn: str) -> str:
    """What the button says by which somebody wants to hear of an incident's end, under the answer to a turn."""
    return f"{incident}{_JOINT}{turn}"


def subscription_in(value: str) -> tuple[str, str]:
    """The incident and the turn that a button names; both are claims."""
    incident, _, turn = value.partition(_JOINT)
    return incident, turn


async def subscribe(
    desk: IncidentDesk, incident: str, person: str, turn: Turn, *, language: LanguageCode, wording: Wording
) -> str | None:
    """Somebody wants to hear below this turn when it is over: what is said to that; None where there is no such
    incident. Raises StoreUnavailable."""
    known = await desk.seen(incident)
    if known is None:
        return None
    words = wording.incidents(language)
    done = await desk.subscribe(incident, person, turn, language)
    patterns = {Subscribed.NEW: words.subscribed, Subscribed.BEFORE: words.subscribed_before}
    return patterns.get(done, words.settled).format(ticket=known.ticket)


async def rule(desk: IncidentDesk, incident: str, phase: Phase, actor: Actor, wording: Wording) -> str:
    """Somebody says what an incident is: why that was not taken down, empty where it was. Raises StoreUnavailable."""
    words = wording.tickets(actor.language)
    if not actor.viewer.agent:
        return words.not_agent
    try:
        await desk.rule(incident, phase, actor)
    except (IncidentSettled, IncidentUnknown) as error:
        log.info("ruling_refused", error=type(error).__name__)
        return words.moved
    return ""
