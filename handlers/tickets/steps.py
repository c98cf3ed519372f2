"""What support agents do with a ticket on its note, whatever the platform: take it, hand it back, ask its user, resolve
it, share what was learned. Who asked hears of it once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import structlog

from handlers.characters import one_line
from handlers.ports import Soon
from handlers.tickets.changes import change_message
from handlers.tickets.desk import TicketDesk
from handlers.tickets.note_lines import NAME
from handlers.tickets.notes import Notes
from handlers.tickets.records import Actor, Resolution, Shared
from handlers.tickets.relay import Relay
from handlers.tickets.voice import Voice
from handlers.wording_tickets import TicketWords
from memory.errors import NotAllowed, StepRefused, TicketMoved, TicketUnknown
from memory.model import Conversation
from memory.tickets import Step, Ticket, next_state, shared_place

log = structlog.get_logger()

#: So often a note is brought up to date when others change its ticket in the same moment.
_MOST_LOOKS = 3
#: What a step raises where who clicked is to hear why it was not taken.
_REFUSALS = (NotAllowed, StepRefused, TicketMoved, TicketUnknown)

#: Changes the ticket, as the actor.
_Change: TypeAlias = Callable[[Ticket, Actor], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """A click below the note on a ticket, as a platform knows it.

    `key` names the act, however often it is told. `ticket` is what the platform itself says that the note is about, and
    `place` the note's thread. `actor` speaks the language of who clicked; `say` tells that person, in these `words`,
    and `show` changes the note in its place.
    """

    key: str
    ticket: str
    place: Conversation
    actor: Actor
    words: TicketWords
    say: Callable[[str], Awaitable[None]]
    show: Callable[[Ticket], Awaitable[None]]


class TicketSteps:
    """Takes steps for those who click below a note. Every method raises StoreUnavailable, PlatformUnavailable, and what
    the click's own calls raise.

    A change goes by the key of its act: a repeat changes nothing, tells who asked if that was not done, and shows the
    note as it is to be.
    """

    def __init__(
        self, *, tickets: Callable[[], TicketDesk], relay: Relay, notes: Notes, voice: Voice, soon: Soon
    ) -> None:
        self._tickets = tickets
        self._notes = notes
        self._relay = relay
        self._voice = voice
        self._soon = soon

    async def take(self, click: Click) -> None:
        """Somebody takes the ticket; nobody takes one that somebody has."""

        async def take(ticket: Ticket, actor: Actor) -> None:
            if await self._stepped(ticket, Step.TAKE, actor, click, may=ticket.assignee is None):
                await self._relay.explained(ticket)

        await self._changed(click, take)

    async def hand_back(self, click: Click) -> None:
        """Somebody hands it back; nobody does that with what others have."""

        async def hand_back(ticket: Ticket, actor: Actor) -> None:
            await self._stepped(ticket, Step.HAND_BACK, actor, click, may=await self._tickets().has(ticket, actor))

        await self._changed(click, hand_back)

    async def ask(self, click: Click, words: str) -> None:
        """Somebody asks who made the request."""
        if not words.strip():
            await click.say(click.words.ask_missing.format(ticket=click.ticket))
            return

        async def ask(ticket: Ticket, actor: Actor) -> None:
            await self._relay.ask(ticket, words, actor, key=click.key)
            await self._relay.explained(ticket)

        await self._changed(click, ask)

    async def resolve(self, click: Click, resolution: Resolution) -> None:
        """Somebody says what helped."""
        if not resolution.fix.strip():
            await click.say(click.words.fix_missing.format(ticket=click.ticket))
            return

        async def resolve(ticket: Ticket, actor: Actor) -> None:
            await self._tickets().resolve(ticket.name, resolution, actor, key=click.key)
            self._soon(ticket.conversation.id)
            await self._told(ticket, actor, click.key)

        await self._changed(click, resolve)

    async def share(self, click: Click, shared: Shared) -> None:
        """Somebody approves what everybody may read of how it was solved."""
        if not shared.learned.strip():
            await click.say(click.words.learned_missing.format(ticket=click.ticket))
            return

        async def share(ticket: Ticket, actor: Actor) -> None:
            await self._tickets().share(ticket.name, shared, actor)
            self._soon(shared_place(ticket).id)
            await click.say(click.words.shared.format(ticket=ticket.name))

        await self._changed(click, share)

    async def _changed(self, click: Click, change: _Change) -> None:
        if not click.actor.viewer.agent:
            await click.say(click.words.not_agent)
            return
        try:
            ticket = await self._tickets().seen(click.ticket, click.actor)
            # A note of an older version of this program has none.
            await self._relay.lay(ticket, click.place)
            await change(ticket, replace(click.actor, language=await self._voice.language(ticket)))
        except _REFUSALS as error:
            log.info("ticket_step_refused", error=type(error).__name__)
            await click.say(await self._refusal(error, click))
        await self._bring_up_to_date(click)

    async def _stepped(self, ticket: Ticket, step: Step, actor: Actor, click: Click, *, may: bool) -> bool:
        """Whether the step was taken, now or by this very act before, and who asked has heard of it. Where who has the
        ticket leaves nothing to do, or not to them (it `may` not be taken), who clicked is told who that is."""
        if not may and not await self._tickets().said(ticket, actor, key=click.key):
            # Of one that is settled that is what there is to say.
            next_state(step, ticket.state)
            await click.say(await self._standing(ticket, click))
            return False
        await self._tickets().step_from(ticket, step, actor, key=click.key)
        await self._told(ticket, actor, click.key)
        return True

    async def _standing(self, ticket: Ticket, click: Click) -> str:
        """Who has it, in the words of who clicked."""
        words = click.words
        if ticket.assignee is None:
            return words.nobody_has.format(ticket=ticket.name)
        if await self._tickets().has(ticket, click.actor):
            return words.you_have.format(ticket=ticket.name)
        return words.somebody_has.format(ticket=ticket.name, name=one_line(ticket.assignee, NAME))

    async def _told(self, ticket: Ticket, actor: Actor, key: str) -> None:
        """Who asked hears of it."""
        if said := await self._tickets().said(ticket, actor, key=key):
            await self._voice.tell(ticket, said, change_message(ticket, key))

    async def _refusal(self, error: Exception, click: Click) -> str:
        """Why a step was not taken, in the words of who clicked."""
        words = click.words
        match error:
            case StepRefused():
                ticket = await self._tickets().seen(click.ticket, click.actor)
                return words.refused.format(ticket=ticket.name, state=words.states[ticket.state])
            case TicketMoved():
                ticket = await self._tickets().seen(click.ticket, click.actor)
                return words.moved if ticket.assignee is None else await self._standing(ticket, click)
            case NotAllowed():
                return words.not_agent
        return words.unknown

    async def _bring_up_to_date(self, click: Click) -> None:
        """Another act may have shown an older state after a newer one: the ticket is looked at again."""
        shown = -1
        for _ in range(_MOST_LOOKS):
            try:
                ticket = await self._tickets().seen(click.ticket, click.actor)
            except TicketUnknown:
                return
            if ticket.changes == shown:
                return
            await self._notes.shown(ticket, click.place, partial(click.show, ticket))
            shown = ticket.changes
