"""Tickets as people work on them: opened once, changed by who may, each change a turn of the conversation."""

from __future__ import annotations

import structlog

from config.tickets import TicketSettings
from handlers.tickets.changes import change_message, change_turn, resolved, sentence
from handlers.tickets.proposals import category_of, title_of
from handlers.tickets.records import Actor, Resolution
from handlers.wording_tickets import TicketWords
from handlers.wordings import SHIPPED, Wording
from memory.errors import NotAllowed, TicketUnknown
from memory.model import Role, Turn, turn_id
from memory.ports import Clock, Reading
from memory.tickets import UNSETTLED, Draft, Step, Ticket, TicketReading, TicketWriting, next_state

log = structlog.get_logger()

#: What a requester may do with an own ticket; the rest is for support agents.
_OWN_STEPS = frozenset((Step.USER_ANSWERED, Step.RESOLVE, Step.CLOSE, Step.REOPEN))


class TicketDesk:
    """Opens tickets and takes them through their states. What a button says is never believed: the ticket is read with
    the eyes of who acts, and its state is looked at again."""

    def __init__(
        self,
        *,
        reading: Reading,
        tickets: TicketReading,
        writing: TicketWriting,
        settings: TicketSettings,
        clock: Clock,
        wording: Wording = SHIPPED,
    ) -> None:
        self._reading = reading
        self._tickets = tickets
        self._writing = writing
        self._settings = settings
        self._clock = clock
        self._wording = wording

    async def open(self, turn: str, actor: Actor, *, title: str = "") -> Ticket:
        """Make a ticket of a message that the actor may see; the same message again is the same ticket. `title` is the
        actor's own, else one is proposed. Raises TicketUnknown where there is no such message to see, StepRefused where
        the conversation has a ticket under way, StoreUnavailable."""
        said = await self._reading.turns([turn], actor.viewer, self._clock())
        if not said:
            raise TicketUnknown
        message = said[0]
        proposed = title_of(title or message.text)
        draft = Draft(turn=turn, title=proposed, category=category_of(message.text, self._settings.categories))
        name = await self._writing.open(draft, self._opening(message, actor, proposed), self._settings.prefix)
        log.info("ticket_opened", ticket=name)
        return await self.seen(name, actor)

    async def seen(self, name: str, actor: Actor) -> Ticket:
        """The ticket as the actor may see it. Raises TicketUnknown."""
        found = await self._tickets.named([name], actor.viewer)
        if not found:
            raise TicketUnknown
        return found[0]

    async def step(self, name: str, step: Step, actor: Actor, *, key: str) -> Ticket:
        """Take a step that needs no words; `key` names the act (a platform's id of the click). Raises TicketUnknown,
        NotAllowed, StepRefused, TicketMoved, StoreUnavailable."""
        ticket = await self.seen(name, actor)
        return await self._changed(ticket, step, actor, key=key, said=sentence(ticket, step, actor, self._words(actor)))

    async def ask(self, name: str, words: str, actor: Actor, *, key: str) -> Ticket:
        """Ask the requester something. Raises as `step` does."""
        ticket = await self.seen(name, actor)
        return await self._changed(ticket, Step.ASK_USER, actor, key=key, said=words)

    async def resolve(self, name: str, resolution: Resolution, actor: Actor, *, key: str) -> Ticket:
        """Resolve it, with what was learned. Raises as `step` does."""
        ticket = await self.seen(name, actor)
        said = resolved(ticket, resolution, self._words(actor))
        return await self._changed(ticket, Step.RESOLVE, actor, key=key, said=said)

    async def held(self, conversation: str, actor: Actor) -> Ticket | None:
        """The ticket of a conversation that a person has taken; while there is one the bot does not answer."""
        found = await self._tickets.of_conversation(conversation, actor.viewer)
        return next((one for one in found if one.state in UNSETTLED and one.assignee is not None), None)

    async def _changed(self, ticket: Ticket, step: Step, actor: Actor, *, key: str, said: str) -> Ticket:
        _allow(ticket, step, actor)
        if await self._done(ticket, actor, key):
            return ticket
        after = next_state(step, ticket.state)
        turn = change_turn(ticket, after, actor, key=key, now=self._clock(), owner=self._owner(step, actor), said=said)
        await self._writing.change(ticket.name, ticket.changes, turn)
        log.info("ticket_changed", ticket=ticket.name, step=step.value)
        return await self.seen(ticket.name, actor)

    async def _done(self, ticket: Ticket, actor: Actor, key: str) -> bool:
        """Whether this very act was taken down before: a platform tells every click more than once."""
        turn = turn_id(ticket.conversation, change_message(ticket, key))
        return bool(await self._reading.turns([turn], actor.viewer, self._clock()))

    def _words(self, actor: Actor) -> TicketWords:
        return self._wording.tickets(actor.language)

    def _owner(self, step: Step, actor: Actor) -> str | None:
        if step is Step.TAKE:
            return actor.name or actor.viewer.user
        return "" if step is Step.HAND_BACK else None

    def _opening(self, message: Turn, actor: Actor, title: str) -> Turn:
        return Turn(
            conversation=message.conversation,
            ticket=None,
            message=f"{message.message}-ticket",
            author=actor.viewer.user,
            speaker=actor.name or None,
            role=Role.REQUESTER if actor.viewer.user == message.requester else Role.AGENT,
            text=self._words(actor).opened.format(title=title),
            said_at=max(self._clock(), message.said_at),
            visibility=message.visibility,
            requester=message.requester,
        )


def _allow(ticket: Ticket, step: Step, actor: Actor) -> None:
    """Support agents take every step, a requester some with an own ticket. Raises NotAllowed."""
    own = actor.viewer.user == ticket.requester
    if not actor.viewer.agent and not (own and step in _OWN_STEPS):
        raise NotAllowed
