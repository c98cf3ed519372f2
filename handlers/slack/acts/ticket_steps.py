"""What support agents do with a ticket on its note: take it, hand it back, resolve it. Who asked hears of it once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import structlog
from slack_sdk.errors import SlackApiError

from handlers.slack.acts.forms import opened_in_time
from handlers.slack.acts.once import said_once
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.resolution_form import NotePlace, place_in, resolution_form, resolution_in
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.telling import tell
from handlers.slack.acts.ticket_note import TicketNote, note_at, show_standing
from handlers.slack.address import address_of
from handlers.slack.faults import code_of
from handlers.slack.rules import Rules
from handlers.tickets import clicks
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor
from memory.errors import TicketUnknown
from memory.text.language import LanguageCode, detect_language
from memory.tickets import Step, Ticket

log = structlog.get_logger()

#: So often a note is brought up to date when others change its ticket in the same moment.
_MOST_LOOKS = 3

#: Changes the ticket, as the actor, by the name of the act.
_Change: TypeAlias = Callable[[Ticket, Actor, str], Awaitable[object]]


class TicketSteps:
    """Takes steps for those who click below a note. Every method raises StoreUnavailable and SlackClientError.

    Of what a button says nothing is believed: the note is read from Slack, and says by its metadata which ticket it is
    about. A change goes by the key of its act: a repeat changes nothing, tells who asked if that was not done, and
    shows the note as it is to be.
    """

    def __init__(self, *, tickets: Callable[[], TicketDesk], rules: Rules) -> None:
        self._tickets = tickets
        self._rules = rules

    async def taken(self, scene: Scene) -> None:
        """Somebody takes the ticket."""
        await self._clicked(scene, Step.TAKE)

    async def handed_back(self, scene: Scene) -> None:
        """Somebody hands it back."""
        await self._clicked(scene, Step.HAND_BACK)

    async def resolution_asked(self, scene: Scene) -> None:
        """Somebody wants to resolve it: a form is opened, while Slack lets it be."""
        acted, words = scene.acted, scene.wording.tickets(scene.language)
        if not scene.agent or not acted.channel or not acted.message or not acted.trigger_id:
            await _say(scene, scene.words.gone if scene.agent else words.not_agent)
            return
        fix = await self._tickets().last_words(acted.value or "", _actor(scene, scene.language))
        form = resolution_form(NotePlace(channel=acted.channel, ts=acted.message), fix, words, scene.words)
        if not await opened_in_time(scene.here, acted.trigger_id, form):
            await _say(scene, scene.words.form_late)

    async def resolved(self, scene: Scene) -> None:
        """The form was sent off."""
        resolution, desk = resolution_in(scene.acted.inputs), self._tickets()

        async def change(ticket: Ticket, actor: Actor, key: str) -> None:
            await desk.resolve(ticket.name, resolution, actor, key=key)

        await self._changed(scene, place_in(scene.acted.value or ""), change)

    async def _clicked(self, scene: Scene, step: Step) -> None:
        acted, desk = scene.acted, self._tickets()
        place = NotePlace(channel=acted.channel, ts=acted.message) if acted.channel and acted.message else None

        async def change(ticket: Ticket, actor: Actor, key: str) -> None:
            await clicks.take_step(desk, ticket, step, actor, key=key)

        await self._changed(scene, place, change)

    async def _changed(self, scene: Scene, place: NotePlace | None, change: _Change) -> None:
        words, key = scene.wording.tickets(scene.language), scene.acted.trigger_id
        note = await note_at(scene.here, place.channel, place.ts) if place else None
        if note is None or key is None:
            await _say(scene, scene.words.gone)
            return
        if not scene.agent:
            await _say(scene, words.not_agent)
            return
        try:
            ticket = await self._tickets().seen(note.ticket, _actor(scene, scene.language))
            actor = _actor(scene, self._spoken(ticket, scene))
            await change(ticket, actor, key)
        except clicks.REFUSALS as error:
            log.info("slack_step_refused", error=type(error).__name__)
            actor = _actor(scene, scene.language)
            await _say(scene, await clicks.refusal(error, note.ticket, self._tickets(), actor, words))
        else:
            await self._tell_requester(scene, ticket, await self._tickets().said(ticket, actor, key=key), key)
        await self._bring_up_to_date(scene, note)

    def _spoken(self, ticket: Ticket, scene: Scene) -> LanguageCode:
        """The language in which the ticket's conversation hears of it."""
        channel = address_of(ticket.conversation).channel
        return self._rules.of(channel).language or detect_language(ticket.title, scene.language)

    async def _tell_requester(self, scene: Scene, ticket: Ticket, said: str, key: str) -> None:
        where, told = address_of(ticket.conversation), message(paragraph(said))
        client, about = scene.here.client, change_message(ticket, key)
        try:
            if self._rules.of(where.channel).ephemeral and not where.direct:
                await client.chat_postEphemeral(
                    channel=where.channel,
                    thread_ts=where.thread,
                    user=ticket.requester,
                    text=told.text,
                    blocks=[dict(block) for block in told.blocks],
                )
            else:
                await said_once(client, where, told, about, since=where.thread)
        except SlackApiError as error:
            # The channel may be archived; what was done is done, and the note shows it.
            log.warning("slack_requester_untold", error=code_of(error))

    async def _bring_up_to_date(self, scene: Scene, note: TicketNote) -> None:
        """Another act may have shown an older state after a newer one: the ticket is looked at again."""
        words, actor, shown = scene.wording.tickets(note.language), _actor(scene, scene.language), -1
        for _ in range(_MOST_LOOKS):
            try:
                ticket = await self._tickets().seen(note.ticket, actor)
            except TicketUnknown:
                return
            if ticket.changes == shown:
                return
            await show_standing(scene.here, note, ticket, words)
            shown = ticket.changes


def _actor(scene: Scene, language: LanguageCode) -> Actor:
    return Actor(viewer=scene.alone, name=scene.person.name, language=language)


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))
