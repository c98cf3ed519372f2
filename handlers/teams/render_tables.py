"""Tables as elements of a card, where they are small enough to be read there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from handlers.markup.parts import Part, Row, Span
from handlers.markup.tables import column_widths
from handlers.teams.render_runs import Element, as_sent, rich_text, runs

#: More columns than that are too narrow on a card, and more cells than that are mostly frame.
_MOST_COLUMNS = 8
_MOST_CELLS = 100
#: Shares of the width: a narrower column has no room for a word beside its frame, a wider one leaves none to others.
_NARROWEST, _WIDEST = 10, 30
_BLANK = Span(text="\u00a0")


def tables(table: Part, most: int) -> list[Element]:
    """The table, in several of at most `most` bytes that each begin with its head; none where it is better shown as
    lines of text."""
    columns = max(len(row) for row in table.rows)
    if columns > _MOST_COLUMNS or columns * len(table.rows) > _MOST_CELLS:
        return []
    head, *body = (_row(row, columns, header=number == 0) for number, row in enumerate(table.rows))
    frame = _table(table, [head])
    room = most - as_sent(frame)
    if room < 0 or any(_cost(row) > room for row in body):
        return []
    return [_table(table, [head, *rows]) for rows in _filled(body, room)]


def _cost(row: Element) -> int:
    """With the comma and the space before it."""
    return as_sent(row) + 2


def _filled(body: Sequence[Element], room: int) -> Iterator[list[Element]]:
    held: list[Element] = []
    left = room
    for row in body:
        if held and _cost(row) > left:
            yield held
            held, left = [], room
        held.append(row)
        left -= _cost(row)
    yield held


def _table(table: Part, rows: Sequence[Element]) -> Element:
    widths = column_widths(table)
    columns = [
        {
            "width": min(max(width, _NARROWEST), _WIDEST),
            **({"horizontalCellContentAlignment": "Right"} if right else {}),
        }
        for width, right in zip(widths, [*table.right, *[False] * len(widths)], strict=False)
    ]
    return {"type": "Table", "firstRowAsHeaders": True, "columns": columns, "rows": list(rows)}


def _row(row: Row, columns: int, *, header: bool) -> Element:
    cells = [_cell(cell, header=header) for cell in (*row, *[()] * (columns - len(row)))]
    return {"type": "TableRow", "cells": cells}


def _cell(cell: tuple[Span, ...], *, header: bool) -> Element:
    """Not every client makes the first row bold by itself."""
    spans = [replace(span, styles=span.styles | {"bold"}) for span in cell] if header else cell
    return {"type": "TableCell", "items": [rich_text(runs(spans or [_BLANK]))]}
