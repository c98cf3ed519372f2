"""What support agents do with a ticket on its note in Teams, where the forms are part of the card."""

from __future__ import annotations

from functools import partial

from handlers.teams.acts.scenes import Scene
from handlers.teams.acts.support_notes import SupportNote, SupportNotes
from handlers.teams.address import filed
from handlers.teams.names import ASKED, CAUSE, FIX, LEARNED, SYMPTOM
from handlers.teams.pieces import MOST_WRITTEN
from handlers.tickets.records import Actor, Resolution, Shared
from handlers.tickets.steps import Click, TicketSteps
from memory.tickets import Ticket


class TeamsTicketSteps:
    """Takes steps for those who click below a note. Every method raises StoreUnavailable and as `Writes`.

    Of what a button says nothing is believed: which ticket a note is about was noted when it was written.
    """

    def __init__(self, *, notes: SupportNotes, steps: TicketSteps) -> None:
        self._notes = notes
        self._steps = steps

    async def taken(self, scene: Scene) -> None:
        """Somebody takes the ticket."""
        if click := await self._click(scene):
            await self._steps.take(click)

    async def handed_back(self, scene: Scene) -> None:
        """Somebody hands it back."""
        if click := await self._click(scene):
            await self._steps.hand_back(click)

    async def asked(self, scene: Scene) -> None:
        """The form with a question to who asked was sent off."""
        words = _filled(scene, ASKED)
        if not words:
            # Clients that know no required fields send a form off without them.
            await scene.say(scene.here.ask_missing)
        elif click := await self._click(scene):
            await self._steps.ask(click, words)

    async def resolved(self, scene: Scene) -> None:
        """The form in which it is resolved was sent off."""
        resolution = Resolution(cause=_filled(scene, CAUSE), fix=_filled(scene, FIX))
        if not resolution.fix:
            await scene.say(scene.here.fix_missing)
        elif click := await self._click(scene):
            await self._steps.resolve(click, resolution)

    async def shared(self, scene: Scene) -> None:
        """An agent approved what everybody may read of how it was solved."""
        if click := await self._click(scene):
            await self._steps.share(click, Shared(symptom=_filled(scene, SYMPTOM), learned=_filled(scene, LEARNED)))

    async def _click(self, scene: Scene) -> Click | None:
        """The click on a note; None where it was none, which is said."""
        acted = scene.acted
        note = await self._notes.at(acted.site, acted.message) if acted.message else None
        if note is None or acted.delivery is None:
            await scene.say(scene.words.gone)
            return None
        return Click(
            key=acted.delivery,
            ticket=note.ticket,
            place=filed(note.site.tenant, note.site.place, note.site.chat, note.message),
            actor=Actor(viewer=scene.alone, name=acted.called, language=scene.language),
            words=scene.wording.tickets(scene.language),
            say=scene.say,
            show=partial(self._show, scene, note),
        )

    async def _show(self, scene: Scene, note: SupportNote, ticket: Ticket) -> None:
        await self._notes.redraw(note, ticket, scene.alone)


def _filled(scene: Scene, name: str) -> str:
    """What was filled in, no longer than the form lets it be."""
    return scene.acted.inputs.get(name, "").strip()[:MOST_WRITTEN]
