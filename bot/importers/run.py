"""Importing: read in a thread, record in batches, count. Starting again is harmless, for repeats change nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bot.importers.rows import BadRow, ReplacedRow, Row
from memory.model import Turn
from memory.ports import Recorded

#: More are counted, but not kept: nobody reads them one by one.
MOST_LISTED = 1000

Record = Callable[[Sequence[Turn]], Awaitable[Recorded]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of the rows. `bad` and `replaced` list the first thousand of theirs; `unlisted` and
    `unlisted_replaced` count the rest."""

    new: int = 0
    repeated: int = 0
    revised: int = 0
    bad: tuple[BadRow, ...] = ()
    unlisted: int = 0
    replaced: tuple[ReplacedRow, ...] = ()
    unlisted_replaced: int = 0

    @property
    def rows(self) -> int:
        taken = self.new + self.repeated + self.revised
        return taken + len(self.bad) + self.unlisted + len(self.replaced) + self.unlisted_replaced

    def plus(self, recorded: Recorded, bad: Sequence[BadRow], replaced: Sequence[ReplacedRow]) -> ImportReport:
        """The report after one more batch."""
        listed, told = (*self.bad, *bad), (*self.replaced, *replaced)
        return ImportReport(
            new=self.new + recorded.new,
            repeated=self.repeated + recorded.repeated,
            revised=self.revised + recorded.revised,
            bad=listed[:MOST_LISTED],
            unlisted=self.unlisted + len(listed[MOST_LISTED:]),
            replaced=told[:MOST_LISTED],
            unlisted_replaced=self.unlisted_replaced + len(told[MOST_LISTED:]),
        )


async def import_turns(
    rows: Iterator[Row], record: Record, *, progress: Callable[[int], None], batch: int = 200
) -> ImportReport:
    """Record every turn and count every row that was left out. `progress` hears how many rows are done.

    Raises InputRefused when the source cannot be read at all, and what `record` raises; what was recorded until then
    stays.
    """
    report = ImportReport()
    while taken := await asyncio.to_thread(lambda: list(islice(rows, batch))):
        turns = [row for row in taken if isinstance(row, Turn)]
        recorded = await record(turns) if turns else Recorded()
        report = report.plus(
            recorded,
            [row for row in taken if isinstance(row, BadRow)],
            [row for row in taken if isinstance(row, ReplacedRow)],
        )
        progress(report.rows)
    return report
