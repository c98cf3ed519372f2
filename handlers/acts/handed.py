"""Whether a question is with the support team already."""

from __future__ import annotations

from datetime import datetime

from memory.model import Turn, Viewer
from memory.ports import Reading
from memory.text.statuses import state_of
from memory.tickets import UNSETTLED


async def with_team(turn: Turn, reading: Reading, viewer: Viewer, now: datetime) -> str | None:
    """The name of the ticket under way that this turn belongs to, as the viewer may see it; None without one. Raises
    StoreUnavailable."""
    known = await reading.tickets([turn.ticket], viewer, now) if turn.ticket else []
    return next((one.ticket for one in known if state_of(one.status) in UNSETTLED), None)
