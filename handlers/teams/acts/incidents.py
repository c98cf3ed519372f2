"""What people do about incidents: who asked wants to hear of the end, support agents say what it is."""

from __future__ import annotations

from collections.abc import Callable

from handlers.incidents.clicks import rule, subscribe, subscription_in
from handlers.incidents.desk import IncidentDesk
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.incident_notes import IncidentNotes
from handlers.teams.acts.scenes import Scene
from handlers.tickets.records import Actor
from memory.incidents import Phase


class IncidentActs:
    """Every method raises StoreUnavailable and as `Writes`. Of what a button says nothing is believed: who clicks below
    an answer must be able to read the question, and about which incident a note is was noted when it was written."""

    def __init__(self, *, incidents: Callable[[], IncidentDesk], notes: IncidentNotes, asked: Asked) -> None:
        self._incidents = incidents
        self._notes = notes
        self._asked = asked

    async def subscribed(self, scene: Scene) -> None:
        """Somebody wants to hear when it is over."""
        incident, name = subscription_in(scene.acted.inputs.get("value", ""))
        turn = await self._asked.turn(scene, name)
        if turn is None:
            await scene.say(scene.words.gone)
            return
        desk, person, language = self._incidents(), scene.acted.user, scene.about(turn).language
        said = await subscribe(desk, incident, person, turn, language=language, wording=scene.wording)
        await scene.say(said or scene.words.gone)

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
        acted = scene.acted
        note = await self._notes.at(acted.site, acted.message) if acted.message else None
        if note is None:
            await scene.say(scene.words.gone)
            return
        desk, actor = self._incidents(), Actor(viewer=scene.alone, name=acted.called, language=scene.language)
        if refusal := await rule(desk, note.incident, phase, actor, scene.wording):
            await scene.say(refusal)
        # Another act may have been faster: it is shown as it stands now.
        if (incident := await desk.seen(note.incident)) is not None:
            await self._notes.redraw(note, incident)
