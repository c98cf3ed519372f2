"""Whether a quote stands in a text: exact up to width, white space and invisible characters; case counts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: A quote shorter than this, once folded, says nothing.
_SHORTEST = 2

#: What people and models put around a quote that is not part of it.
_WRAPPINGS = ('""', "''", "“”", "‘’", "「」", "『』", "``", "«»")

#: Kana, kanji and the punctuation that goes with them, after NFKC.
_JAPANESE = "\u3001-\u30ff\u3400-\u9fff"
_LAYOUT = re.compile(rf"(?<=[{_JAPANESE}])\s+|\s+(?=[{_JAPANESE}])")
_SPACE = re.compile(r"\s+")
#: Format characters and variation selectors: nobody sees them, and models leave them out.
_INVISIBLE = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e01ef]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a quote stands: `place` is the text's place in its sequence, `words` the original span, unchanged."""

    place: int
    words: str


@dataclass(frozen=True, slots=True)
class _Folded:
    """A folded text; the original span `starts[i]` to `ends[i]` is what became character i."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def folded(text: str) -> str:
    """NFKC, without invisible characters; white space runs to one space, and to none beside a Japanese character,
    where it is only layout. Case is kept."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).strip()
    return _SPACE.sub(" ", _LAYOUT.sub("", visible))


def standing(quote: str, texts: Sequence[str]) -> list[Standing]:
    """Every text in which the quote stands, in their order, each with the exact original words of its first place.

    Empty for a quote that stands nowhere, is shorter than two characters or has neither letter nor digit.
    """
    wanted = folded(quote)
    if not _says_something(wanted):
        return []
    places = _find(wanted, texts)
    return places or _find(_unwrapped(wanted), texts)


def nearest(found: Sequence[Standing], place: int) -> Standing | None:
    """The one nearest to `place`, of two equally near the later; None when there is none."""
    return min(found, key=lambda one: (abs(one.place - place), -one.place), default=None)


def _says_something(quote: str) -> bool:
    return len(quote) >= _SHORTEST and any(character.isalnum() for character in quote)


def _unwrapped(quote: str) -> str:
    inner = quote[1:-1].strip()
    return inner if quote[0] + quote[-1] in _WRAPPINGS and _says_something(inner) else ""


def _find(wanted: str, texts: Sequence[str]) -> list[Standing]:
    if not wanted:
        return []
    spans = ((place, _span(wanted, text)) for place, text in enumerate(texts))
    return [Standing(place=place, words=words) for place, words in spans if words]


def _span(wanted: str, text: str) -> str:
    """The original words that fold to `wanted`; empty when they are not there."""
    if wanted not in folded(text):
        return ""
    # Only a text that holds the quote is worth the map back to the original, which is ten times the work.
    folding = _fold(text)
    start = folding.text.find(wanted)
    if start < 0:
        return ""
    return text[folding.starts[start] : folding.ends[start + len(wanted) - 1]]


def _fold(text: str) -> _Folded:
    kept: list[tuple[str, int, int]] = []
    for entry in _normalised(text):
        after = kept[-1][0] if kept else " "
        if entry[0] == " " and (after == " " or _is_japanese(after)):
            continue
        if after == " " and kept and _is_japanese(entry[0]):
            kept.pop()
        kept.append(entry)
    if kept and kept[-1][0] == " ":
        kept.pop()
    return _Folded("".join(entry[0] for entry in kept), [entry[1] for entry in kept], [entry[2] for entry in kept])


def _normalised(text: str) -> Iterator[tuple[str, int, int]]:
    """Each visible character after NFKC, with the original span it came from; white space as a plain space."""
    for start, end in _clusters(text):
        for character in unicodedata.normalize("NFKC", text[start:end]):
            if character.isspace():
                yield " ", start, end
            elif not _INVISIBLE.match(character):
                yield character, start, end


def _clusters(text: str) -> list[tuple[int, int]]:
    """Spans that normalise on their own: a character with the marks after it, as in ｶﾞ."""
    starts = [place for place, character in enumerate(text) if place == 0 or not _joins(character)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _joins(character: str) -> bool:
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.combining(first) != 0 or "\u1160" <= first <= "\u11ff"


def _is_japanese(character: str) -> bool:
    return "\u3001" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff"
