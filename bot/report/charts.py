"""Charts as SVG without a word in it: they stretch to any width, and the words beside them stay legible."""

from __future__ import annotations

from collections.abc import Sequence

from bot.report.markup import Markup, element, joined, words

#: The units of a drawing; a column takes the first of them less a gap on both sides.
_COLUMN, _GAP, _HEIGHT = 10.0, 1.0, 100.0


def columns(stacks: Sequence[tuple[int, int]], told: Sequence[str], about: str) -> Markup:
    """A column for each stack of two numbers, the first at the bottom, as high as the highest allows; `told` is shown
    for each when it is pointed at, `about` says what the whole shows."""
    highest = max((lower + upper for lower, upper in stacks), default=0) or 1
    drawn = [
        _column(place * _COLUMN, lower * _HEIGHT / highest, upper * _HEIGHT / highest, text)
        for place, ((lower, upper), text) in enumerate(zip(stacks, told, strict=True))
    ]
    return _drawing(joined(*drawn), max(len(stacks), 1) * _COLUMN, _HEIGHT, about, "columns")


def strip(share: float, within: float, about: str) -> Markup:
    """A bar over `share` of the width, and a dark one inside it over `within` of the width; both from 0 to 1."""
    bars = joined(_bar(share, "outer"), _bar(within, "inner"))
    return _drawing(bars, 100, 10, about, "strip")


def _column(left: float, lower: float, upper: float, told: str) -> Markup:
    width = _COLUMN - 2 * _GAP
    return element(
        "g",
        element("title", words(told)),
        element("rect", class_="answered", x=left + _GAP, y=_HEIGHT - lower, width=width, height=lower),
        element("rect", class_="abstained", x=left + _GAP, y=_HEIGHT - lower - upper, width=width, height=upper),
    )


def _bar(share: float, kind: str) -> Markup:
    return element("rect", class_=kind, x=0, y=0, width=100 * min(max(share, 0), 1), height=10)


def _drawing(inside: Markup, width: float, height: float, about: str, kind: str) -> Markup:
    return element(
        "svg",
        inside,
        xmlns="http://www.w3.org/2000/svg",
        class_=kind,
        viewBox=f"0 0 {width:g} {height:g}",
        preserveAspectRatio="none",
        role="img",
        aria_label=about,
    )
