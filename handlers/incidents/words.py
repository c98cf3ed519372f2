"""How an incident is spoken of: by its ticket, and by what everybody may read."""

from __future__ import annotations

from handlers.characters import one_line
from handlers.wording_incidents import IncidentWords
from memory.incidents import Incident, Phase

_TITLE = 80


def about(incident: Incident, words: IncidentWords) -> str:
    """The ticket and what it is about."""
    title = one_line(incident.title, _TITLE) or words.untitled
    return words.about.format(ticket=incident.ticket, title=title) if incident.ticket else title


def notice_line(incident: Incident, words: IncidentWords) -> str:
    """What stands over the answer of somebody who reports it, too."""
    pattern = words.confirmed if incident.phase is Phase.CONFIRMED else words.suspected
    return pattern.format(about=about(incident, words))


def end_line(incident: Incident, words: IncidentWords) -> str:
    """What a subscriber is told."""
    pattern = words.dismissed if incident.phase is Phase.DISMISSED else words.over
    return pattern.format(about=about(incident, words))
