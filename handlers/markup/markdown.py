"""Markdown as models and people write it, as tokens. It differs from CommonMark where that would lose words, or show
asterisks to readers of Japanese."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Any
from unicodedata import east_asian_width

from markdown_it import MarkdownIt
from markdown_it.common.utils import isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as table_rule
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline import link as link_rule
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

#: Levels of quotes and lists (a list counts twice, for itself and its item); what lies deeper is plain text.
_DEPTH = 12
#: Setext headings are left out: a line above `---` is mostly meant as a line above a rule. So are link definitions,
#: whose words would vanish, and HTML, which is shown as it was written.
_BLOCKS = ["table", "code", "fence", "blockquote", "hr", "list", "heading", "paragraph"]
_INLINES = ["text", "newline", "escape", "backticks", "strikethrough", "emphasis", "link", "autolink", "entity"]
_SCHEME = re.compile("[A-Za-z]{2,15}$")
#: A URL ends before Japanese, which often follows it without a space.
_URL = re.compile(r"[A-Za-z]+://[!#-;=?-\[\]^_a-~]+")
_AFTER_URL = ".,;:!?'*_~|"
_BREAK = re.compile(r"<br\s{0,9}/?>", re.IGNORECASE)
_PIPE = re.compile(r"(?<!\\)\|")


def tokens_of(text: str, allowed_links: Collection[str]) -> list[Token]:
    """The block tokens; those of type `inline` have children. Besides the parser's own there are `bare_url` (content:
    the URL) among the children, and for each row of a table a `row` before its `inline` cells, all of them, however
    many the header has; `table_open` says in meta["right"] which columns are set to the right."""
    return _markdown().parse(text, {"allowed": allowed_links})


@cache
def _markdown() -> MarkdownIt:
    return _Markdown()


class _Markdown(MarkdownIt):
    """Links keep their URL as it was written, whatever it is: who shows them decides which are links."""

    def __init__(self) -> None:
        super().__init__("zero", {"maxNesting": 3 * _DEPTH})
        self.inline = _Inline()
        self.inline.ruler.enableOnly(_INLINES)
        self.inline.ruler.before("link", "bare_url", _bare_url)
        self.inline.ruler.at("link", _link)
        self.inline.ruler.before("link", "image", _image_as_link)
        self.inline.ruler.before("autolink", "break", _break)
        self.block.ruler.enableOnly(_BLOCKS)
        self.block.ruler.at("table", _whole_table, {"alt": ["paragraph", "reference"]})
        self.block.ruler.before("table", "too_deep", _too_deep)
        self.core.ruler.enableOnly(["normalize", "block", "inline", "text_join"])

    def normalizeLink(self, url: str) -> str:  # noqa: N802, the parser's name
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802, the parser's name
        return link

    def validateLink(self, url: str) -> bool:  # noqa: N802, the parser's name
        return True


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803, the parser's names
        """CommonMark tells opening from closing marks by spaces and punctuation around them, of which Japanese has no
        spaces: in `は**「太字」**です` neither mark counts. Beside a character of East Asian width a mark may therefore
        open if no space follows it, and close if none stands before it, as beside punctuation."""
        found = super().scanDelims(start, canSplitWord)
        end = start + found.length
        before = self.src[start - 1] if start else " "
        after = self.src[end] if end < self.posMax else " "
        opens = found.can_open or (canSplitWord and _wide(before) and not isWhiteSpace(ord(after)))
        closes = found.can_close or (canSplitWord and _wide(after) and not isWhiteSpace(ord(before)))
        return Scanned(opens, closes, found.length)


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _wide(character: str) -> bool:
    return character != "\u3000" and east_asian_width(character) in "WFH"


def _bare_url(state: StateInline, silent: bool) -> bool:
    """Takes a URL out of the text, so that the marks in it stay what they are."""
    if silent or not state.src.startswith("://", state.pos):
        return False
    scheme = _SCHEME.search(state.pending[-15:])
    if scheme is None:
        return False
    start = state.pos - len(scheme.group())
    url = _address(state, start)
    if len(url) <= len(scheme.group()) + len("://"):
        return False
    state.pending = state.pending[: -len(scheme.group())]
    state.push("bare_url", "", 0).content = url
    state.pos = start + len(url)
    return True


def _address(state: StateInline, start: int) -> str:
    allowed: Collection[str] = state.env["allowed"]
    match = _URL.match(state.src, start, state.posMax)
    url = match.group() if match else ""
    known = [each for each in allowed if len(each) >= len(url) and state.src.startswith(each, start, state.posMax)]
    return max(known, key=len) if known else _trimmed(url)


def _trimmed(url: str) -> str:
    """Without the punctuation of the sentence around it; a closing bracket stays if it was opened within."""
    while url:
        opening = {")": "(", "]": "[", "}": "{"}.get(url[-1])
        unopened = opening is not None and url.count(url[-1]) > url.count(opening)
        if not unopened and url[-1] not in _AFTER_URL:
            return url
        url = url[:-1]
    return url


def _link(state: StateInline, silent: bool) -> bool:
    """Does not look for a link where none can follow: for many brackets the parser takes a time that grows squared."""
    return state.html_terminator_last("](") >= state.pos and link_rule(state, silent)


def _image_as_link(state: StateInline, silent: bool) -> bool:
    """Leaves the `!` of an image out; what is left is a link with the alternative text."""
    start = state.pos
    if not state.src.startswith("![", start):
        return False
    state.pos = start + 1
    follows = _link(state, True)
    state.pos = start + 1 if follows else start
    return follows


def _break(state: StateInline, silent: bool) -> bool:
    """`<br>` is what models write where Markdown has no line break, as in tables."""
    match = _BREAK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = match.end()
    return True


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The parser itself drops what is nested too deeply; here it becomes text."""
    if silent or state.level < _DEPTH:
        return False
    line = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    _push_text(state, "paragraph", state.getLines(start, line, state.blkIndent, False).strip())
    state.line = line
    return True


def _push_text(state: StateBlock, kind: str, text: str) -> None:
    state.push(f"{kind}_open", "p", 1)
    _push_inline(state, text)
    state.push(f"{kind}_close", "p", -1)


def _push_inline(state: StateBlock, text: str) -> None:
    inline = state.push("inline", "", 0)
    inline.content = text
    inline.children = []


def _whole_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Finds a table where the parser does, but keeps the cells that the header has no column for."""
    first = len(state.tokens)
    if not table_rule(state, start, end, silent):
        return False
    if silent:
        return True
    del state.tokens[first:]
    header, marks, *body = [_cells(state, line) for line in range(start, state.line) if not state.isEmpty(line)]
    right = [mark.endswith(":") and not mark.startswith(":") for mark in marks]
    state.push("table_open", "table", 1).meta = {"right": right}
    for row in (header, *body):
        state.push("row", "", 0)
        for cell in row:
            _push_inline(state, cell)
    state.push("table_close", "table", -1)
    return True


def _cells(state: StateBlock, line: int) -> list[str]:
    text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()
    cells = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(text)]
    return cells[1 if text.startswith("|") else 0 : -1 if len(cells) > 1 and not cells[-1] else None]
