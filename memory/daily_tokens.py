"""How many tokens of models a day may take, and whether today's are spent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

from config.limits import LimitSettings
from memory.answers import Degraded
from memory.ports import Clock, Ledger

#: The share of a day's tokens that notes may take: those that waited for the new day must not leave people without
#: answers.
_FOR_NOTES = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day of the desk's calendar: from `begun` up to `over`."""

    begun: datetime
    over: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhausted:
    """Whose tokens are spent, and when there are new ones."""

    missing: Degraded
    renewed: datetime


def day_of(moment: datetime, zone: tzinfo) -> Day:
    """The day in which `moment` lies in `zone`. Days on which clocks are changed are shorter or longer."""
    today = moment.astimezone(zone).date()
    begun, over = (datetime.combine(day, time.min, zone) for day in (today, today + timedelta(days=1)))
    return Day(begun=begun, over=over)


class DailyTokens:
    """Counts in the ledger, so that all processes over one database share what there is and a restart renews nothing.

    What is under way is not counted yet: calls that run at the same time may go over the limit together.
    """

    def __init__(self, ledger: Ledger, settings: LimitSettings, zone: tzinfo, clock: Clock) -> None:
        self._ledger = ledger
        self._settings = settings
        self._zone = zone
        self._clock = clock

    async def exhausted(self, person: str) -> Exhausted | None:
        """What keeps models from answering this person today; None where nothing does. Raises StoreUnavailable."""
        day = day_of(self._clock(), self._zone)
        if await self._spent(day):
            return Exhausted(missing=Degraded.BUDGET, renewed=day.over)
        own = self._settings.person_tokens_a_day
        if own is not None and await self._ledger.spent_by(person, day.begun) >= own:
            return Exhausted(missing=Degraded.OWN_BUDGET, renewed=day.over)
        return None

    async def notes_exhausted(self) -> datetime | None:
        """When models may be asked for notes again; None where they may now. Raises StoreUnavailable."""
        day, most = day_of(self._clock(), self._zone), self._settings.tokens_a_day
        if most is None:
            return None
        spent = await self._ledger.spent_since(day.begun)
        over = spent.answers + spent.notes >= most or spent.notes >= most * _FOR_NOTES
        return day.over if over else None

    async def _spent(self, day: Day) -> bool:
        most = self._settings.tokens_a_day
        if most is None:
            return False
        spent = await self._ledger.spent_since(day.begun)
        return spent.answers + spent.notes >= most
