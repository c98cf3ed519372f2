"""Tickets of which nothing was heard for long: they are closed, and their conversation says why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import structlog

from config.schema import BotSettings
from config.tickets import TicketSettings
from handlers.tickets.changes import change_turn, sentence
from handlers.tickets.records import Actor
from handlers.wordings import Wording
from memory.errors import StepRefused, TicketMoved, TicketUnknown
from memory.model import Role, Viewer
from memory.ports import Clock
from memory.text.language import LanguageCode, detect_language
from memory.tickets import State, Step, Ticket, TicketReading, TicketWriting, next_state

log = structlog.get_logger()

#: In which it is somebody else's turn, or nobody's any more.
_LEFT = (State.RESOLVED, State.WAITING_FOR_USER)
_AT_ONCE, _MOST_TIMES = 100, 100


class Silence:
    """Closes what has been left alone."""

    def __init__(
        self,
        *,
        tickets: TicketReading,
        writing: TicketWriting,
        settings: TicketSettings,
        bot: BotSettings,
        clock: Clock,
        wording: Wording,
    ) -> None:
        self._tickets = tickets
        self._writing = writing
        self._settings = settings
        self._bot = bot
        self._clock = clock
        self._wording = wording
        self._eyes = Viewer(user=bot.name, agent=True)

    async def end(self) -> Mapping[str, int]:
        """Close tickets that are resolved, or wait for their user, and of which nothing was heard for the days of the
        settings. How many. Raises StoreUnavailable."""
        closed = 0
        for _ in range(_MOST_TIMES):
            before = self._clock() - timedelta(days=self._settings.close_after_days)
            names = await self._writing.idle(_LEFT, before, _AT_ONCE)
            now_closed = sum([await self._closed(ticket) for ticket in await self._tickets.named(names, self._eyes)])
            closed += now_closed
            if now_closed == 0 or len(names) < _AT_ONCE:
                break
        return {"closed": closed}

    async def end_forgotten(self, ticket: Ticket) -> None:
        """Close a ticket whose requester was forgotten; what agents said of it stays. Raises StoreUnavailable."""
        said = self._wording.tickets(self._language(ticket)).closed_forgotten.format(ticket=ticket.name)
        await self._close(ticket, said, f"forgotten-{ticket.changes}")

    async def _closed(self, ticket: Ticket) -> bool:
        """Whether it is closed now; not where somebody has just changed it."""
        language = self._language(ticket)
        words = self._wording.tickets(language)
        if ticket.state is State.WAITING_FOR_USER:
            said = words.closed_silent.format(ticket=ticket.name, days=self._settings.close_after_days)
        else:
            said = sentence(ticket, Step.CLOSE, self._actor(language), words)
        return await self._close(ticket, said, f"silent-{ticket.changes}")

    async def _close(self, ticket: Ticket, said: str, key: str) -> bool:
        actor = self._actor(self._language(ticket))
        try:
            after = next_state(Step.CLOSE, ticket.state)
            turn = change_turn(ticket, after, actor, key=key, now=self._clock(), owner=None, said=said)
            await self._writing.change(ticket.name, ticket.changes, replace(turn, role=Role.BOT))
        except (StepRefused, TicketMoved, TicketUnknown) as error:
            log.info("silent_ticket_left", ticket=ticket.name, error=type(error).__name__)
            return False
        log.info("silent_ticket_closed", ticket=ticket.name)
        return True

    def _actor(self, language: LanguageCode) -> Actor:
        return Actor(viewer=self._eyes, name=self._bot.name, language=language)

    def _language(self, ticket: Ticket) -> LanguageCode:
        return detect_language(ticket.title, self._bot.language.value)
