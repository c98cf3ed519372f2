"""The report as a few plain lines, for a chat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.report.reading import Report
from bot.report.spoken import Spoken
from bot.report.tiles import tiles

#: Topics and questions that are named.
_TOPICS, _GAPS = 5, 3


def message(report: Report, spoken: Spoken) -> str:
    """What the page says, in at most a dozen lines."""
    return "\n".join(lines(report, spoken))


def lines(report: Report, spoken: Spoken) -> Sequence[str]:
    """The same, line by line; the first one is the heading."""
    return [*_lines(report, spoken)]


def _lines(report: Report, spoken: Spoken) -> Iterator[str]:
    said, found = spoken.words, report.figures
    yield f"{said.title}{said.colon}{spoken.period(found.period)}"
    if not found.questions:
        yield said.nothing_yet
    for tile in tiles(found, spoken) if found.questions else ():
        detail = said.bracketed.format(detail=tile.detail) if tile.detail else ""
        yield f"{tile.name}{said.colon}{tile.number}{detail}"
    if report.topics:
        named = (f"{topic.name} {topic.episodes:,}" for topic in report.topics[:_TOPICS])
        yield f"{said.topics}{said.colon}{said.comma.join(named)}"
    if open_ones := found.abstained - report.settled:
        yield f"{said.gaps}{said.colon}{open_ones:,}"
    for gap in report.gaps[:_GAPS]:
        yield f"• {gap.words}"
