"""Exact things in a text: error codes, host names, ticket ids, versions. They are matched exactly or not at all."""

from __future__ import annotations

import re
import unicodedata

_HYPHENS = re.compile(r"[\u2010-\u2015\u2212\uff0d\u30fc\u2500](?=[0-9])")
_CODE = re.compile(
    r"""(?<![a-z0-9])(?:
        0x[0-9a-f]{2,}                                   # 0x80070005
      | [a-z][a-z0-9]*(?:[-_][a-z0-9]+)*[-_]?\d[a-z0-9]*(?:[-_][a-z0-9]+)*   # bl-61, qx7731, srv-tym-02, st-21
      | [a-z0-9]+(?:[-.][a-z0-9]+)+\.[a-z]{2,}           # files.example.com
      | \d+(?:\.\d+)+                                    # 4.1.7, 10.0.0.1
      | \d{3,}                                           # 1180, 504
    )(?![a-z0-9])""",
    re.VERBOSE,
)


def fold(text: str) -> str:
    """NFKC, lower case, and every hyphen before a digit as the plain one: ＢＬ－６１ is bl-61."""
    return _HYPHENS.sub("-", unicodedata.normalize("NFKC", text).lower())


def exact_entities(text: str) -> tuple[str, ...]:
    """The exact things that stand in the text, folded, each once, in order of appearance.

    Letters and digits glued to Japanese text are found as well: 「BL-61が出る」 has bl-61.
    """
    return tuple(dict.fromkeys(match.group().strip("-_.") for match in _CODE.finditer(fold(text))))
