"""What the words of a ticket's status mean, in Japanese and English: whatever tool wrote them, they are free text."""

from __future__ import annotations

import re
from unicodedata import normalize

_SOLVED = re.compile(r"resolved|closed|solved|done|fixed|complete|finished|解決|完了|クローズ|終了|済")
_GIVEN_UP = re.compile(
    r"cancel|withdrawn|reject|declined|duplicate|won'?t (?:fix|do)|obsolete|"
    r"キャンセル|取消|取り?消し|取り?下げ|却下|重複|中止|対応不要|見送り"
)
#: Still to come, only in part, or no longer so: 未解決, incomplete, to be closed, 完了待ち, closed and reopened.
_NOT_YET = re.compile(
    r"\b(?:un|in)(?:re)?(?:solved|closed|complete|finished)|\bnot\b|\bto be\b|\bre-?open|\bpending\b|"
    r"\bwaiting\b|\bawaiting\b|\bpartial|\bpartly\b|未|待ち?|一部|予定|再開|再オープン"
)


def is_solved(status: str | None) -> bool:
    """Whether the ticket's matter is done: resolved, closed, 解決済み, 完了."""
    return _says(_SOLVED, status)


def is_settled(status: str | None) -> bool:
    """Whether nothing is to be done for the ticket any more: it is solved, or was given up (cancelled, 取り下げ)."""
    return _says(_SOLVED, status) or _says(_GIVEN_UP, status)


def _says(meaning: re.Pattern[str], status: str | None) -> bool:
    words = re.sub(r"[_\s]+", " ", normalize("NFKC", status or "").casefold())
    return meaning.search(words) is not None and _NOT_YET.search(words) is None
