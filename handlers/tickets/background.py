"""What stands behind a request that goes to the support team: what the bot found about it, and what was said before.

It is kept nowhere: it is read anew whenever a note is drawn, with the eyes of those who read the note, and a note is
drawn anew when anything of it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handlers.acts.matters import is_matter
from handlers.files import without_files
from memory.lines import Line, Lines
from memory.model import Turn, Viewer
from memory.ports import Clock, Ledger, Reading
from memory.tickets import is_bookkeeping

#: So many turns on which an answer stood are looked at, and so many above a message.
_SOURCES, _ABOVE = 12, 20
#: So many are shown of either.
_MOST = 3
#: With these eyes it is looked what a note may come to show; nobody is shown what they see.
_EYES = Viewer(user="", agent=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """What the bot `found`, one turn of each ticket that it cited, in the order of its answer; `nothing`: it said that
    it does not know. `earlier` is what who asked had said before in the same place, oldest first."""

    found: tuple[Turn, ...] = ()
    nothing: bool = False
    earlier: tuple[Turn, ...] = ()


class Background:
    """Looks that up. Every method raises StoreUnavailable."""

    def __init__(self, *, reading: Reading, ledger: Ledger, lines: Lines, clock: Clock) -> None:
        self._reading = reading
        self._ledger = ledger
        self._lines = lines
        self._clock = clock

    async def of(self, asked: Turn, viewer: Viewer) -> Behind:
        """What the viewer may see of it. `asked` is the message of the request, which they may see, too."""
        cited = await self._reading.turns(await self._sources(asked), viewer, self._clock())
        by_ticket = {one.ticket or one.id: one for one in reversed(cited) if not one.derived}
        return Behind(
            found=tuple(reversed(by_ticket.values()))[:_MOST],
            nothing=bool(await self._ledger.found_nothing([asked.id])),
            earlier=tuple(await self._earlier(asked, viewer)),
        )

    async def watch(self, line: Line) -> None:
        """From now on the note of this line is stale when anything changes that it may show."""
        for asked in await self._reading.turns([line.request or ""], _EYES, self._clock()):
            above = [one.id for one in await self._earlier(asked, _EYES)]
            await self._lines.shows(line, [*await self._sources(asked), *above])

    async def _sources(self, asked: Turn) -> Sequence[str]:
        return (await self._ledger.sources([asked.id])).get(asked.id, ())[:_SOURCES]

    async def _earlier(self, asked: Turn, viewer: Viewer) -> Sequence[Turn]:
        above = await self._reading.recent(asked.conversation.id, viewer, asked.said_at, _ABOVE)
        theirs = [one for one in above if one.author == asked.author and one.id != asked.id]
        return [one for one in theirs if _is_told(one)][-_MOST:]


def _is_told(turn: Turn) -> bool:
    """Whether it is about something, and a person's."""
    return not turn.derived and not is_bookkeeping(turn) and is_matter(without_files(turn.text))
