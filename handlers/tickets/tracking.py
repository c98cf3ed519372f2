"""An outside tracker hears of each change of a ticket: once, in order, and again and again until it has it."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from config.tracker import TrackerWords
from handlers.claims import Claims
from memory.errors import TrackerRefused, TrackerUnavailable
from memory.model import Turn, Viewer
from memory.ports import Clock, Reading
from memory.text.statuses import state_of
from memory.tickets import Ticket, TicketReading, opening_message
from memory.tracker import Deliveries, Delivery, TicketForgotten, TicketNews, TicketWords, Tracker

log = structlog.get_logger()

#: With these eyes it is looked at what changed; of its words only what the settings say is told.
_EYES = Viewer(user="", agent=True)
#: Who sees no more than everybody does.
_ANYBODY = Viewer(user="", channel="")
_WORDS = {TrackerWords.EVERYONE: _ANYBODY, TrackerWords.ALL: _EYES}
_AT_ONCE, _MOST = 50, 500
#: The waits between tries double up to the longest; so many are some three days.
_FIRST_WAIT, _LONGEST_WAIT, _MOST_TRIES = timedelta(seconds=15), timedelta(hours=1), 80
_ENOUGH_DOUBLED = 12
#: For so long it is shown what was refused.
_SHOWN_FOR = timedelta(days=90)


class Tracking:
    """Tells what is owed, one process at a time and one change after another."""

    def __init__(
        self,
        *,
        deliveries: Deliveries,
        tracker: Tracker,
        reading: Reading,
        tickets: TicketReading,
        claims: Claims,
        clock: Clock,
        words: TrackerWords,
    ) -> None:
        self._deliveries = deliveries
        self._tracker = tracker
        self._reading = reading
        self._tickets = tickets
        self._claims = claims
        self._clock = clock
        self._eyes = _WORDS.get(words)

    async def go(self) -> int:
        """Tell what may be told by now, until the tracker does not take one: then the others can wait for the next
        round. How many are settled. Raises StoreUnavailable."""
        settled = 0
        async with self._claims.claimed("tracker") as mine:
            if mine:
                await self._deliveries.drop_old(self._clock() - _SHOWN_FOR)
            while mine and settled < _MOST and (due := await self._deliveries.due(self._clock(), _AT_ONCE)):
                for delivery in due:
                    if not await self._settled(delivery):
                        return settled
                    settled += 1
        return settled

    async def _settled(self, delivery: Delivery) -> bool:
        """Whether nothing more is to be done about it, or only by hand."""
        news = _forgotten(delivery) if delivery.forgotten else await self._news(delivery)
        try:
            if news is not None:
                await self._tracker.tell(news)
        except TrackerRefused as error:
            await self._refused(delivery, str(error))
        except TrackerUnavailable as error:
            return await self._failed(delivery, error)
        else:
            await self._deliveries.told(delivery.turn)
        return True

    async def _failed(self, delivery: Delivery, error: TrackerUnavailable) -> bool:
        if delivery.tries + 1 >= _MOST_TRIES:
            await self._refused(delivery, str(error))
            return True
        await self._deliveries.failed(delivery.turn, str(error), self._next_try(delivery, error.wait))
        log.warning("tracker_unavailable", ticket=delivery.ticket, tries=delivery.tries + 1, why=str(error))
        return False

    async def _refused(self, delivery: Delivery, why: str) -> None:
        await self._deliveries.refused(delivery.turn, why, self._clock())
        log.error("tracker_refused", ticket=delivery.ticket, delivery=delivery.turn, why=why)

    def _next_try(self, delivery: Delivery, asked: float) -> datetime:
        """`asked` is how many seconds the tracker wants to be left alone; no longer than the longest wait."""
        doubled: timedelta = _FIRST_WAIT * 2 ** min(delivery.tries, _ENOUGH_DOUBLED)
        return self._clock() + min(max(doubled, timedelta(seconds=asked)), _LONGEST_WAIT)

    async def _news(self, delivery: Delivery) -> TicketNews | None:
        """None where the change, or the message that was made a ticket, was taken back or is past its time."""
        turns = await self._reading.turns([delivery.turn], _EYES, self._clock())
        known = await self._tickets.of_conversation(delivery.conversation, _EYES)
        ticket = next((one for one in known if one.name == delivery.ticket), None)
        if not turns or ticket is None:
            log.info("tracker_news_gone", ticket=delivery.ticket)
            return None
        [turn] = turns
        return TicketNews(
            delivery=turn.id,
            ticket=ticket.name,
            opened=turn.message.endswith(opening_message("")),
            state=state_of(turn.status),
            assignee=turn.assignee,
            category=ticket.category,
            role=turn.role,
            at=turn.said_at,
            words=await self._told_words(ticket, turn),
        )

    async def _told_words(self, ticket: Ticket, turn: Turn) -> TicketWords | None:
        """None where the tracker may not have them."""
        if self._eyes is None:
            return None
        seen = await self._tickets.of_conversation(ticket.conversation.id, self._eyes)
        said = await self._reading.turns([turn.id], self._eyes, self._clock())
        as_seen = next((one for one in seen if one.name == ticket.name), None)
        if as_seen is None or not said:
            return None
        who = turn.speaker or turn.author
        return TicketWords(title=as_seen.title, requester=ticket.requester, by=who, said=turn.text)


def _forgotten(delivery: Delivery) -> TicketForgotten:
    return TicketForgotten(delivery=delivery.turn, ticket=delivery.ticket, at=delivery.at)
