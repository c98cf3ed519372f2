"""What people do about incidents: who asked wants to hear of the end, support agents say what it is."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.incidents.desk import IncidentDesk
from handlers.incidents.records import Subscribed
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.incident_note import incident_note_at, show_incident
from handlers.slack.acts.opinions import spoken_of
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.subscribing import subscription_in
from handlers.slack.acts.telling import tell
from handlers.tickets.records import Actor
from memory.errors import IncidentSettled, IncidentUnknown
from memory.incidents import Phase

log = structlog.get_logger()


class IncidentActs:
    """Every method raises StoreUnavailable and SlackClientError. Of what a button says nothing is believed: who clicks
    below an answer must be able to read the question, and a note is read from Slack again."""

    def __init__(self, *, incidents: Callable[[], IncidentDesk], asked: Asked) -> None:
        self._incidents = incidents
        self._asked = asked

    async def subscribed(self, scene: Scene) -> None:
        """Somebody wants to hear when it is over."""
        incident, name = subscription_in(scene.acted.value or "")
        turn = await self._asked.turn(scene, name)
        known = await self._incidents().seen(incident)
        if turn is None or known is None:
            await _say(scene, scene.words.gone)
            return
        spoken = spoken_of(turn, scene)
        words = scene.wording.incidents(spoken.language)
        done = await self._incidents().subscribe(incident, scene.acted.user, turn, spoken.language)
        patterns = {Subscribed.NEW: words.subscribed, Subscribed.BEFORE: words.subscribed_before}
        await _say(scene, patterns.get(done, words.settled).format(ticket=known.ticket))

    async def confirmed(self, scene: Scene) -> None:
        """It is one known problem."""
        await self._ruled(scene, Phase.CONFIRMED)

    async def dismissed(self, scene: Scene) -> None:
        """It is several problems."""
        await self._ruled(scene, Phase.DISMISSED)

    async def ended(self, scene: Scene) -> None:
        """It is over."""
        await self._ruled(scene, Phase.OVER)

    async def _ruled(self, scene: Scene, phase: Phase) -> None:
        channel, ts = scene.acted.channel, scene.acted.message
        note = await incident_note_at(scene.here, channel, ts) if channel and ts else None
        if note is None or channel is None or ts is None:
            await _say(scene, scene.words.gone)
            return
        if not scene.agent:
            await _say(scene, scene.wording.tickets(scene.language).not_agent)
            return
        desk = self._incidents()
        actor = Actor(viewer=scene.alone, name=scene.person.name, language=scene.language)
        try:
            await desk.rule(note.incident, phase, actor)
        except (IncidentSettled, IncidentUnknown) as error:
            log.info("slack_ruling_refused", error=type(error).__name__)
            await _say(scene, scene.wording.tickets(scene.language).moved)
        # Another act may have been faster: it is shown as it stands now.
        if (incident := await desk.seen(note.incident)) is not None:
            await show_incident(scene.here, channel, ts, note, incident, scene.wording.incidents(note.language))


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))
