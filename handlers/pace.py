"""How fast people may write: who goes beyond that is told once when to write again, and costs nothing until then."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

import structlog

from config.limits import LimitSettings
from handlers.messages import OutgoingReply, plainly
from handlers.ports import Held, Refused
from handlers.unasked import asks_nothing
from handlers.wordings import Wording
from memory.model import DIRECT, Turn
from memory.ports import Clock
from memory.text.language import LanguageCode

log = structlog.get_logger()

_MINUTE = timedelta(minutes=1)
#: People and channels that are remembered, those who wrote last.
_WINDOWS = 10_000
#: Nobody counts single seconds.
_SECONDS = 10

#: Whose window it is: a platform with a person, or with a workspace and a channel.
Whose = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What was taken of one person, or in one channel, in about a minute: when it was said and its turn, oldest first.
    `told_at`: of when the message was in answer to which the person heard that it was one too many."""

    taken: tuple[tuple[datetime, str], ...] = ()
    told_at: datetime | None = None

    def holds(self, turn: Turn) -> bool:
        """Whether this message was taken before: it is told again."""
        return (turn.said_at, turn.id) in self.taken

    def opens(self, moment: datetime, most: int) -> datetime | None:
        """When one more may be said; None where one may be at `moment`. Counted is the minute before that, so that what
        a platform tells late, all at once, counts as it was said."""
        within = [said for said, _ in self.taken if moment - _MINUTE < said <= moment]
        return within[-most] + _MINUTE if len(within) >= most else None

    def taking(self, turn: Turn, most: int) -> Window:
        """With one more message, and without those that count no longer; of `most` at most."""
        taken = sorted({*self.taken, (turn.said_at, turn.id)})
        newest = taken[-1][0]
        return replace(self, taken=tuple(one for one in taken if one[0] > newest - _MINUTE)[-most:])

    def knows(self, moment: datetime) -> bool:
        """Whether the person was told in the minute before."""
        return self.told_at is not None and abs(moment - self.told_at) < _MINUTE


class Windows:
    """The windows of this process, of those who wrote last: they outlive a change of the settings."""

    def __init__(self) -> None:
        self._windows: OrderedDict[Whose, Window] = OrderedDict()

    def of(self, whose: Whose) -> Window:
        return self._windows.get(whose, Window())

    def keep(self, whose: Whose, window: Window) -> None:
        self._windows[whose] = window
        self._windows.move_to_end(whose)
        if len(self._windows) > _WINDOWS:
            self._windows.popitem(last=False)


class Pace:
    """Takes messages that are addressed to the bot, as many as the settings say."""

    def __init__(
        self,
        settings: LimitSettings,
        windows: Windows,
        clock: Clock,
        *,
        held: Held,
        spoken: Callable[[Turn], Awaitable[LanguageCode]],
        wording: Wording,
    ) -> None:
        """`spoken` says in which language the author of a turn is told something; never raises."""
        self._person = settings.person_messages_a_minute
        self._channel = settings.channel_messages_a_minute
        self._windows = windows
        self._clock = clock
        self._held = held
        self._spoken = spoken
        self._wording = wording

    async def refused(self, turn: Turn) -> Refused | None:
        """One message too many, with what is said to it; None for one that is to be answered, or costs nothing: it asks
        nothing, or is for the person who has the conversation. Raises StoreUnavailable."""
        person, channel = _person(turn), _channel(turn)
        own = self._windows.of(person)
        if own.holds(turn):
            return None
        opens = own.opens(turn.said_at, self._person)
        here = self._windows.of(channel).opens(turn.said_at, self._channel) if channel else None
        if opens is None and here is None:
            self._take(turn, person, channel)
            return None
        if asks_nothing(turn.text) or await self._held(turn):
            return None
        reply = await self._told(turn, opens, here)
        log.info("message_refused", turn=turn.id, told=reply is not None)
        return Refused(reply=reply)

    def _take(self, turn: Turn, person: Whose, channel: Whose | None) -> None:
        self._windows.keep(person, self._windows.of(person).taking(turn, self._person))
        if channel is not None:
            self._windows.keep(channel, self._windows.of(channel).taking(turn, self._channel))

    async def _told(self, turn: Turn, opens: datetime | None, here: datetime | None) -> OutgoingReply | None:
        """Once a minute to each person, whichever limit it is."""
        person = _person(turn)
        own = self._windows.of(person)
        if own.knows(turn.said_at):
            return None
        self._windows.keep(person, replace(own, told_at=turn.said_at))
        language = await self._spoken(turn)
        said = self._wording.around(language)
        sentence, limit = (said.too_many_here, self._channel) if opens is None else (said.too_many, self._person)
        # What was said is dated by the platform's clock, which may be far from ours: it is never more than a minute.
        left = min(max(one for one in (opens, here) if one is not None) - self._clock(), _MINUTE)
        seconds = _SECONDS * max(1, ceil(left.total_seconds() / _SECONDS))
        return plainly(sentence.format(limit=limit, seconds=seconds), language)


def _person(turn: Turn) -> Whose:
    return turn.conversation.platform, turn.author


def _channel(turn: Turn) -> Whose | None:
    where = turn.conversation
    return None if where.channel == DIRECT else (where.platform, where.workspace, where.channel)
