"""From Markdown to sections: what stands under one heading, cut where it can be cut when it is long."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

#: Characters after which a section is cut before its next block.
LONGEST = 1_000
#: Between the headings of a path, in which no heading has it.
ABOVE = " › "
#: The slug of what stands above the first heading.
_BEGINNING = "beginning"
_NO_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A run of lines. `headings` is the path of headings above it, outermost first; `slug` names it within its file and
    stays the same while its headings do."""

    headings: tuple[str, ...]
    slug: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heading:
    """A heading outside of lists and quotes; `line` counts from 0, `body` is the first line behind it."""

    level: int
    text: str
    line: int
    body: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """The lines of a section, from `first` up to `end`; `body` is the first behind its headings."""

    path: tuple[str, ...]
    first: int
    body: int
    end: int


def sections_of(markdown: str, *, longest: int = LONGEST) -> list[Section]:
    """The sections in order; their texts together are the Markdown, character for character.

    A heading under which nothing stands goes with the section below it. A section of more than `longest` characters is
    cut between its blocks: paragraphs, lists, tables and blocks of code stay whole, however long they are.
    """
    lines = markdown.splitlines(keepends=True)
    # The parser knows LF, CR and CRLF only; whatever else separates lines is a blank to it.
    blocks = _markdown().parse("\n".join(line.rstrip("\r\n").translate(_ODD_ENDS) for line in lines))
    starts = [token.map[0] for token in blocks if token.map and token.level == 0]
    slugs: Counter[str] = Counter()
    found: list[Section] = []
    for run in _runs(lines, _headings(blocks)):
        slug = _unique("/".join(map(anchor, run.path)) or _BEGINNING, slugs)
        cuts = [line for line in starts if run.body <= line < run.end][1:]  # a heading is never left alone
        for part, text in enumerate(_parts(lines, [run.first, *cuts, run.end], longest), 1):
            found.append(Section(headings=run.path, slug=slug if part == 1 else f"{slug}.{part}", text=text))
    return found


def anchor(heading: str) -> str:
    """The fragment by which web pages made of Markdown know a heading: its words, small, with dashes between them."""
    folded = unicodedata.normalize("NFC", heading).strip().lower()
    return _NO_SLUG.sub("", folded).replace(" ", "-")


def last_anchor(markdown: str) -> str | None:
    """The fragment of the last heading in these sections of a file, which begin where the file does; None where there
    is none. The second heading of a name has -1 behind it on a web page, the third -2."""
    known: Counter[str] = Counter()
    last = None
    for heading in _headings(_markdown().parse(markdown)):
        name = anchor(heading.text)
        last = f"{name}-{known[name]}" if known[name] else name
        known[name] += 1
    return last


#: Where Python sees the end of a line and Markdown does not.
_ODD_ENDS = dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), " ")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _headings(tokens: Sequence[Token]) -> list[_Heading]:
    return [
        _Heading(level=int(token.tag[1:]), text=_plain(tokens[place + 1]), line=token.map[0], body=token.map[1])
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _plain(inline: Token) -> str:
    """The words of a heading without their looks."""
    words = "".join(
        token.content if token.type in ("text", "code_inline") else " " * (token.type == "softbreak")
        for token in inline.children or ()
    )
    return " ".join(words.split()).replace(ABOVE.strip(), ">")


def _runs(lines: Sequence[str], headings: Sequence[_Heading]) -> Iterator[_Run]:
    """Every line is in one of them."""
    path: list[_Heading] = []
    ends = [*(heading.line for heading in headings), len(lines)]
    first = 0
    if _says(lines, 0, ends[0]) or (lines and not headings):
        yield _Run(path=(), first=0, body=0, end=ends[0])
        first = ends[0]
    for heading, end in zip(headings, ends[1:], strict=True):
        path = [*(above for above in path if above.level < heading.level), heading]
        if _says(lines, heading.body, end) or end == len(lines):
            yield _Run(path=tuple(above.text for above in path if above.text), first=first, body=heading.body, end=end)
            first = end


def _says(lines: Sequence[str], first: int, end: int) -> bool:
    return any(line.strip() for line in lines[first:end])


def _parts(lines: Sequence[str], borders: Sequence[int], longest: int) -> Iterator[str]:
    """The text of a section, cut at those of its blocks' borders behind which a part would grow too long."""
    text = ""
    for start, stop in pairwise(borders):
        block = "".join(lines[start:stop])
        if text and len(text) + len(block) > longest:
            yield text
            text = ""
        text += block
    yield text


def _unique(slug: str, slugs: Counter[str]) -> str:
    """The second section of the same name gets a number; no slug has a dot but before the number of a part."""
    slugs[slug] += 1
    return slug if slugs[slug] == 1 else f"{slug}~{slugs[slug]}"
