"""The words of blocks and attachments, written as Slack writes the text of a message: in its markup, escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handlers.slack.fields import Fields, ident, inside, several, string

_FENCE = "```"
#: Elements of rich text that are tags in markup: with which sign, and where the id stands.
_TAGS = {
    "user": ("@", "user_id"),
    "usergroup": ("!subteam^", "usergroup_id"),
    "channel": ("#", "channel_id"),
    "broadcast": ("!", "range"),
}
#: Elements that are plain words.
_PLAIN = {"date": "fallback", "color": "value"}


def written(message: Fields) -> str:
    """What the author wrote, in markup: the text, or that of the blocks where a message has nothing else."""
    return string(message, "text") or _lines(_block(block) for block in several(message, "blocks"))


def attached(message: Fields) -> str:
    """What is attached to a message, in markup: what an alert says, or what is passed on."""
    return _lines(_attachment(attachment) for attachment in several(message, "attachments"))


def escaped(text: str) -> str:
    """Plain words as they stand in markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part.strip())


def _attachment(attachment: Fields) -> str:
    said = [string(attachment, key) or "" for key in ("pretext", "title", "text")]
    blocks = [_block(block) for block in several(attachment, "blocks")]
    found = _lines([*said, *map(_field, several(attachment, "fields")), *blocks])
    return found or string(attachment, "fallback") or ""


def _field(field: Fields) -> str:
    return ": ".join(part for part in (string(field, "title"), string(field, "value")) if part)


def _block(block: Fields) -> str:
    match block.get("type"):
        case "rich_text":
            return _lines(_part(part) for part in several(block, "elements"))
        case "section":
            return _lines([_object(inside(block, "text")), *map(_object, several(block, "fields"))])
        case "header":
            return _object(inside(block, "text"))
        case "context":
            return " ".join(filter(None, map(_object, several(block, "elements"))))
        case "markdown":
            return escaped(string(block, "text") or "")
        case "image" | "video":
            return _object(inside(block, "title")) or escaped(string(block, "alt_text") or "")
        case "table":
            return _lines(_row(row) for row in _rows(block))
    return ""


def _object(given: Fields) -> str:
    """A text object; an image among them stands for its description."""
    text = string(given, "text") or string(given, "alt_text") or ""
    return text if given.get("type") == "mrkdwn" else escaped(text)


def _rows(table: Fields) -> Iterator[Fields]:
    rows = table.get("rows")
    yield from ({"cells": row} for row in rows if isinstance(row, list)) if isinstance(rows, list) else ()


def _row(row: Fields) -> str:
    cells = several(row, "cells")
    return " | ".join(_block(cell) if cell.get("type") == "rich_text" else _object(cell) for cell in cells)


def _part(part: Fields) -> str:
    """One paragraph of rich text."""
    match part.get("type"):
        case "rich_text_list":
            return _list(part)
        case "rich_text_quote":
            return "\n".join(f"&gt; {line}" for line in _inline(part).splitlines())
        case "rich_text_preformatted":
            return f"{_FENCE}\n{_inline(part).strip(chr(10))}\n{_FENCE}"
    return _inline(part)


def _list(part: Fields) -> str:
    margin = "  " * min(_count(part, "indent"), 8)
    ordered = part.get("style") == "ordered"
    items = enumerate(several(part, "elements"), start=_count(part, "offset") + 1)
    return "\n".join(f"{margin}{f'{number}.' if ordered else '•'} {_inline(item)}" for number, item in items)


def _count(part: Fields, key: str) -> int:
    value = part.get(key)
    return max(value, 0) if isinstance(value, int) else 0


def _inline(section: Fields) -> str:
    return "".join(_element(element) for element in several(section, "elements"))


def _element(element: Fields) -> str:
    kind = string(element, "type") or ""
    if kind in _TAGS:
        sign, key = _TAGS[kind]
        target = ident(element, key)
        return f"<{sign}{target}>" if target else ""
    match kind:
        case "text":
            return _styled(element)
        case "link":
            return _link(element)
        case "emoji":
            return f":{string(element, 'name') or 'emoji'}:"
    return escaped(string(element, _PLAIN.get(kind, "")) or "")


def _styled(element: Fields) -> str:
    """Blank words count here: they stand between others."""
    text = element.get("text")
    said = escaped(text) if isinstance(text, str) else ""
    return f"`{said}`" if said and inside(element, "style").get("code") is True else said


def _link(element: Fields) -> str:
    url = escaped(string(element, "url") or "").replace("|", "%7C")
    label = escaped(string(element, "text") or "")
    return f"<{url}|{label}>" if url and label else f"<{url}>" if url else label
