"""What people do about incidents: who asked wants to hear of the end, support agents say what it is."""

from __future__ import annotations

from collections.abc import Callable

from handlers.incidents.clicks import rule, subscribe, subscription_in
from handlers.incidents.desk import IncidentDesk
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.incident_note import incident_note_at, show_incident
from handlers.slack.acts.incident_reports import IncidentReports
from handlers.slack.acts.opinions import spoken_of
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.tickets.records import Actor
from memory.incidents import Phase
from memory.model import Turn


class IncidentActs:
    """Every method raises StoreUnavailable and SlackClientError. Of what a button says nothing is believed: who clicks
    below an answer must be able to read the question, and a note is read from Slack again."""

    def __init__(self, *, incidents: Callable[[], IncidentDesk], asked: Asked, reports: IncidentReports) -> None:
        self._incidents = incidents
        self._reports = reports
        self._asked = asked

    async def subscribed(self, scene: Scene) -> None:
        """Somebody wants to hear when it is over."""
        incident, name = subscription_in(scene.acted.value or "")
        turn = await self._asked.turn(scene, name)
        said = await self._subscribe(scene, incident, turn) if turn else None
        await _say(scene, said or scene.words.gone)

    async def confirmed(self, scene: Scene) -> None:
        """It is one known problem."""
        await self._ruled(scene, Phase.CONFIRMED)

    async def dismissed(self, scene: Scene) -> None:
        """It is several problems."""
        await self._ruled(scene, Phase.DISMISSED)

    async def ended(self, scene: Scene) -> None:
        """It is over."""
        await self._ruled(scene, Phase.OVER)

    async def _subscribe(self, scene: Scene, incident: str, turn: Turn) -> str | None:
        language = spoken_of(turn, scene).language
        return await subscribe(
            self._incidents(), incident, scene.acted.user, turn, language=language, wording=scene.wording
        )

    async def _ruled(self, scene: Scene, phase: Phase) -> None:
        channel, ts = scene.acted.channel, scene.acted.message
        note = await incident_note_at(scene.here, channel, ts) if channel and ts else None
        if note is None or channel is None or ts is None:
            await _say(scene, scene.words.gone)
            return
        desk = self._incidents()
        actor = Actor(viewer=scene.alone, name=scene.person.name, language=scene.language)
        if refusal := await rule(desk, note.incident, phase, actor, scene.wording):
            await _say(scene, refusal)
        # Another act may have been faster: it is shown as it stands now.
        if (incident := await desk.seen(note.incident)) is not None:
            reports = await self._reports.of(incident, scene.here, channel)
            words = scene.wording.incidents(note.language)
            await show_incident(scene.here, channel, ts, note, incident, reports, words)


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))
