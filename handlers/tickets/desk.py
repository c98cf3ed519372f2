"""Tickets as people work on them: opened once, changed by who may, each change a turn of the conversation."""

from __future__ import annotations

from collections.abc import Collection

import structlog

from config.tickets import TicketSettings
from handlers.ports import Recorder
from handlers.tickets.changes import (
    change_id,
    change_turn,
    opened_turn,
    owner_after,
    resolved,
    said_by_support,
    sentence,
    shared_turn,
)
from handlers.tickets.hours import back_at
from handlers.tickets.proposals import category_of, fix_of
from handlers.tickets.records import Actor, Away, Proposal, Resolution, Shared
from handlers.tickets.rights import require_allowed
from handlers.wording_tickets import TicketWords
from handlers.wordings import SHIPPED, Wording
from memory.errors import NotAllowed, StepRefused, TicketElsewhere, TicketUnknown
from memory.model import Conversation, Role, Turn, Viewer
from memory.ports import Clock, Reading
from memory.text.language import LanguageCode, detect_language
from memory.text.titles import title_of
from memory.tickets import (
    UNSETTLED,
    Draft,
    Step,
    Ticket,
    TicketReading,
    TicketWriting,
    is_resolution,
    next_state,
)

log = structlog.get_logger()

#: With these eyes it is looked whether the bot may speak; nobody is shown what they see.
_EVERYTHING = Viewer(user="", agent=True)
#: Who sees no more than everybody does.
_ANYBODY = Viewer(user="", channel="")


class TicketDesk:
    """Opens tickets and takes them through their states. What a button says is never believed: the ticket is read with
    the eyes of who acts, and its state is looked at again."""

    def __init__(
        self,
        *,
        reading: Reading,
        tickets: TicketReading,
        writing: TicketWriting,
        recorder: Recorder,
        settings: TicketSettings,
        clock: Clock,
        wording: Wording = SHIPPED,
        language: LanguageCode = "ja",
        agents: Collection[str] = (),
    ) -> None:
        """`agents` are the ids of those who may share what was learned."""
        self._reading = reading
        self._tickets = tickets
        self._writing = writing
        self._recorder = recorder
        self._settings = settings
        self._clock = clock
        self._wording = wording
        self._language = language
        self._agents = agents

    async def open(self, turn: str, actor: Actor, *, title: str = "", requester: str = "") -> Ticket:
        """Make a ticket of a message that the actor may see; the same message again is the same ticket. `title` is the
        actor's own, else the message's first sentence stands for it. `requester` is whose request it is, else that of
        the message's author. Raises TicketUnknown where there is no such message to see, StepRefused where the
        conversation has a ticket under way, StoreUnavailable."""
        message = await self.message(turn, actor)
        proposed = self.proposal(message.text)
        # Kept only where it is not the message's own words: those are read from the message as it is then.
        own = title_of(title)
        draft = Draft(turn=turn, title=None if own in ("", proposed.title) else own, category=proposed.category)
        opening = opened_turn(message, actor, requester, now=self._clock(), said=self._words(actor).opened)
        name = await self._writing.open(draft, opening, self._settings.prefix)
        log.info("ticket_opened", ticket=name)
        return await self.seen(name, actor)

    def proposal(self, words: str) -> Proposal:
        """What a message of these words would be called as a ticket."""
        return Proposal(title=title_of(words), category=category_of(words, self._settings.categories))

    async def of_message(self, turn: str, actor: Actor, *, title: str = "", requester: str = "") -> Ticket:
        """The ticket that a request is about: the one under way in its conversation, or the one that it was said in;
        where there is neither, a new one, as `open` makes it. Raises as `open` does."""
        message = await self.message(turn, actor)
        known = await self._known(message, actor)
        if known is not None:
            return known
        try:
            return await self.open(turn, actor, title=title, requester=requester)
        except StepRefused:
            # Somebody made one of another message in the same moment.
            known = await self._known(message, actor)
            if known is None:
                raise
            return known

    def away(self) -> Away | None:
        """Until when support agents do not work; None while they do."""
        back = back_at(self._settings.hours, self._clock())
        return None if back is None else Away(back=back, stand_in=self._settings.fallback_owner)

    async def seen(self, name: str, actor: Actor) -> Ticket:
        """The ticket as the actor may see it. Raises TicketUnknown."""
        found = await self._tickets.named([name], actor.viewer)
        if not found:
            raise TicketUnknown
        return found[0]

    async def last_words(self, name: str, actor: Actor) -> str:
        """What support said last about the ticket that may have helped, other than to change it; empty where it said
        nothing. Raises StoreUnavailable."""
        said = await self._reading.named(name, actor.viewer, self._clock())
        return fix_of([one.text for one in said if said_by_support(one) and one.status is None and one.ticket])

    async def said(self, ticket: Ticket, actor: Actor, *, key: str) -> str:
        """What the ticket's conversation says of an act that was done. Raises StoreUnavailable."""
        found = await self._reading.turns([change_id(ticket, key)], actor.viewer, self._clock())
        return found[0].text if found else ""

    async def step(self, name: str, step: Step, actor: Actor, *, key: str) -> Ticket:
        """Take a step that needs no words; `key` names the act (a platform's id of the click). Raises TicketUnknown,
        NotAllowed, StepRefused, TicketMoved, StoreUnavailable."""
        return await self.step_from(await self.seen(name, actor), step, actor, key=key)

    async def step_from(self, ticket: Ticket, step: Step, actor: Actor, *, key: str) -> Ticket:
        """The same from how the actor saw the ticket: TicketMoved where it has changed since."""
        return await self._changed(ticket, step, actor, key=key, said=sentence(ticket, step, actor, self._words(actor)))

    async def has(self, ticket: Ticket, actor: Actor) -> bool:
        """Whether it is the actor who has it, also under another name than when they took it. Raises
        StoreUnavailable."""
        if ticket.assignee in (None, actor.called):
            return ticket.assignee is not None
        history = await self._tickets.history(ticket.name, actor.viewer)
        given = [one.author for one in history if one.assignee == ticket.assignee]
        return given[-1:] == [actor.viewer.user]

    async def ask(self, name: str, words: str, actor: Actor, *, key: str) -> Ticket:
        """Ask the requester something. Raises as `step` does."""
        ticket = await self.seen(name, actor)
        return await self._changed(ticket, Step.ASK_USER, actor, key=key, said=words)

    async def resolve(self, name: str, resolution: Resolution, actor: Actor, *, key: str) -> Ticket:
        """Resolve it, with what was learned. Raises as `step` does."""
        return await self._resolved(name, Step.RESOLVE, resolution, actor, key)

    async def learn(self, name: str, resolution: Resolution, actor: Actor, *, key: str) -> Ticket:
        """Say of a resolved ticket what was learned, where that comes later, or otherwise. Raises as `step` does."""
        return await self._resolved(name, Step.LEARN, resolution, actor, key)

    async def reopen(self, ticket: Ticket, actor: Actor, *, key: str) -> Ticket:
        """Have it come back, as it is not solved. Raises as `step_from` does."""
        said = self._wording.comebacks(actor.language).unsolved.format(ticket=ticket.name)
        return await self._changed(ticket, Step.REOPEN, actor, key=key, said=said)

    async def same(self, name: str, other: str, actor: Actor, *, key: str) -> Ticket:
        """Close it: it is about the same as another one that is under way and that the actor may see. The other one.
        Raises as `step` does, also where the actor does not see the other one."""
        ticket, same = await self.seen(name, actor), await self.seen(other, actor)
        if same.name == ticket.name or same.state not in UNSETTLED:
            raise StepRefused
        said = self._words(actor).closed_same.format(ticket=ticket.name, other=same.name)
        await self._changed(ticket, Step.CLOSE, actor, key=key, said=said)
        return same

    async def learned(self, name: str, actor: Actor) -> Shared:
        """What could be shared of a resolved ticket, for the actor to look through: its title, where everybody reads
        it now, and what a support agent said when it was resolved, in an own request as well. Raises TicketUnknown,
        StoreUnavailable."""
        ticket = await self.seen(name, actor)
        public = [one.title for one in await self._tickets.named([ticket.name], _ANYBODY) if one.titled]
        return Shared(symptom="".join(public), learned="\n".join(await self._lines_learned(ticket, actor)))

    async def says(self, ticket: Ticket, resolution: Resolution, actor: Actor) -> bool:
        """Whether this is what was said last of how it was resolved. Raises StoreUnavailable."""
        said = resolved(ticket, resolution, self._words(actor))
        return await self._lines_learned(ticket, actor) == said.splitlines()[1:]

    async def share(self, name: str, shared: Shared, actor: Actor) -> None:
        """A support agent approves that everybody reads this; sharing it again changes the words. Raises TicketUnknown,
        NotAllowed, StepRefused where it is not settled or nothing is to be read, StoreUnavailable."""
        ticket = await self.seen(name, actor)
        if not actor.viewer.agent:
            raise NotAllowed
        if ticket.state in UNSETTLED or not shared.text:
            raise StepRefused
        await self._recorder.record([shared_turn(ticket, actor, shared.text, self._clock())])
        log.info("resolution_shared", ticket=ticket.name)

    async def held(self, turn: Turn) -> bool:
        """Whether a person has taken over the conversation of this turn; while it is so the bot does not answer there.
        Raises StoreUnavailable."""
        return await self.taken(turn.conversation) is not None

    async def taken(self, conversation: Conversation) -> Ticket | None:
        """The ticket with which a person has taken over this conversation. It is shown to nobody. Raises
        StoreUnavailable."""
        found = await self._tickets.of_conversation(conversation.id, _EVERYTHING)
        return next((one for one in found if one.state in UNSETTLED and one.assignee is not None), None)

    async def under_way(self, conversation: Conversation, viewer: Viewer) -> Ticket | None:
        """The ticket of this conversation in which something is still to be done, as far as the viewer sees it: what is
        asked there meanwhile is added to it. Raises StoreUnavailable."""
        return next((one for one in await self.opened_in(conversation, viewer) if one.state in UNSETTLED), None)

    async def opened_in(self, conversation: Conversation, viewer: Viewer) -> list[Ticket]:
        """The tickets that were opened in this conversation, as far as the viewer sees them, the oldest first. Raises
        StoreUnavailable."""
        return [one for one in await self._tickets.of_conversation(conversation.id, viewer) if one.ours]

    async def before(self, ticket: Ticket, viewer: Viewer) -> Ticket | None:
        """The one that the same person had there before it, None without one. Raises StoreUnavailable."""
        own = [one for one in await self.opened_in(ticket.conversation, viewer) if one.requester == ticket.requester]
        return next((one for one in reversed(own) if one.opened_at < ticket.opened_at), None)

    async def known(self, conversation: str, name: str) -> Ticket | None:
        """The ticket of this name in the conversation of this id. It is shown to nobody. Raises StoreUnavailable."""
        found = await self._tickets.of_conversation(conversation, _EVERYTHING)
        return next((one for one in found if one.name == name), None)

    async def said_by_others(self, ticket: Ticket) -> Turn | None:
        """What a person other than its requester said last of the request, and no support agent; None where nobody did.
        It is shown to nobody. Raises StoreUnavailable."""
        said = await self._reading.named(ticket.name, _EVERYTHING, self._clock())
        here = [one for one in said if one.conversation == ticket.conversation and one.status is None]
        others = [one for one in here if one.role is Role.REQUESTER and one.author != ticket.requester]
        return next((one for one in reversed(others) if not one.derived), None)

    def spoken(self, ticket: Ticket) -> LanguageCode:
        """The language of the request."""
        return self.language_of(ticket.title)

    def language_of(self, words: str) -> LanguageCode:
        """The language of these words, or the usual one."""
        return detect_language(words, self._language)

    async def _resolved(self, name: str, step: Step, resolution: Resolution, actor: Actor, key: str) -> Ticket:
        ticket = await self.seen(name, actor)
        said = resolved(ticket, resolution, self._words(actor))
        return await self._changed(ticket, step, actor, key=key, said=said)

    async def _lines_learned(self, ticket: Ticket, actor: Actor) -> list[str]:
        history = await self._tickets.history(ticket.name, actor.viewer)
        told = [one.text for one in history if is_resolution(one) and self._is_agents(one)]
        return told[-1].splitlines()[1:] if told else []

    def _is_agents(self, turn: Turn) -> bool:
        return turn.role is Role.AGENT or turn.author in self._agents

    async def message(self, turn: str, actor: Actor) -> Turn:
        """A message as the actor may see it. Raises TicketUnknown where there is none, StoreUnavailable."""
        said = await self._reading.turns([turn], actor.viewer, self._clock())
        if not said:
            raise TicketUnknown
        return said[0]

    async def _known(self, message: Turn, actor: Actor) -> Ticket | None:
        found = await self._tickets.of_conversation(message.conversation.id, actor.viewer)
        under_way = next((one for one in found if one.state in UNSETTLED), None)
        return under_way or next((one for one in found if one.name == message.ticket), None)

    async def _changed(self, ticket: Ticket, step: Step, actor: Actor, *, key: str, said: str) -> Ticket:
        require_allowed(ticket, step, actor)
        if not ticket.ours:
            raise TicketElsewhere
        if await self._done(ticket, actor, key):
            return ticket
        after = next_state(step, ticket.state)
        owner = owner_after(ticket, step, actor)
        turn = change_turn(ticket, after, actor, key=key, now=self._clock(), owner=owner, said=said)
        await self._writing.change(ticket.name, ticket.changes, turn)
        log.info("ticket_changed", ticket=ticket.name, step=step.value)
        return await self.seen(ticket.name, actor)

    async def _done(self, ticket: Ticket, actor: Actor, key: str) -> bool:
        """Whether this very act was taken down before: a platform tells every click more than once."""
        return bool(await self._reading.turns([change_id(ticket, key)], actor.viewer, self._clock()))

    def _words(self, actor: Actor) -> TicketWords:
        return self._wording.tickets(actor.language)
