"""Trouble that several people report at once: noticed when it is asked about, told of, and ended by who may."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta

import structlog

from config.incidents import IncidentSettings
from config.schema import BotSettings
from handlers.incidents.records import Notice, Reports, Subscribed
from handlers.ports import Recorder
from handlers.tickets.desk import TicketDesk
from handlers.tickets.records import Actor, Resolution
from handlers.wordings import SHIPPED, Wording
from memory.errors import HelpdeskError, NotAllowed, StepRefused, TicketMoved, TicketUnknown
from memory.incidents import Incident, IncidentBox, Phase, Ruling, Sign, Subscriber
from memory.model import Conversation, Role, Turn, Viewer, Visibility, derived_id
from memory.ports import Clock, Reading
from memory.recall.likeness import Likeness
from memory.remember.extraction.happenings import goes_wrong
from memory.text.language import LanguageCode
from memory.tickets import UNSETTLED, Step

log = structlog.get_logger()

#: How long an answer waits to learn whether others ask the same.
_SECONDS = 5.0
#: Signs that are compared with a new one, and reports by which an incident is named.
_COMPARED, _REPORTS = 256, 24
#: So many reports are shown to the support team.
_LINKED = 5
#: So many people who report an incident must report what the next one does, for that one to be told of it.
_JOINED_BY = 2
_AT_ONCE = 20
#: Where incidents have their tickets: in conversations of their own, of which everybody may read what the bot says.
_PLATFORM = "incidents"
_ENDED = {Phase.OVER: Step.RESOLVE, Phase.DISMISSED: Step.CLOSE}


class IncidentDesk:
    """Notices incidents and keeps account of them.

    Whoever asks counts, in private as well; but nothing of what people said is shown to others: an incident is called
    by names that stand where everybody may read them, or by what a support agent calls it.
    """

    def __init__(
        self,
        *,
        box: IncidentBox,
        likeness: Likeness,
        reading: Reading,
        recorder: Recorder,
        tickets: TicketDesk,
        settings: IncidentSettings,
        bot: BotSettings,
        clock: Clock,
        wording: Wording = SHIPPED,
    ) -> None:
        self._box = box
        self._likeness = likeness
        self._reading = reading
        self._recorder = recorder
        self._tickets = tickets
        self._settings = settings
        self._bot = bot
        self._clock = clock
        self._wording = wording

    async def noticed(self, turn: Turn) -> Notice | None:
        """What is to be said over the answer to a question; None where nobody else reports the same, or it was said in
        this conversation before. An answer never fails for it, and waits a fixed time at most."""
        if not self._settings.enabled or turn.role is not Role.REQUESTER or not goes_wrong(turn.text):
            return None
        try:
            async with asyncio.timeout(_SECONDS):
                return await self._noticed(turn)
        except (HelpdeskError, TimeoutError) as error:
            log.warning("incident_not_looked_for", turn=turn.id, error=type(error).__name__)
            return None

    async def _noticed(self, turn: Turn) -> Notice | None:
        sign = await self._likeness.sign(turn)
        await self._box.note(sign)
        window = timedelta(minutes=self._settings.window_minutes)
        lately = await self._box.signs(turn.said_at - window, turn.said_at + window, _COMPARED)
        incident = await self._incident_of(turn, sign, lately)
        if incident is None or not incident.going_on:
            return None
        here = (one for one in lately if one.turn != turn.id and one.conversation == turn.conversation)
        if any(one.incident == incident.id for one in here):
            return None
        named = await self._with_ticket(incident)
        return Notice(incident=named, seen_in=await self._public_report(named))

    async def _incident_of(self, turn: Turn, sign: Sign, lately: Sequence[Sign]) -> Incident | None:
        """The incident that this sign is a report of, joined or made where it is of none yet."""
        before = next((one.incident for one in lately if one.turn == turn.id and one.incident), None)
        if before is not None:
            return await self._box.seen(before)
        alike = await self._likeness.same(sign, lately, max(self._clock(), turn.said_at))
        known = await self._known(alike.near)
        if known is not None and known.phase is not Phase.OVER:
            return await self._box.join(known.id, turn.id)
        free = [one for one in (*alike.near, *alike.far) if one.incident is None]
        if len({turn.author, *(one.person for one in free)}) < self._settings.people:
            return None
        made = await self._box.gather(self._new(turn, sign), [turn.id, *(one.turn for one in free)])
        log.info("incident_noticed", incident=made.id, people=made.people)
        return made

    async def _known(self, same: Sequence[Sign]) -> Incident | None:
        """The incident of which most of these are reports, by enough people."""
        people = Counter(incident for incident, _ in {(one.incident, one.person) for one in same if one.incident})
        best = max(people, key=lambda name: (people[name], name), default=None)
        enough = min(_JOINED_BY, self._settings.people - 1)
        return await self._box.seen(best) if best is not None and people[best] >= enough else None

    def _new(self, turn: Turn, sign: Sign) -> Incident:
        return Incident(
            id=derived_id("incident", turn.id),
            phase=Phase.SUSPECTED,
            platform=turn.conversation.platform,
            workspace=turn.conversation.workspace,
            language=sign.language,
            began_at=turn.said_at,
            changed_at=turn.said_at,
            people=0,
        )

    async def catch_up(self) -> None:
        """Give tickets to incidents whose process died before it could, and end those whose ticket somebody settled.
        Raises StoreUnavailable, EncoderUnavailable and IndexUnavailable."""
        for incident in await self._box.listed(_AT_ONCE, going_on=True):
            if incident.ticket is None:
                await self._with_ticket(incident)
            else:
                await self._end_with_ticket(incident, incident.ticket)

    async def _end_with_ticket(self, incident: Incident, name: str) -> None:
        eyes = Actor(viewer=Viewer(user=self._bot.name), name=self._bot.name, language=self._bot.language.value)
        try:
            ticket = await self._tickets.seen(name, eyes)
        except TicketUnknown:
            # Retention took it; the incident is as old.
            return
        if ticket.state not in UNSETTLED:
            by = ticket.assignee or self._bot.name
            await self._box.rule(incident.id, Ruling(phase=Phase.OVER, by=by, at=self._clock()))

    async def _with_ticket(self, incident: Incident) -> Incident:
        """The same message is the same ticket, whoever does this first."""
        if incident.ticket is not None:
            return incident
        reports = await self._box.reports(incident.id, _REPORTS)
        title = ", ".join(await self._likeness.names(reports, self._clock()))
        language: LanguageCode = self._bot.language.value
        words = self._wording.incidents(language)
        called = title or words.untitled
        said = words.reported.format(people=incident.people, title=called)
        message = self._message(incident, said)
        await self._recorder.record([message])
        actor = Actor(viewer=Viewer(user=self._bot.name), name=self._bot.name, language=language)
        ticket = await self._tickets.open(message.id, actor, title=called)
        await self._box.name(incident.id, ticket.name, title)
        return await self._box.seen(incident.id) or incident

    def _message(self, incident: Incident, said: str) -> Turn:
        """The bot's own words, which everybody may read."""
        where = Conversation(platform=_PLATFORM, workspace="", channel=_PLATFORM, thread=incident.id)
        return Turn(
            conversation=where,
            ticket=None,
            message="1",
            author=self._bot.name,
            role=Role.BOT,
            text=said,
            said_at=self._clock(),
            visibility=Visibility.EVERYONE,
            requester=self._bot.name,
        )

    async def _public_report(self, incident: Incident) -> str | None:
        """The first report that everybody may read."""
        reports = await self._box.reports(incident.id, _REPORTS)
        anybody = Viewer(user="", channel="")
        found = await self._reading.turns([one.turn for one in reports], anybody, self._clock())
        return found[0].id if found else None

    async def reports(self, incident: str, viewer: Viewer, link: Callable[[Turn], str | None]) -> Reports:
        """Where it is reported, as far as the viewer may see that there: the first report of each person, with the
        `link` that a platform has to it. Raises StoreUnavailable."""
        first: dict[str, str] = {}
        for one in await self._box.reports(incident, _REPORTS):
            first.setdefault(one.person, one.turn)
        seen = await self._reading.turns([*first.values()], viewer, self._clock())
        links = tuple(filter(None, map(link, seen)))[:_LINKED]
        return Reports(links=links, complete=len(links) == len(first))

    async def seen(self, incident: str) -> Incident | None:
        """Raises StoreUnavailable."""
        return await self._box.seen(incident)

    async def listed(self, limit: int, *, going_on: bool) -> list[Incident]:
        """As `IncidentBox` does."""
        return await self._box.listed(limit, going_on=going_on)

    async def rule(self, incident: str, phase: Phase, actor: Actor, *, words: str = "") -> Incident:
        """A support agent says what it is: with `words` what it is called, where it goes on, or what helped, where it
        is over; everybody may read them. Its ticket ends with it. Raises NotAllowed, IncidentUnknown, IncidentSettled
        and StoreUnavailable."""
        if not actor.viewer.agent:
            raise NotAllowed
        title = words if words and phase is Phase.CONFIRMED else None
        ruling = Ruling(phase=phase, by=actor.called, at=self._clock(), title=title)
        ruled = await self._box.rule(incident, ruling)
        log.info("incident_ruled", incident=incident, phase=phase.value)
        await self._end_ticket(ruled, actor, words)
        return ruled

    async def _end_ticket(self, incident: Incident, actor: Actor, words: str) -> None:
        step = _ENDED.get(incident.phase)
        if step is None or incident.ticket is None:
            return
        key = f"incident-{incident.phase.value}"
        try:
            if step is Step.RESOLVE:
                await self._tickets.resolve(incident.ticket, Resolution(fix=words), actor, key=key)
            else:
                await self._tickets.step(incident.ticket, step, actor, key=key)
        except (StepRefused, TicketMoved, TicketUnknown) as error:
            # Somebody ended the ticket before; the incident is what people wait for.
            log.info("incident_ticket_left", ticket=incident.ticket, error=type(error).__name__)

    async def subscribe(self, incident: str, person: str, turn: Turn, language: str) -> Subscribed:
        """Somebody wants to hear below this turn when it is over. Raises StoreUnavailable."""
        known = await self._box.seen(incident)
        if known is None or not known.going_on:
            return Subscribed.TOO_LATE
        wanted = Subscriber(
            incident=incident,
            person=person,
            conversation=turn.conversation,
            message=turn.message,
            language=language,
            at=self._clock(),
        )
        return Subscribed.NEW if await self._box.subscribe(wanted) else Subscribed.BEFORE
