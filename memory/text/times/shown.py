"""Days that a text names only from where its writer stood ("yesterday", 土曜), written out for later readers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.text.dates import Mention, mentions
from memory.text.language import LanguageCode
from memory.text.times.model import Precision
from memory.text.times.worded import worded_days

#: Most days that are written out for one text.
_MOST = 3
#: A month in digits or by name: the reader sees what is meant.
_WRITTEN_OUT = re.compile(
    r"\d\s*[月/.-]|\d{4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE
)
_LAST = timedelta(microseconds=1)
_DAY = timedelta(hours=23)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """`words` as they stand in the text, and the first and the last day that they mean, in units of `precision`."""

    words: str
    first: date
    last: date
    precision: Precision

    def worded(self, language: LanguageCode) -> str:
        """yesterday = 9 September 2026"""
        return f"{self.words} = {worded_days(self.first, self.last, self.precision, language)}"


def shown_days(text: str, said_at: datetime) -> list[Shown]:
    """The days behind the relative words of a text, in its order, at most three. The day on which it was said and hours
    of that day are left out: they are known."""
    found = (_shown(text, mention) for mention in mentions(text, said_at) if _is_relative(text, mention))
    return [one for one in found if (one.first, one.last) != (said_at.date(), said_at.date())][:_MOST]


def _is_relative(text: str, mention: Mention) -> bool:
    start, end = mention.span
    return not _WRITTEN_OUT.search(text[start:end])


def _shown(text: str, mention: Mention) -> Shown:
    """A night belongs to the day on which it began."""
    start, end = mention.span
    first, last = mention.range.start, mention.range.end - _LAST
    return Shown(
        words=" ".join(text[start:end].split()),
        first=first.date(),
        last=first.date() if last - first < _DAY else last.date(),
        precision=mention.range.precision,
    )
