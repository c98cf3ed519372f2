"""Whose turn it is, and for how long: tickets of which somebody is to be reminded, once each time that they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TypeAlias

import structlog

from config.tickets import TicketSettings
from handlers.tickets.hours import worked
from memory.lines import Line, Lines
from memory.model import Viewer
from memory.ports import Clock
from memory.tickets import State, Ticket, TicketReading

log = structlog.get_logger()

#: In which it is the support team's turn.
_SUPPORTS = (State.OPEN, State.REOPENED, State.WAITING_FOR_SUPPORT)
#: Nobody is shown what these see.
_EYES = Viewer(user="", agent=True)
_AT_ONCE, _MOST_TIMES = 100, 100

#: Whether somebody is to be reminded of this ticket now.
_Due: TypeAlias = Callable[[Ticket, datetime], bool]


class Reminders:
    """Decides who is to be reminded; the platform of a line says so there."""

    def __init__(self, *, lines: Lines, tickets: TicketReading, settings: TicketSettings, clock: Clock) -> None:
        self._lines = lines
        self._tickets = tickets
        self._settings = settings
        self._clock = clock

    async def decide(self) -> Mapping[str, int]:
        """Have the support team reminded of tickets that wait for it longer than the working hours of the settings, and
        who asked of those that wait for them longer than the days. How many. Raises StoreUnavailable."""
        hours, days = self._settings.remind_support_after_hours, self._settings.remind_user_after_days
        reminded = 0
        if hours is not None:
            least = timedelta(hours=hours)
            reminded += await self._remind(_SUPPORTS, least, lambda ticket, now: self._worked(ticket, now) >= least)
        if days is not None:
            reminded += await self._remind((State.WAITING_FOR_USER,), timedelta(days=days), lambda *_: True)
        return {"reminded": reminded}

    async def _remind(self, states: tuple[State, ...], least: timedelta, due: _Due) -> int:
        """No more hours are worked than go by, and of what was silent longest most were: what is due comes first."""
        reminded = 0
        for _ in range(_MOST_TIMES):
            now = self._clock()
            lines = await self._lines.silent(states, now - least, _AT_ONCE)
            done = sum([await self._reminded(line, due, now) for line in lines])
            reminded += done
            if done < _AT_ONCE:
                break
        return reminded

    async def _reminded(self, line: Line, due: _Due, now: datetime) -> bool:
        found = await self._tickets.of_conversation(line.conversation, _EYES)
        ticket = next((one for one in found if one.name == line.ticket), None)
        if ticket is None or not due(ticket, now):
            return False
        await self._lines.remind(line, ticket.changes)
        log.info("ticket_reminder_due", ticket=ticket.name, state=ticket.state.value)
        return True

    def _worked(self, ticket: Ticket, now: datetime) -> timedelta:
        return worked(self._settings.hours, ticket.changed_at, now)
