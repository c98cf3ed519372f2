"""What the words of a ticket's status mean, in Japanese and English: whatever tool wrote them, they are free text."""

from __future__ import annotations

import re
from unicodedata import normalize

_DONE = r"resolved|closed|solved|done|fixed|completed?|finished"
_SOLVED = re.compile(
    rf"(?<![a-z])(?:{_DONE})(?![a-z])|解決|完了|クローズ|終了|(?:対応|処理|処置|修正|復旧|回答)済|^済み?$"
)
_GIVEN_UP = re.compile(
    r"(?<![a-z])(?:cancell?ed|withdrawn|rejected|declined|abandoned|duplicate|obsolete|won'?t ?(?:fix|do))(?![a-z])|"
    r"キャンセル|取り?消|取り?下げ|却下|重複|中止|不要|見送り"
)
#: Still to come, only in part, or no longer so: 未解決, to be closed, 完了待ち, closed and reopened.
_NOT_YET = re.compile(
    rf"\bnot (?:yet |fully )?(?:{_DONE})|\bto be\b|\bre-?open|\bpending\b|\bawaiting\b|\bwaiting\b|\bpart(?:ial|ly)|"
    r"未(?:解決|完了|終了|処理|対応済|済)|待|一部|予定|確認中|再開|再オープン"
)


def is_solved(status: str | None) -> bool:
    """Whether the ticket's matter is done: resolved, closed, 解決済み, 完了."""
    return _says(_SOLVED, status)


def is_settled(status: str | None) -> bool:
    """Whether nothing is to be done for the ticket any more: it is solved, or was given up (cancelled, 取り下げ)."""
    return _says(_SOLVED, status) or _says(_GIVEN_UP, status)


def _says(meaning: re.Pattern[str], status: str | None) -> bool:
    words = re.sub(r"[_\s]+", " ", normalize("NFKC", status or "").casefold()).replace("’", "'").strip()
    return meaning.search(words) is not None and _NOT_YET.search(words) is None
