"""Blocks into messages, whatever a platform calls them and however it measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Block: TypeAlias = Mapping[str, object]

MOST_MESSAGES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One message of a platform: whether it holds these blocks together, and which of them belong to the next one."""

    fits: Callable[[Sequence[Block]], bool]
    leads: Callable[[Block], bool]


def ending(below: Iterable[Block], *, last: Sequence[Block], cut: Block, sheet: Sheet) -> list[Block]:
    """What stands below an answer: as much of `below` as one message holds beside `last`, with `cut` where there was
    more. ValueError where `last` alone is too much."""
    if not sheet.fits([cut, cut, *last]):
        raise ValueError("what stands at the end is more than one message holds; give less")
    kept: list[Block] = []
    for block in below:
        if not sheet.fits([*kept, block, cut, cut, *last]):
            return [*kept, cut, *last]
        kept.append(block)
    return [*kept, *last]


def paged(body: Iterable[Block], *, end: Sequence[Block], cut: Block, sheet: Sheet) -> list[list[Block]]:
    """At most 5 messages, the last one with all of `end`, which must fit into one by itself together with `cut`. What
    of the body has no place gives way to `cut`."""
    pages: list[list[Block]] = [[]]
    for block in body:
        if not sheet.fits([*pages[-1], block]):
            pages.append(_orphans(pages[-1], sheet))
        pages[-1].append(block)
        if len(pages) > MOST_MESSAGES:
            return _shortened(pages[:MOST_MESSAGES], end=end, cut=cut, sheet=sheet)
    if sheet.fits([*pages[-1], *end]):
        pages[-1].extend(end)
    elif len(pages) < MOST_MESSAGES:
        pages.append([*_orphans(pages[-1], sheet), *end])
    else:
        return _shortened(pages, end=end, cut=cut, sheet=sheet)
    return pages


def _orphans(page: list[Block], sheet: Sheet) -> list[Block]:
    """Takes headings off the end of a page: they belong to what comes after."""
    start = len(page)
    while start > 1 and sheet.leads(page[start - 1]):
        start -= 1
    orphans = page[start:]
    del page[start:]
    return orphans


def _shortened(pages: list[list[Block]], *, end: Sequence[Block], cut: Block, sheet: Sheet) -> list[list[Block]]:
    last = pages[-1]
    while last and not sheet.fits([*last, cut, *end]):
        last.pop()
    last.extend((cut, *end))
    return pages
