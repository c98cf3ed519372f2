"""From the tokens of a paragraph to styled text; here it is decided what may be a link."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from markdown_it.token import Token

from handlers.characters import cleaned
from handlers.markup.parts import Span

_STYLES = {"strong": "bold", "em": "italic", "s": "strike"}
_SAFE = re.compile("(?:https?://|mailto:)", re.IGNORECASE)
#: What is longer leaves no room for words beside it on any platform.
_LONGEST_URL = 2_000
_CODE = frozenset(("code",))


def may_link(url: str) -> bool:
    """Whether a URL is of a kind that may be a link at all, wherever it comes from."""
    return _SAFE.match(url) is not None and len(url) <= _LONGEST_URL


def label(text: str) -> str:
    """A link's words without what is invisible: zero-width characters and direction marks."""
    return "".join(character for character in cleaned(text) if unicodedata.category(character) != "Cf")


def spans_of(tokens: Sequence[Token], allowed_links: Collection[str]) -> Iterator[Span]:
    """The text with its looks. A link is one only if its URL is among `allowed_links` to the letter: of another the
    words stay, and a URL that stands in the text itself is shown as code."""
    styles: list[str] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.type == "link_open":
            end = next(i for i in range(position, len(tokens)) if tokens[i].type == "link_close")
            for span in _link(token, tokens[position:end], allowed_links):
                yield replace(span, styles=span.styles | frozenset(styles))
            position = end + 1
        elif token.tag in _STYLES and token.nesting:
            _restyle(styles, token)
        else:
            yield from _plain(token, frozenset(styles), allowed_links)


def _restyle(styles: list[str], token: Token) -> None:
    style = _STYLES[token.tag]
    if token.nesting > 0:
        styles.append(style)
    else:
        styles.remove(style)


def _plain(token: Token, styles: frozenset[str], allowed_links: Collection[str]) -> Iterator[Span]:
    if token.type == "bare_url":
        yield _url(token.content, styles, allowed_links)
    elif token.type in ("softbreak", "hardbreak"):
        yield Span(text="\n", styles=styles)
    elif token.type == "code_inline":
        yield Span(text=cleaned(token.content), styles=styles | _CODE)
    elif token.content:
        yield Span(text=cleaned(token.content), styles=styles)  # once more: `&#8238;` is an override only now


def _url(url: str, styles: frozenset[str], allowed_links: Collection[str]) -> Span:
    if url in allowed_links and may_link(url):
        return Span(text=label(url), styles=styles, url=url)
    return Span(text=cleaned(url), styles=styles | _CODE)


def _link(opening: Token, words: Sequence[Token], allowed_links: Collection[str]) -> Iterator[Span]:
    url = str(opening.attrs.get("href", ""))
    if opening.markup == "autolink":
        yield _url(url, frozenset(), allowed_links)
        return
    others = {token.content for token in words if token.type == "bare_url"} - {url}
    if url not in allowed_links or not may_link(url) or others:  # words that name another URL would mislead
        yield from spans_of(words, allowed_links)
        return
    shown = [replace(span, text=label(span.text), url=url) for span in spans_of(words, (url,))]
    yield from shown if any(span.text.strip() for span in shown) else [Span(text=label(url), url=url)]
