"""What support agents do with a ticket on its note: take it, hand it back, resolve and share it. Who asked hears of it
once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog

from handlers.teams.acts.scenes import Scene
from handlers.teams.acts.support_notes import SupportNote, SupportNotes
from handlers.teams.errand import Errand, Writes
from handlers.teams.message import plain_message
from handlers.teams.names import CAUSE, FIX, LEARNED, SYMPTOM
from handlers.teams.pieces import MOST_WRITTEN
from handlers.teams.recent import Recent
from handlers.teams.records import Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.tickets import clicks
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Resolution, Shared
from memory.errors import DeliveryUnknown, PlatformRefused, TicketUnknown
from memory.text.language import LanguageCode, detect_language
from memory.tickets import Step, Ticket

log = structlog.get_logger()

#: So often a note is brought up to date when others change its ticket in the same moment.
_MOST_LOOKS = 3

#: Changes the ticket, as the actor, by the name of the act.
_Change: TypeAlias = Callable[[Ticket, Actor, str], Awaitable[object]]


class TicketSteps:
    """Takes steps for those who click below a note. Every method raises StoreUnavailable and as `Writes`.

    Of what a button says nothing is believed: which ticket a note is about was noted when it was written. `told` notes
    of which changes who asked has heard.
    """

    def __init__(
        self,
        *,
        tickets: Callable[[], TicketDesk],
        notes: SupportNotes,
        writes: Writes,
        sites: Sites,
        rules: Rules,
        told: Recent,
    ) -> None:
        self._tickets = tickets
        self._notes = notes
        self._writes = writes
        self._sites = sites
        self._rules = rules
        self._told = told

    async def taken(self, scene: Scene) -> None:
        """Somebody takes the ticket."""
        await self._clicked(scene, Step.TAKE)

    async def handed_back(self, scene: Scene) -> None:
        """Somebody hands it back."""
        await self._clicked(scene, Step.HAND_BACK)

    async def resolved(self, scene: Scene) -> None:
        """The form below the note was sent off."""
        resolution, desk = _resolution(scene), self._tickets()
        if not resolution.fix:
            # Clients that know no required fields send the form off without it.
            await scene.say(scene.here.fix_missing)
            return

        async def change(ticket: Ticket, actor: Actor, key: str) -> None:
            await desk.resolve(ticket.name, resolution, actor, key=key)

        await self._changed(scene, change)

    async def shared(self, scene: Scene) -> None:
        """An agent approved what everybody may read of how it was solved."""
        inputs, words = scene.acted.inputs, scene.wording.tickets(scene.language)
        symptom, learned = (inputs.get(name, "")[:MOST_WRITTEN] for name in (SYMPTOM, LEARNED))

        async def share(ticket: Ticket, actor: Actor, key: str) -> None:
            await self._tickets().share(ticket.name, Shared(symptom=symptom, learned=learned), actor)
            await scene.say(words.shared.format(ticket=ticket.name))

        await self._changed(scene, share)

    async def _clicked(self, scene: Scene, step: Step) -> None:
        async def change(ticket: Ticket, actor: Actor, key: str) -> None:
            await clicks.take_step(self._tickets(), ticket, step, actor, key=key)

        await self._changed(scene, change)

    async def _changed(self, scene: Scene, change: _Change) -> None:
        acted, key, words = scene.acted, scene.acted.delivery, scene.wording.tickets(scene.language)
        note = await self._notes.at(acted.site, acted.message) if acted.message else None
        if note is None or key is None:
            await scene.say(scene.words.gone)
            return
        if not scene.alone.agent:
            await scene.say(words.not_agent)
            return
        desk, actor = self._tickets(), _actor(scene, scene.language)
        try:
            ticket = await desk.seen(note.ticket, actor)
            site = await self._sites.of(ticket.conversation)
            actor = _actor(scene, self._spoken(ticket, site, scene))
            await change(ticket, actor, key)
        except clicks.REFUSALS as error:
            log.info("teams_step_refused", error=type(error).__name__)
            await scene.say(await clicks.refusal(error, note.ticket, desk, _actor(scene, scene.language), words))
        else:
            await self._tell_requester(scene, ticket, site, actor, key)
        await self._bring_up_to_date(scene, note)

    def _spoken(self, ticket: Ticket, site: Site | None, scene: Scene) -> LanguageCode:
        """The language in which the ticket's conversation hears of it."""
        given = self._rules.manners(site).language if site else None
        return given or detect_language(ticket.title, scene.language)

    async def _tell_requester(self, scene: Scene, ticket: Ticket, site: Site | None, actor: Actor, key: str) -> None:
        said, about = await self._tickets().said(ticket, actor, key=key), change_message(ticket, key)
        if site is None or not said or await self._told.about(site, about) is not None:
            # The bot was removed there, the change is none of the conversation, or who asked has heard of it.
            return
        errand = Errand(
            writes=self._writes,
            site=site,
            conversation=ticket.conversation,
            language=actor.language,
            wording=scene.wording,
        )
        try:
            await errand.post(plain_message(said).content)
        except (PlatformRefused, DeliveryUnknown) as error:
            # The bot may have been removed there; what was done is done, and the note shows it.
            log.warning("teams_requester_untold", error=type(error).__name__)
        await self._told.note(site, about, ticket.name)

    async def _bring_up_to_date(self, scene: Scene, note: SupportNote) -> None:
        """Another act may have shown an older state after a newer one: the ticket is looked at again."""
        actor, shown = _actor(scene, scene.language), -1
        for _ in range(_MOST_LOOKS):
            try:
                ticket = await self._tickets().seen(note.ticket, actor)
            except TicketUnknown:
                return
            if ticket.changes == shown:
                return
            try:
                await self._notes.redraw(note, ticket, scene.alone)
            except PlatformRefused as error:
                # Somebody deleted it, or Teams lets it be changed no more.
                log.warning("teams_note_unchanged", error=type(error).__name__)
                return
            shown = ticket.changes


def _actor(scene: Scene, language: LanguageCode) -> Actor:
    return Actor(viewer=scene.alone, name=scene.acted.called, language=language)


def _resolution(scene: Scene) -> Resolution:
    """What was filled in, no longer than the form lets it be."""
    cause, fix = (scene.acted.inputs.get(name, "").strip()[:MOST_WRITTEN] for name in (CAUSE, FIX))
    return Resolution(cause=cause, fix=fix)
