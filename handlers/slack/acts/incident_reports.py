"""Where an incident is reported, for those who read its note in the support team's channel of Slack."""

from __future__ import annotations

from collections.abc import Callable

from handlers.incidents.desk import IncidentDesk
from handlers.incidents.records import Reports
from handlers.slack.acts.note_words import NoteWords
from handlers.slack.address import address_of, permalink
from handlers.slack.installations import Installation
from handlers.slack.records import PLATFORM
from memory.incidents import Incident
from memory.model import Turn


class IncidentReports:
    """Looks that up anew whenever the note is written."""

    def __init__(self, *, incidents: Callable[[], IncidentDesk], words: NoteWords) -> None:
        self._incidents = incidents
        self._words = words

    async def of(self, incident: Incident, here: Installation, channel: str) -> Reports:
        """As far as this channel may see it. Raises StoreUnavailable."""

        def link(turn: Turn) -> str | None:
            where = address_of(turn.conversation)
            elsewhere = (turn.conversation.platform, where.workspace) != (PLATFORM, here.workspace)
            return None if elsewhere or where.direct else permalink(here.home, where, turn.message)

        return await self._incidents().reports(incident.id, await self._words.reader(here, channel), link)
