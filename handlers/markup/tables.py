"""Tables as lines of text whose columns stand below one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from handlers.markup.parts import Kind, Part, Span, width

#: Wider cells stick out instead of pushing all the others to the right.
_WIDEST = 40
_GAP = " | "


def aligned(table: Part) -> Part:
    """The table as code, a line below its header. Japanese is twice as wide."""
    rows = _texts(table)
    widths = _widths(rows)
    header, *body = (_line(row, widths, table.right) for row in rows)
    rule = "-+-".join("-" * each for each in widths)
    head = f"{header}\n{rule}\n"
    lines = Span(text=(head + "\n".join(body)).rstrip("\n"))
    return replace(table, kind=Kind.CODE, spans=(lines,), head=head, rows=(), right=())


def column_widths(table: Part) -> list[int]:
    """How wide each column is, from 1 to 40, in characters of which Japanese counts double."""
    return _widths(_texts(table))


def _texts(table: Part) -> list[list[str]]:
    return [["".join(span.text for span in cell) for cell in row] for row in table.rows]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [_widest(rows, column) for column in range(max(len(row) for row in rows))]


def _widest(rows: Sequence[Sequence[str]], column: int) -> int:
    widest = max(width(row[column]) for row in rows if column < len(row))
    return max(1, min(widest, _WIDEST))


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = []
    for column, cell in enumerate(row):
        padding = " " * (widths[column] - width(cell))
        cells.append(padding + cell if column < len(right) and right[column] else cell + padding)
    return _GAP.join(cells).rstrip()
