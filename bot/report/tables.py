"""Tables whose rows may have a bar: the words are the page's own, so that they are legible on a telephone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.report.charts import strip
from bot.report.markup import Markup, element, joined, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What is above a column; that of bars needs no name."""

    name: str
    chart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A name, and what is told of it; where its column is there, a bar over `share` of the width with a dark one over
    `within` of it."""

    name: str
    cells: tuple[str, ...]
    share: float = 0
    within: float = 0


def table(rows: Sequence[Row], columns: Sequence[Column]) -> Markup:
    """The first column has the names, the second the bars if it is one of bars, the others what is told."""
    heads = [element("th", words(column.name), class_=_kind(place, column)) for place, column in enumerate(columns)]
    told = [column.name for column in columns[1:] if not column.chart]
    bars = any(column.chart for column in columns)
    body = [element("tr", *_cells(row, told, bars=bars)) for row in rows]
    return element("table", element("thead", element("tr", *heads)), element("tbody", *body))


def soft(text: str) -> Markup:
    """Small print; nothing where there is none."""
    return element("p", words(text), class_="soft") if text else joined()


def _cells(row: Row, names: Sequence[str], *, bars: bool) -> list[Markup]:
    """Each that is told knows the name of its column, which stands beside it where there is no room for a heading."""
    bar = [element("td", strip(row.share, row.within, row.name), class_="chart")] if bars else []
    told = [
        element("td", words(cell), class_="count", data_name=name) for name, cell in zip(names, row.cells, strict=True)
    ]
    return [element("td", words(row.name), class_="name"), *bar, *told]


def _kind(place: int, column: Column) -> str:
    if column.chart:
        return "chart"
    return "count" if place else "name"
