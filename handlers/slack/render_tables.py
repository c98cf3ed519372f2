"""Tables as lines of text whose columns stand below one another."""

from __future__ import annotations

from collections.abc import Sequence

from handlers.slack.render_parts import width

#: Wider cells stick out instead of pushing all the others to the right.
_WIDEST = 40
_GAP = " | "


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[bool]) -> tuple[str, str]:
    """The head (header and a line below it, each with its line end), and the other rows. Japanese is twice as wide."""
    columns = max(len(row) for row in rows)
    widths = [_widest(rows, column) for column in range(columns)]
    header, *body = (_line(row, widths, right) for row in rows)
    rule = "-+-".join("-" * each for each in widths)
    return f"{header}\n{rule}\n", "\n".join(body)


def _widest(rows: Sequence[Sequence[str]], column: int) -> int:
    widest = max(width(row[column]) for row in rows if column < len(row))
    return max(1, min(widest, _WIDEST))


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = []
    for column, cell in enumerate(row):
        padding = " " * (widths[column] - width(cell))
        cells.append(padding + cell if column < len(right) and right[column] else cell + padding)
    return _GAP.join(cells).rstrip()
