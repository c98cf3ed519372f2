"""What a sentence says besides a secret that was taken out of it: where it tells nothing else, nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memory.text.sentences import sentences

#: As `redact` writes them, by whatever name the administrator gave to a pattern.
_PLACEHOLDER = re.compile(r"\[[^\W_][\w-]{0,60}-[0-9a-f]{4}\]")
_BRACKETS = re.compile(r"[(（]([^()（）]*)[)）]")
#: Where clauses end; behind a secret one that goes on with the trouble, too.
_CLAUSE = re.compile(
    r"[、,，;；]\s*|\s[-–—]\s|(?<=\])\s?(?:(?:なの|なん)?です(?:が|けど|けれども?)|なのに)\s?|(?<=\])\s(?:and|but|so)\s"
)
_ENDS = " \t、,，;；:：-–—"
_ENGLISH = (
    "my|the|our|a|s|it|its|this|that|here|is|was|are|and|with|for|as|by|i|we|use|used|using|tried|entered|typed|have|set"
    "|new|old|current|temporary|initial|default|admin|user|username|login|logon|account|id|passwords?|passwd|passphrase"
    "|passcode|pw|pwd|pass|pin|code|token|key|api|secret|access|private|credit|card|number|please|pls|check|fyi|btw|just"
)
_JAPANESE = (
    "パスワード|パスフレーズ|パスコード|パス|暗証番号|認証コード|コード|トークン|キー|鍵|クレジット|カード|マイナンバー|個人番号|番号|ログイン"
    "|アカウント|ユーザー?|管理者|私|僕|自分|現在|今|新しい|古い|初期|仮|念のため|ちなみに|以下|でございます|になります|となります|です|でした"
    "|入力(?:しました|しています)?|設定(?:しました|しています)?|使(?:っています|いました)|ご?確認(?:ください|下さい)?|お願い(?:し|いたし)ます"
    "|[のはがをとでにもだ]"
)
#: What there is around a secret where somebody only tells it.
_TELLING = re.compile(rf"(?<![a-z])(?:{_ENGLISH})(?![a-z])|{_JAPANESE}")


def without_told(sentence: str) -> str:
    """The sentence without those clauses that only tell a secret; empty where it tells nothing else. Linear."""
    if _PLACEHOLDER.search(sentence) is None:
        return sentence
    said = _BRACKETS.sub(lambda found: " " if _tells(found[1]) else found[0], sentence)
    kept = "".join(clause + end for clause, end in _clauses(said) if not _tells(clause)).rstrip(_ENDS)
    return " ".join(kept.split()) if _says_more(kept) else ""


def besides_secrets(text: str) -> str:
    """What a text says besides the secrets that were taken out of it, by which it can be looked for: what stands in
    their place is no code and no name. The text itself where it says nothing else. Linear."""
    if _PLACEHOLDER.search(text) is None:
        return text
    kept = "".join(without_told(part.strip()) + part[len(part.rstrip()) :] for part in sentences(text))
    return _PLACEHOLDER.sub(" ", kept).strip() or text


def _clauses(sentence: str) -> Iterator[tuple[str, str]]:
    """Each with what ends it."""
    begins = 0
    for end in _CLAUSE.finditer(sentence):
        yield sentence[begins : end.start()], end[0]
        begins = end.end()
    yield sentence[begins:], ""


def _tells(clause: str) -> bool:
    return _PLACEHOLDER.search(clause) is not None and not _says_more(clause)


def _says_more(clause: str) -> bool:
    words = unicodedata.normalize("NFKC", _PLACEHOLDER.sub(" ", clause)).casefold()
    return any(unicodedata.category(each)[0] in "LN" for each in _TELLING.sub(" ", words))
