"""From the tokens of a whole answer to its parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from markdown_it.token import Token

from handlers.characters import cleaned
from handlers.markup.inline import spans_of
from handlers.markup.markdown import tokens_of
from handlers.markup.parts import Kind, Part, Row, Span, joined

#: Nobody reads deeper lists, and Slack's own editor makes none.
_DEEPEST_INDENT = 5
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]*", re.ASCII)
_TASK = re.compile(r"\[([ xX])\]\s")
_SPACE = re.compile(r"\s+")
_BOLD = frozenset(("bold",))


def parts_of(text: str, allowed_links: Collection[str]) -> list[Part]:
    """The parts of an answer in Markdown, in order. Only what is in `allowed_links` becomes a link."""
    reader = _Reader(allowed_links)
    reader.read(tokens_of(text, allowed_links))
    return reader.parts


class _Reader:
    """Walks over the tokens and knows in which quotes and lists it is."""

    def __init__(self, allowed_links: Collection[str]) -> None:
        self.parts: list[Part] = []
        self._allowed = allowed_links
        self._quotes = 0
        self._lists: list[int | None] = []  # of each open list the number of the item, None in one without numbers
        self._at_item = False  # nothing of the item has been read yet
        self._item: Part | None = None  # the part that a further paragraph of the item belongs to

    def read(self, tokens: Sequence[Token]) -> None:
        position = 0
        while position < len(tokens):
            token = tokens[position]
            position += 1
            if token.type == "table_open":
                end = next(i for i in range(position, len(tokens)) if tokens[i].type == "table_close")
                self._table(token, tokens[position:end])
                position = end + 1
            elif token.type == "inline":
                self._words(token, tokens[position - 2])
            else:
                self._structure(token)

    def _structure(self, token: Token) -> None:
        match token.type:
            case "blockquote_open" | "blockquote_close":
                self._quotes += token.nesting
                self._item = None
            case "ordered_list_open" | "bullet_list_open":
                self._lists.append(int(token.attrs.get("start", 1)) - 1 if token.tag == "ol" else None)
            case "ordered_list_close" | "bullet_list_close":
                self._lists.pop()
            case "list_item_open":
                self._next_item()
            case "list_item_close":
                self._at_item, self._item = False, None
            case "fence" | "code_block":
                self._code(token)
            case "hr":
                self._add(Part(kind=Kind.RULE))

    def _next_item(self) -> None:
        number = self._lists[-1]
        self._lists[-1] = None if number is None else number + 1
        self._at_item, self._item = True, None

    def _words(self, token: Token, opening: Token) -> None:
        spans = joined(spans_of(token.children or [], self._allowed))
        if not spans:
            return
        if opening.type == "heading_open" and not self._lists and not self._quotes:
            self._add(Part(kind=Kind.HEADING, spans=spans))
        elif opening.type == "heading_open":
            self._paragraph(tuple(replace(span, styles=span.styles | _BOLD) for span in spans))
        else:
            self._paragraph(spans)

    def _paragraph(self, spans: tuple[Span, ...]) -> None:
        if self._at_item:
            self._start_item(spans)
        elif self._item is not None:
            self._item = self.parts[-1] = replace(self._item, spans=(*self._item.spans, Span(text="\n"), *spans))
        elif self._quotes:
            deeper = (Span(text="> " * (self._quotes - 1)),) if self._quotes > 1 else ()
            self._add(Part(kind=Kind.QUOTE, spans=(*deeper, *spans), quotes=self._quotes))
        else:
            self._add(Part(kind=Kind.PARAGRAPH, spans=spans))

    def _start_item(self, spans: tuple[Span, ...]) -> None:
        self._at_item = False
        number, indent = self._lists[-1], min(len(self._lists) - 1, _DEEPEST_INDENT)
        kind = Kind.BULLET if number is None else Kind.NUMBER
        part = Part(kind=kind, spans=_ticked(spans), indent=indent, number=number or 0, quotes=self._quotes)
        self._add(part)
        self._item = part

    def _code(self, token: Token) -> None:
        # Behind the fence stands the name of a language, or else words that nobody meant as one.
        info = "" if _LANGUAGE.fullmatch(token.info.rstrip()) and token.content.strip() else token.info.strip()
        code = cleaned(f"{info}\n{token.content}" if info else token.content).rstrip("\n")
        if code.strip():
            self._preformatted(Part(kind=Kind.CODE, spans=(Span(text=code),), quotes=self._quotes))

    def _table(self, opening: Token, tokens: Sequence[Token]) -> None:
        rows: list[list[tuple[Span, ...]]] = []
        for token in tokens:
            if token.type == "row":
                rows.append([])
            else:
                rows[-1].append(_cell(spans_of(token.children or [], self._allowed)))
        table: tuple[Row, ...] = tuple(map(tuple, rows))
        right = tuple(opening.meta["right"])
        self._preformatted(Part(kind=Kind.TABLE, rows=table, right=right, quotes=self._quotes))

    def _preformatted(self, part: Part) -> None:
        if self._at_item and self._lists[-1] is not None:
            self._start_item((Span(text="…"),))  # an item has to have words for its number to be seen
        self._add(part)

    def _add(self, part: Part) -> None:
        self.parts.append(part)
        self._at_item, self._item = False, None


def _cell(spans: Iterable[Span]) -> tuple[Span, ...]:
    """A cell is one line."""
    return joined(replace(span, text=_SPACE.sub(" ", span.text)) for span in spans)


def _ticked(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """A task's box as a character."""
    match = _TASK.match(spans[0].text)
    if match is None:
        return spans
    box = "☐" if match.group(1) == " " else "☑"
    return (replace(spans[0], text=f"{box} {spans[0].text[match.end() :]}"), *spans[1:])
