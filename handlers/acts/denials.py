"""Messages that say that an answer was wrong, and what they say is right instead."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from memory.remember.extraction.talk import asks
from memory.text.sentences import sentences

#: Longer messages are a story of their own.
_LONGEST = 300

_JAPANESE = re.compile(
    r"(?:(?:いえ|いいえ|いや|すみません|あの)[、,。\s]*)?"
    r"(?:(?:それ|これ|(?:その|今の|いまの|さっきの|先ほどの|前の)?(?:回答|答え|情報|内容))(?:は|が)?[、,\s]*)?(?:もう|少し|ちょっと)?"
    r"(?:違います|違う(?:と思います|ようです)?|ちがいます|ちがう|間違(?:い|え)です|間違[っえ]て(?:い|お)?(?:ます|ります)|間違い"
    r"|誤りです|誤って(?:い|お)?(?:ます|ります)|正しく(?:ないです|ない|ありません)|古い(?:情報|内容)?です)(?:よ|ね)?(?:[。、,.!\s]+|$)"
)
_ENGLISH = re.compile(
    r"(?:(?:no|sorry|hmm|actually|well)[,.!\s]+)*"
    r"(?:(?:that|this|it|(?:your|the|that) (?:answer|information))(?:'s| is| was)?(?: not| n't)?\s*"
    r"(?:(?<=not)\s*(?:right|correct|true)(?: any ?more)?|(?:isn't|wasn't) (?:right|correct|true)(?: any ?more)?"
    r"|no longer (?:right|correct|true|valid|the case)|wrong|incorrect|false|out of date|outdated)"
    r"|wrong|incorrect|not (?:right|correct|true))"
    r"(?:\s*(?:[.,;:!-]+\s*|$)|\s+(?=(?:it|the|now|he|she|they|actually)\b))(?:(?:and|but|because) )?",
    re.IGNORECASE,
)
#: A bare no, where what follows says what has changed.
_NO = re.compile(
    r"(?:いえ|いいえ|いや|ううん)[、,。\s]*(?=[^。\n]{1,60}(?:(?:変わり|代わり|替わり|交代し|変更になり|変更され|なり|移り)ました|になっています)"
    r"(?:よ|ね)?[。.!]*$)"
    r"|(?:no|nope)[,.!\s]+(?=[^.?!\n]{2,60}\bnow[.!]*$)",
    re.IGNORECASE,
)
_IS_JA = r"(?:です|だ|になりました|になっています|に(?:変わり|代わり|替わり|交代し|変更になり|変更され)ました)"
_VALUES = (
    re.compile(
        r"(?:今|いま|現在|正しく|本当|実際|正解|最新)(?:は|では|に)[、,\s]*(?P<value>[^。、はが\n]{1,40}?)"
        rf"(?:{_IS_JA})?(?:よ|ね)?[。.!]*"
    ),
    re.compile(
        rf"(?:(?:もう|すでに|既に)[、,\s]*)?(?P<value>[^。、はが\n]{{1,40}}?)(?:が正しい)?{_IS_JA}(?:よ|ね)?[。.!]*"
    ),
    re.compile(
        r"(?:now,? )?(?:it|that|this|he|she|they|the (?:right|correct|new|current) \w+)"
        r"(?:'s| is| are| has become| became| (?:was |has )?(?:changed|moved) to| should be)\s+"
        r"(?:(?:now|currently|actually|really) )*(?P<value>.{1,60}?)(?: now| currently| these days| instead)?[.!]*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?!(?:it|that|this|he|she|they|we|i|you|everything|nobody)\b)(?P<value>.{1,40}?) (?:(?:now|currently) )?"
        r"(?:owns|has|handles|runs|manages|looks after|takes care of|took over|has taken over"
        r"|is (?:now )?(?:responsible for|in charge of))(?: (?:it|that|this))?(?: now)?[.!]*",
        re.IGNORECASE,
    ),
    re.compile(r"(?:now|currently|actually)[, ]+(?P<value>.{1,60}?)[.!]*", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """Somebody says that an answer was wrong. `rest` is what they say beside, "" where that is all; `value` what it is
    instead, where they give a bare value: "it is now Mori". Not `expressly`: it is only a no, which says so where a
    change follows that can be read."""

    rest: str
    value: str
    expressly: bool = True


def denial_in(words: str) -> Denial | None:
    """None where the words say anything else, or ask."""
    said = unicodedata.normalize("NFKC", words).replace("’", "'").strip()
    if len(said) > _LONGEST or asks(said):
        return None
    expressly = _JAPANESE.match(said) or _ENGLISH.match(said)
    match = expressly or _NO.match(said)
    if match is None:
        return None
    rest = said[match.end() :].strip()
    values = (found["value"].strip() for part in sentences(rest) for found in _matches(part.strip()))
    return Denial(rest=rest, value=next(values, ""), expressly=expressly is not None)


def _matches(sentence: str) -> list[re.Match[str]]:
    return [found for pattern in _VALUES if (found := pattern.fullmatch(sentence))]
