"""Which of the two languages a message is written in."""

from __future__ import annotations

import re
from typing import Literal

LanguageCode = Literal["ja", "en"]

_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_KANJI_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d]")
_LATIN_WORD = re.compile(r"[^\W\d_\u0250-\U0010ffff]+(?:['’][a-z]+)?", re.IGNORECASE)
#: What somebody else said, or a machine: it does not show the language of the one who quotes it.
_QUOTED = re.compile(
    r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"\n]*\"|```.*?(?:```|\Z)|`[^`\n]*`|https?://[!-~]+", re.DOTALL
)
#: Error codes, host names with numbers, versions: the same in both languages.
_CODE = re.compile(r"[A-Za-z0-9_.:/\\@-]*[0-9][A-Za-z0-9_.:/\\@-]*")
#: So much Japanese is a sentence of the writer's, however long the English log below it.
_SENTENCE = 7.0
#: People say what they want before or after what they paste: so much of either end is looked at.
_END = 1000


def detect_language(text: str, default: LanguageCode) -> LanguageCode:
    """The language of the writer's own words, by share: `default` when no word shows one (an emoji, an error code).

    Latin script counts by the word and Japanese by the character, kanji and katakana half: names and products stand in
    sentences of the other language, hiragana hardly ever.
    """
    return own_language(text) or _by_share(_ends(text)) or default


def own_language(text: str) -> LanguageCode | None:
    """The language of the writer's own words; None where there are none, whatever is quoted or pasted."""
    return _by_share(_QUOTED.sub(" ", _ends(text)))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _END else f"{text[:_END]}\n{text[-_END:]}"


def _by_share(text: str) -> LanguageCode | None:
    text = _CODE.sub(" ", text)
    japanese = len(_HIRAGANA.findall(text)) + 0.5 * len(_KANJI_KATAKANA.findall(text))
    latin = len(_LATIN_WORD.findall(text))
    if not japanese and not latin:
        return None
    return "ja" if japanese >= min(latin, _SENTENCE) else "en"
