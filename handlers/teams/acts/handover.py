"""Telling the support team in its channel that somebody wants a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import structlog

from handlers.claims import Claims
from handlers.handover import Handed, Wanted
from handlers.teams.acts.support_notes import SupportNotes
from handlers.teams.address import filed
from handlers.teams.recent import Recent
from handlers.teams.records import Site
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.tickets.desk import TicketDesk
from handlers.tickets.requests import Lay, Settled, handed_to
from memory.errors import Busy, PlatformRefused
from memory.model import Turn, turn_id

log = structlog.get_logger()

#: What is noted of a message beside the request: which message the note is, on which ticket, and that the words were
#: shown.
_NOTE, _TICKET, _SHOWN = "note", "ticket", "shown"


async def note_of(told: Recent, site: Site, turn: Turn) -> str | None:
    """The id of the note on the request that this turn made; `told` is where hand-overs are noted. Raises
    StoreUnavailable."""
    noted = await told.noted(site, turn.message)
    return (noted.get(_NOTE) or None) if noted and noted["about"] == turn.id else None


class TeamsHandOver:
    """The hook `HandOver` that writes to one channel. That it was done is noted after it was: a process that dies in
    between lets the team be told twice rather than never. A claim keeps others from telling at the same moment."""

    def __init__(
        self,
        *,
        notes: SupportNotes,
        sites: Sites,
        rules: Rules,
        claims: Claims,
        told: Recent,
        tickets: Callable[[], TicketDesk],
        settled: Settled,
        lay: Lay,
        refused: Callable[[bool], None],
    ) -> None:
        """`refused` is told each time whether Teams let the bot write there."""
        self._refused = refused
        self._notes = notes
        self._sites = sites
        self._rules = rules
        self._claims = claims
        self._told = told
        self._tickets = tickets
        self._settled = settled
        self._lay = lay

    async def __call__(self, wanted: Wanted) -> Handed | None:
        """As `HandOver`; None without a channel, or where Teams does not let the bot write there. Raises Busy where
        somebody else is at the same request."""
        site, channel = await self._sites.of(wanted.conversation), self._rules.handover_channel
        if channel is None or site is None:
            return None
        request = turn_id(wanted.conversation, wanted.message)
        async with self._claims.claimed(f"handover {request}") as mine:
            if not mine:
                raise Busy
            handed = await handed_to(wanted, self._tickets(), self._settled)
            if handed.over:
                return handed
            try:
                again = await self._tell(wanted, handed, site, await self._sites.channel(channel, site))
            except PlatformRefused as error:
                log.warning("teams_handover_refused", error=type(error).__name__)
                self._refused(True)
                return None
            self._refused(False)
            return replace(handed, again=again)

    async def _tell(self, wanted: Wanted, handed: Handed, site: Site, team: Site) -> bool:
        """What the team has not been told yet: the request, and its words where the person wants that. The thread of
        the note is where the team talks about the ticket. Whether it had been told of the request before."""
        request = turn_id(wanted.conversation, wanted.message)
        noted = await self._told.noted(site, wanted.message)
        name = handed.ticket.name if handed.ticket else ""
        # What was added to a ticket that is over may be another one's now.
        known = noted is not None and noted["about"] == request and noted.get(_TICKET, name) == name
        done = {**noted} if noted and known else {}
        again = bool(done)
        if not again:
            done = {_NOTE: await self._notes.post(wanted, handed, request, team) or "", _TICKET: name}
            await self._told.note(site, wanted.message, request, **done)
            log.info("teams_handed_over", request=request)
        if handed.ticket and (thread := done.get(_NOTE)):
            await self._lay(handed.ticket, filed(team.tenant, team.place, team.chat, thread), request)
        if wanted.words and _SHOWN not in done:
            note = done.get(_NOTE, "")
            await self._notes.show(wanted, team, note or None)
            await self._told.note(site, wanted.message, request, **{_NOTE: note, _TICKET: name, _SHOWN: request})
        return again
