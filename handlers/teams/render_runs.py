"""From styled text to the runs of an Adaptive Card, in which Teams parses nothing: no Markdown, HTML or mention.

A `TextBlock` is Markdown, whose backslashes each client of Teams reads in its own way; a `RichTextBlock` is text as it
stands, and a run in it is a link or bold because a property says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from handlers.markup.inline import may_link
from handlers.markup.parts import Span

Element: TypeAlias = Mapping[str, object]

_LOOKS: Mapping[str, tuple[str, object]] = {
    "bold": ("weight", "Bolder"),
    "italic": ("italic", True),
    "strike": ("strikethrough", True),
    "code": ("fontType", "Monospace"),
}
#: A longer URL leaves too little room beside it; its words stay, without a link.
_LONGEST_URL = 1_000
#: What a client might take for a mention, or for a date to fill in, wherever it looks for them.
_MENTION = re.compile(r"<(?=[\s/]{0,9}at\b)", re.IGNORECASE)
_FUNCTION = re.compile(r"\{(?=\{(?:DATE|TIME)\()")
_JOINER = "\u2060"
_HELD = re.compile("^ | (?= )|(?<= ) ", re.MULTILINE)


def inert(text: str) -> str:
    """The text with an invisible word joiner in what cards have a use for elsewhere: `<at>` and `{{DATE(`."""
    return _FUNCTION.sub("{" + _JOINER, _MENTION.sub("<" + _JOINER, text))


def runs(spans: Iterable[Span], **looks: object) -> list[dict[str, object]]:
    """The runs of a text; `looks` are properties that all of them have."""
    return [_run(span, looks) for span in spans if span.text]


def _run(span: Span, looks: Mapping[str, object]) -> dict[str, object]:
    styles = dict(_LOOKS[style] for style in sorted(span.styles))
    return {"type": "TextRun", "text": inert(span.text), **looks, **styles, **_opening(span.url)}


def _opening(url: str | None) -> dict[str, object]:
    if url is None or not linkable(url):
        return {}
    return {"selectAction": {"type": "Action.OpenUrl", "url": url}}


def linkable(url: str) -> bool:
    """Whether the URL is of a kind, and of a length, that may be a link on a card."""
    return may_link(url) and len(url.encode()) <= _LONGEST_URL


def spaced(code: str) -> str:
    """Code with spaces that stay: clients show several in a row, or those at a line's start, as one or none. Single
    spaces between words are left alone, so that a command can be copied."""
    return _HELD.sub("\u00a0", code.replace("\t", "    "))


def rich_text(inlines: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """Runs as an element."""
    return {"type": "RichTextBlock", "inlines": list(inlines)}


def words_of(element: object) -> Iterator[str]:
    """The texts of an element in order, with a line end after each paragraph or its like."""
    match element:
        case {"type": "TextRun", "text": str(text)}:
            yield text
        case {"type": "TextBlock", "text": str(text)}:
            yield f"{text}\n"
        case Mapping():
            for value in element.values():
                yield from words_of(value)
            yield "\n"
        case list() | tuple():
            for each in element:
                yield from words_of(each)


def as_sent(value: object) -> int:
    """Bytes of the JSON in UTF-8. Teams counts UTF-16: that is at most twice as many bytes, of never more units."""
    return len(json.dumps(value, ensure_ascii=False).encode())
