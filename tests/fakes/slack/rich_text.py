"""The shapes of rich_text, tables and the text objects in them."""

from __future__ import annotations

from typing import Any

from tests.fakes.slack.shapes import Check, Text, choice, mapping, only, sequence, words

STYLES = {"bold", "italic", "strike", "code", "underline", "highlight", "client_highlight", "unlink"}

#: Fields that each leaf must have, and those that it may have.
LEAVES: dict[str, tuple[set[str], set[str]]] = {
    "text": ({"text"}, {"style"}),
    "link": ({"url"}, {"text", "unsafe", "style"}),
    "user": ({"user_id"}, {"style"}),
    "usergroup": ({"usergroup_id"}, {"style"}),
    "channel": ({"channel_id"}, {"style"}),
    "team": ({"team_id"}, {"style"}),
    "emoji": ({"name"}, {"unicode", "skin_tone", "style"}),
    "date": ({"timestamp", "format"}, {"url", "fallback", "style"}),
    "broadcast": ({"range"}, {"style"}),
    "color": ({"value"}, {"style"}),
}
CONTAINERS: dict[str, set[str]] = {
    "rich_text_section": set(),
    "rich_text_quote": {"border"},
    "rich_text_preformatted": {"border", "language"},
    "rich_text_list": {"style", "indent", "offset", "border"},
}
TABLE_ROWS, TABLE_COLUMNS, TABLE_CHARACTERS = 100, 20, 10_000


def rich_text(check: Check, block: Any, at: str) -> None:
    """A rich_text block, as a block of its own or as a cell."""
    only(check, block, at, {"type", "block_id", "elements"}, {"elements"})
    for place, element in sequence(check, block, "elements", at, least=0):
        container(check, element, place)


def container(check: Check, element: Any, at: str) -> None:
    kind = choice(check, element, "type", at, CONTAINERS)
    if kind is None:
        return
    only(check, element, at, {"type", "elements", *CONTAINERS[kind]}, {"elements"})
    if kind == "rich_text_list":
        choice(check, element, "style", at, {"bullet", "ordered"})
    _bounded(check, element, at)
    for place, inner in sequence(check, element, "elements", at, least=0):
        if kind == "rich_text_list":
            _item(check, inner, place)
        else:
            leaf(check, inner, place)


def _item(check: Check, element: Any, at: str) -> None:
    if choice(check, element, "type", at, {"rich_text_section"}) is not None:
        container(check, element, at)


def _bounded(check: Check, element: Any, at: str) -> None:
    for name, most in (("indent", 8), ("border", 1), ("offset", 1_000_000)):
        value = element.get(name, 0)
        if not isinstance(value, int) or not 0 <= value <= most:
            check.fault(f"must be a whole number from 0 to {most}", f"{at}/{name}")


def leaf(check: Check, element: Any, at: str) -> None:
    kind = choice(check, element, "type", at, LEAVES)
    if kind is None:
        return
    must, may = LEAVES[kind]
    only(check, element, at, {"type", *must, *may}, must)
    for name in must - {"timestamp"}:
        words(check, element, name, at, Text(least=1, most=40_000))
    style(check, element, at)
    if kind == "broadcast":
        choice(check, element, "range", at, {"here", "channel", "everyone"})
    if kind == "link" and "text" in element:
        words(check, element, "text", at, Text(least=1, most=40_000))


def style(check: Check, element: Any, at: str) -> None:
    if "style" not in element:
        return
    marks = mapping(check, element["style"], f"{at}/style")
    for name, value in marks.items():
        if name not in STYLES:
            check.fault(f"no more than these properties allowed: {', '.join(sorted(STYLES))}", f"{at}/style/{name}")
        elif not isinstance(value, bool):
            check.fault("must be a boolean", f"{at}/style/{name}")


def table(check: Check, block: Any, at: str) -> None:
    only(check, block, at, {"type", "block_id", "rows", "column_settings"}, {"rows"})
    before = check.characters
    for place, row in sequence(check, block, "rows", at, least=1, most=TABLE_ROWS):
        for where, cell in sequence(check, {"row": row}, "row", place, least=1, most=TABLE_COLUMNS):
            _cell(check, cell, where)
    if check.characters - before > TABLE_CHARACTERS:
        check.fault(f"must be less than {TABLE_CHARACTERS + 1} characters in all cells", f"{at}/rows")
    for place, column in sequence(check, block, "column_settings", at, least=0, most=TABLE_COLUMNS):
        if column is not None:
            only(check, column, place, {"align", "is_wrapped"}, set())
            if "align" in column:
                choice(check, column, "align", place, {"left", "center", "right"})


def _cell(check: Check, cell: Any, at: str) -> None:
    kind = choice(check, cell, "type", at, {"rich_text", "raw_text", "raw_number"})
    if kind == "rich_text":
        rich_text(check, cell, at)
    elif kind == "raw_text":
        only(check, cell, at, {"type", "text"}, {"text"})
        words(check, cell, "text", at, Text(least=1, most=TABLE_CHARACTERS))
    elif kind == "raw_number":
        only(check, cell, at, {"type", "value", "text"}, {"value"})
