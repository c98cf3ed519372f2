"""What support agents do with a ticket on its note: take it, hand it back, ask its user, resolve it. Who asked hears of
it once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

import structlog
from slack_sdk.errors import SlackApiError

from handlers.slack.acts.ask_form import ask_form, asked_in
from handlers.slack.acts.once import said_once
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.resolution_form import NotePlace, place_in, resolution_form, resolution_in
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.share_form import share_form, shared_in
from handlers.slack.acts.telling import tell
from handlers.slack.acts.ticket_note import TicketNote, note_at, show_standing
from handlers.slack.address import address_of
from handlers.slack.faults import code_of
from handlers.slack.records import PLATFORM
from handlers.slack.rules import Rules
from handlers.tickets import clicks
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Shared
from handlers.tickets.relay import Relay
from handlers.wording_tickets import TicketWords
from memory.errors import TicketUnknown
from memory.model import Conversation
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
    about.
    """

    def __init__(self, *, tickets: Callable[[], TicketDesk], rules: Rules, relay: Relay) -> None:
        self._tickets = tickets
        self._rules = rules
        self._relay = relay

    async def taken(self, scene: Scene) -> None:
        """Somebody takes the ticket."""

        async def take(ticket: Ticket, actor: Actor, key: str) -> None:
            await clicks.take_step(self._tickets(), ticket, Step.TAKE, actor, key=key)
            await self._told(scene, ticket, actor, key)
            await self._relay.explained(ticket)

        await self._changed(scene, _place(scene), take)

    async def handed_back(self, scene: Scene) -> None:
        """Somebody hands it back."""

        async def hand_back(ticket: Ticket, actor: Actor, key: str) -> None:
            await clicks.take_step(self._tickets(), ticket, Step.HAND_BACK, actor, key=key)
            await self._told(scene, ticket, actor, key)

        await self._changed(scene, _place(scene), hand_back)

    async def question_wanted(self, scene: Scene) -> None:
        """Somebody wants to ask who made the request: Slack lets a form be opened for three seconds only."""
        await self._opened(scene, lambda place, words: ask_form(place, words, scene.words))

    async def asked(self, scene: Scene) -> None:
        """The form with the question was sent off."""

        async def ask(ticket: Ticket, actor: Actor, key: str) -> None:
            await self._relay.ask(ticket, asked_in(scene.acted.inputs), actor, key=key)
            await self._relay.explained(ticket)

        await self._changed(scene, place_in(scene.acted.value or ""), ask)

    async def resolution_wanted(self, scene: Scene) -> None:
        """Somebody wants to resolve it."""
        fix = await self._last_words(scene)
        await self._opened(scene, lambda place, words: resolution_form(place, fix, words, scene.words))

    async def resolved(self, scene: Scene) -> None:
        """The form was sent off."""
        resolution = resolution_in(scene.acted.inputs)

        async def resolve(ticket: Ticket, actor: Actor, key: str) -> None:
            await self._tickets().resolve(ticket.name, resolution, actor, key=key)
            await self._told(scene, ticket, actor, key)

        await self._changed(scene, place_in(scene.acted.value or ""), resolve)

    async def sharing_wanted(self, scene: Scene) -> None:
        """Somebody wants everybody to read how it was solved: they look through the words first."""
        ticket, actor = scene.acted.value or "", _actor(scene, scene.language)
        try:
            learned = await self._tickets().learned(ticket, actor) if scene.agent else Shared(symptom="", learned="")
        except TicketUnknown:
            await _say(scene, scene.wording.tickets(scene.language).unknown)
            return
        await self._opened(scene, lambda place, words: share_form(place, learned, words, scene.words))

    async def shared(self, scene: Scene) -> None:
        """They approved the words."""
        shared = shared_in(scene.acted.inputs)

        async def share(ticket: Ticket, actor: Actor, _key: str) -> None:
            await self._tickets().share(ticket.name, shared, actor)
            await _say(scene, scene.wording.tickets(scene.language).shared.format(ticket=ticket.name))

        await self._changed(scene, place_in(scene.acted.value or ""), share)

    async def _last_words(self, scene: Scene) -> str:
        """Of the ticket that the button names, as far as who clicked may see it."""
        actor = _actor(scene, scene.language)
        return await self._tickets().last_words(scene.acted.value or "", actor) if scene.agent else ""

    async def _opened(self, scene: Scene, form: Callable[[NotePlace, TicketWords], Mapping[str, object]]) -> None:
        acted, words, place = scene.acted, scene.wording.tickets(scene.language), _place(scene)
        if not scene.agent or place is None or not acted.trigger_id:
            await _say(scene, scene.words.gone if scene.agent else words.not_agent)
            return
        await scene.here.client.views_open(trigger_id=acted.trigger_id, view=dict(form(place, words)))

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
            # A note of an older version of this program has none.
            await self._relay.lay(ticket, _thread_of(note, scene))
            await change(ticket, _actor(scene, self._spoken(ticket, scene)), key)
        except clicks.REFUSALS as error:
            log.info("slack_step_refused", error=type(error).__name__)
            actor = _actor(scene, scene.language)
            await _say(scene, await clicks.refusal(error, note.ticket, self._tickets(), actor, words))
        await self._bring_up_to_date(scene, note)

    def _spoken(self, ticket: Ticket, scene: Scene) -> LanguageCode:
        """The language in which the ticket's conversation hears of it."""
        channel = address_of(ticket.conversation).channel
        return self._rules.of(channel).language or detect_language(ticket.title, scene.language)

    async def _told(self, scene: Scene, ticket: Ticket, actor: Actor, key: str) -> None:
        """Who asked hears of it."""
        said = await self._tickets().said(ticket, actor, key=key)
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


def _thread_of(note: TicketNote, scene: Scene) -> Conversation:
    """Where the support team talks about the ticket of this note."""
    workspace = scene.here.workspace
    return Conversation(platform=PLATFORM, workspace=workspace, channel=note.channel, thread=note.ts)


def _place(scene: Scene) -> NotePlace | None:
    """The message below which somebody clicked."""
    acted = scene.acted
    return NotePlace(channel=acted.channel, ts=acted.message) if acted.channel and acted.message else None


def _actor(scene: Scene, language: LanguageCode) -> Actor:
    return Actor(viewer=scene.alone, name=scene.person.name, language=language)


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))
