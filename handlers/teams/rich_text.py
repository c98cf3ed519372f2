"""What somebody wrote in Teams' editor, from its HTML to plain words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser

from handlers.characters import one_line
from handlers.links import link_in_words
from handlers.teams.page import Page

#: Characters that are read; Teams takes no message of more.
_LONGEST = 100_000
_TAG = re.compile("<[A-Za-z/?]")
_SKYPE = "http://schema.skype.com/"
_BLOCKS = frozenset("p div section article header footer table tr h1 h2 h3 h4 h5 h6 hr figure".split())
_HIDDEN = frozenset({"script", "style", "head", "attachment"})
_CODE = frozenset({"pre", "codeblock"})
_LISTS = frozenset({"ul", "ol"})
_CELLS = frozenset({"td", "th"})
#: Where a link may lead; of another only the words are kept.
_SCHEMES = ("http://", "https://", "mailto:", "tel:")
#: What Teams calls any image.
_ANY_IMAGE = frozenset({"", "image", "画像", "イメージ"})
_NAME = 80
_INDENTED = 8

Attributes = Mapping[str, str]
#: Given the name in a mention and its number among those of the message, what stands for it.
Mentioned = Callable[[str, int | None], str]


def words_of_html(html: str, mentioned: Mentioned) -> str:
    """The words of a message in HTML, with what `mentioned` says for its mentions. Takes time in proportion to its
    length, whatever is in it, and never raises."""
    reader = _Reader(mentioned)
    reader.feed(whole_tags(html[:_LONGEST]))
    reader.close()
    return reader.words()


def whole_tags(html: str) -> str:
    """The HTML without declarations and comments, and without a tag at the end that is not closed: the parser looks for
    the ends of those again and again."""
    pieces, at = [], 0
    while (start := html.find("<!", at)) >= 0:
        closing = "-->" if html.startswith("<!--", start) else ">"
        end = html.find(closing, start)
        pieces.append(html[at:start])
        at = end + len(closing) if end >= 0 else len(html)
    kept = " ".join([*pieces, html[at:]])
    last = kept.rfind(">") + 1
    open_tag = _TAG.search(kept, last)
    return kept[: open_tag.start()] if open_tag else kept


class _Held:
    """Words that are kept back until their element ends: those of a link, those of a mention."""

    def __init__(self, tag: str, about: str) -> None:
        self.tag = tag
        self.about = about
        self.inner = 0
        self.pieces: list[str] = []

    @property
    def words(self) -> str:
        return " ".join("".join(self.pieces).split())


class _Reader(HTMLParser):
    """Keeps a count of each kind of element that is open, so that an end costs nothing however many are."""

    def __init__(self, mentioned: Mentioned) -> None:
        super().__init__(convert_charrefs=True)
        self._mentioned = mentioned
        self._page = Page()
        self._held: list[_Held] = []
        self._lists: list[int | None] = []
        self._hidden = self._code = self._cells = 0
        self._first_cell = True

    def words(self) -> str:
        """All words, when the end was read."""
        while self._held:
            self._let_go()
        if self._code:
            self._close_code()
        return self._page.written()

    # --- what the parser tells ----------------------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """An element begins."""
        given = {name: value or "" for name, value in reversed(attrs)}
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in ("a", "at", "span"):
            self._hold(tag, given)
        elif tag in ("img", "emoji"):
            self._put(_picture(tag, given))
        elif tag == "br":
            self._break()
        elif tag in _CODE or tag == "code":
            self._open_code(tag)
        else:
            self._open(tag)

    def handle_endtag(self, tag: str) -> None:
        """An element ends, or nothing does: people's programs write what they like."""
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif self._held and tag == self._held[-1].tag:
            self._held[-1].inner -= 1
            if self._held[-1].inner < 0:
                self._let_go()
        elif tag in _CODE and self._code:
            self._code -= 1
            if not self._code:
                self._close_code()
        elif tag == "code" and not self._code:
            self._put("`")
        else:
            self._close(tag)

    def handle_data(self, data: str) -> None:
        """Words between tags."""
        self._put(data)

    # --- what becomes of it -------------------------------------------------------------------------------------------

    def _put(self, words: str) -> None:
        if self._hidden:
            return
        if self._held:
            self._held[-1].pieces.append(words)
        elif self._code:
            self._page.verbatim(words)
        else:
            self._page.words(words)

    def _break(self) -> None:
        if self._held or self._cells:
            self._put(" ")
        else:
            self._page.blank()

    def _open(self, tag: str) -> None:
        if tag in _CELLS:
            self._open_cell()
        elif tag in _LISTS:
            self._lists.append(0 if tag == "ol" else None)
            self._page.line()
        elif tag == "li":
            self._page.item(self._mark())
        elif tag == "blockquote":
            self._page.quote(1)
        elif tag in _BLOCKS:
            self._part(tag)

    def _close(self, tag: str) -> None:
        if tag in _CELLS:
            self._cells = max(0, self._cells - 1)
        elif tag in _LISTS:
            self._page.line()
            del self._lists[-1:]
        elif tag == "li":
            self._page.line()
            self._page.unmarked()
        elif tag == "blockquote":
            self._page.quote(-1)
        elif tag in _BLOCKS:
            self._part(tag)

    def _part(self, tag: str) -> None:
        """The bounds of a block part lines; in a cell, whose row is one line, they part words."""
        if tag in ("tr", "table"):
            self._cells, self._first_cell = 0, True
        if self._cells:
            self._put(" ")
        else:
            self._page.line()

    def _open_cell(self) -> None:
        if not self._first_cell:
            self._put(" | ")
        self._first_cell = False
        self._cells += 1

    def _mark(self) -> str:
        indent = "  " * min(max(0, len(self._lists) - 1), _INDENTED)
        before = self._lists[-1] if self._lists else None
        if before is None:
            return f"{indent}• "
        self._lists[-1] = before + 1
        return f"{indent}{before + 1}. "

    def _open_code(self, tag: str) -> None:
        if tag == "code":
            self._put("" if self._code else "`")
            return
        self._code += 1
        if self._code == 1:
            self._page.line()
            self._page.verbatim("```\n")

    def _close_code(self) -> None:
        self._code = 0
        self._page.line()
        self._page.verbatim("```\n")

    def _hold(self, tag: str, given: Attributes) -> None:
        if self._held and self._held[-1].tag == tag and tag == "span":
            self._held[-1].inner += 1
        elif tag == "a":
            self._hold_new(_Held(tag, given.get("href", "")))
        elif tag == "at" or given.get("itemtype") == f"{_SKYPE}Mention":
            self._hold_new(_Held(tag, given.get("itemid", given.get("id", ""))))

    def _hold_new(self, held: _Held) -> None:
        """At most one link with one mention in it."""
        while self._held and (held.tag == "a" or self._held[-1].tag != "a"):
            self._let_go()
        self._held.append(held)

    def _let_go(self) -> None:
        held = self._held.pop()
        if held.tag == "a":
            self._put(_link(held))
        else:
            self._put(self._mentioned(held.words, _number(held.about)))


def _number(about: str) -> int | None:
    return int(about) if about.isascii() and about.isdigit() and len(about) < 5 else None


def _link(held: _Held) -> str:
    address = "".join(held.about.split())
    return link_in_words(address, held.words) if address.lower().startswith(_SCHEMES) else held.words


def _picture(tag: str, given: Attributes) -> str:
    name = one_line(given.get("alt") or given.get("title") or "", _NAME)
    if tag == "emoji" or given.get("itemtype") == f"{_SKYPE}Emoji":
        return name
    return "[image]" if name.lower() in _ANY_IMAGE else f"[image: {name}]"
