"""Japanese eras: 令和8年 is 2026. Five names for as many beginnings, the same as on every official form."""

from __future__ import annotations

from memory.text.times.rules import number

#: The first year of each era, and its last one where it has ended.
_ERAS = {"明治": (1868, 1912), "大正": (1912, 1926), "昭和": (1926, 1989), "平成": (1989, 2019), "令和": (2019, 9999)}
_LETTERS = {"m": "明治", "t": "大正", "s": "昭和", "h": "平成", "r": "令和"}


def era_year(era: str, word: str) -> int:
    """The year of a year of an era, named or by its letter. Raises ValueError where the era has no such year."""
    first, last = _ERAS[_LETTERS.get(era, era)]
    year = first + number(word) - 1
    if not first <= year <= last:
        raise ValueError(f"{era} has no year {word}")
    return year
