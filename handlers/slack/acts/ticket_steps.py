"""What support agents do with a ticket on its note in Slack: their clicks, and the forms that these open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from handlers.slack.acts.ask_form import ask_form, asked_in
from handlers.slack.acts.forms import opened_in_time
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.acts.resolution_form import NotePlace, place_in, resolution_form, resolution_in
from handlers.slack.acts.scenes import Scene
from handlers.slack.acts.share_form import share_form, shared_in
from handlers.slack.acts.telling import tell
from handlers.slack.acts.ticket_note import TicketNote, note_at, show_standing
from handlers.slack.looks import without_looks
from handlers.slack.records import PLATFORM
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Shared
from handlers.tickets.steps import Click, TicketSteps
from handlers.wording_tickets import TicketWords
from memory.errors import TicketUnknown
from memory.model import Conversation
from memory.tickets import Ticket


class SlackTicketSteps:
    """Takes steps for those who click below a note. Every method raises StoreUnavailable, PlatformUnavailable and
    SlackClientError.

    Of what a button says nothing is believed: the note is read from Slack, and says by its metadata which ticket it is
    about.
    """

    def __init__(self, *, tickets: Callable[[], TicketDesk], steps: TicketSteps) -> None:
        self._tickets = tickets
        self._steps = steps

    async def taken(self, scene: Scene) -> None:
        """Somebody takes the ticket."""
        if click := await _click(scene, _place(scene)):
            await self._steps.take(click)

    async def handed_back(self, scene: Scene) -> None:
        """Somebody hands it back."""
        if click := await _click(scene, _place(scene)):
            await self._steps.hand_back(click)

    async def question_wanted(self, scene: Scene) -> None:
        """Somebody wants to ask who made the request: a form is opened, while Slack lets it be."""
        await self._opened(scene, lambda place, words: ask_form(place, words, scene.words))

    async def asked(self, scene: Scene) -> None:
        """The form with the question was sent off."""
        if click := await _click(scene, place_in(scene.acted.value or "")):
            await self._steps.ask(click, asked_in(scene.acted.inputs))

    async def resolution_wanted(self, scene: Scene) -> None:
        """Somebody wants to resolve it."""
        fix = await self._last_words(scene)
        await self._opened(scene, lambda place, words: resolution_form(place, fix, words, scene.words))

    async def resolved(self, scene: Scene) -> None:
        """The form was sent off."""
        if click := await _click(scene, place_in(scene.acted.value or "")):
            await self._steps.resolve(click, resolution_in(scene.acted.inputs))

    async def sharing_wanted(self, scene: Scene) -> None:
        """Somebody wants everybody to read how it was solved: they look through the words first."""
        ticket, actor = scene.acted.value or "", _actor(scene)
        if scene.agent and not scene.known:
            # What an agent sees is not known to be nothing: it only takes longer than Slack waits.
            await _say(scene, scene.words.form_late)
            return
        try:
            learned = await self._tickets().learned(ticket, actor) if scene.agent else Shared(symptom="", learned="")
        except TicketUnknown:
            await _say(scene, scene.wording.tickets(scene.language).unknown)
            return
        await self._opened(scene, lambda place, words: share_form(place, learned, words, scene.words))

    async def shared(self, scene: Scene) -> None:
        """They approved the words."""
        if click := await _click(scene, place_in(scene.acted.value or "")):
            await self._steps.share(click, shared_in(scene.acted.inputs))

    async def _last_words(self, scene: Scene) -> str:
        """Of the ticket that the button names, as far as who clicked may see it."""
        if not scene.agent:
            return ""
        return without_looks(await self._tickets().last_words(scene.acted.value or "", _actor(scene)))

    async def _opened(self, scene: Scene, form: Callable[[NotePlace, TicketWords], Mapping[str, object]]) -> None:
        acted, words, place = scene.acted, scene.wording.tickets(scene.language), _place(scene)
        if not scene.agent or place is None or not acted.trigger_id:
            await _say(scene, scene.words.gone if scene.agent else words.not_agent)
            return
        if not await opened_in_time(scene.here, acted.trigger_id, form(place, words)):
            await _say(scene, scene.words.form_late)


async def _click(scene: Scene, place: NotePlace | None) -> Click | None:
    """The click on the note that stands at this place; None where none does, which is said."""
    key, note = scene.acted.trigger_id, await note_at(scene.here, place.channel, place.ts) if place else None
    if note is None or key is None:
        await _say(scene, scene.words.gone)
        return None
    return Click(
        key=key,
        ticket=note.ticket,
        place=_thread_of(note, scene),
        actor=_actor(scene),
        words=scene.wording.tickets(scene.language),
        say=partial(_say, scene),
        show=partial(_show, scene, note),
    )


def _thread_of(note: TicketNote, scene: Scene) -> Conversation:
    """Where the support team talks about the ticket of this note."""
    workspace = scene.here.workspace
    return Conversation(platform=PLATFORM, workspace=workspace, channel=note.channel, thread=note.ts)


def _place(scene: Scene) -> NotePlace | None:
    """The message below which somebody clicked."""
    acted = scene.acted
    return NotePlace(channel=acted.channel, ts=acted.message) if acted.channel and acted.message else None


def _actor(scene: Scene) -> Actor:
    return Actor(viewer=scene.alone, name=scene.person.name, language=scene.language)


async def _say(scene: Scene, words: str) -> None:
    await tell(scene.acted, scene.here, message(paragraph(words)))


async def _show(scene: Scene, note: TicketNote, ticket: Ticket) -> None:
    await show_standing(scene.here, note, ticket, scene.wording.tickets(note.language))
