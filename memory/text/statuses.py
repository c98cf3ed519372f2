"""What the words of a ticket's status mean, in Japanese and English: whatever tool wrote them, they are free text."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

from memory.tickets import State

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


_CLOSED = re.compile(r"(?<![a-z])(?:closed|completed?|finished)(?![a-z])|クローズ|完了|終了")
_REOPENED = re.compile(r"(?<![a-z])re-?open|再開|再オープン")
_WAITS = r"(?:wait|await|pending|on hold|need)"
#: The party that is waited for decides before what is waited for: サポート回答待ち is not the user's to do.
_OURS = re.compile(
    rf"(?<![a-z]){_WAITS}.*\b(?:support|agent|vendor|supplier|third.party|engineer|developer|it)\b|"
    r"(?:サポート|ヘルプデスク|情シス|担当|ベンダー|メーカー|業者|社内|上長|上司).*待"
)
_USERS = re.compile(
    rf"(?<![a-z]){_WAITS}.*\b(?:user|customer|requester|requestor|reporter|caller|client|employee|"
    r"repl(?:y|ies)|response|answer|feedback|info(?:rmation)?)\b|\bmore info|"
    r"(?:ユーザー?|利用者|お客様|顧客|依頼者|依頼元|申請者|問合せ者|問い合わせ者|本人|現場).*待|"
    r"(?:回答|返信|返答|返事|連絡|応答|情報)待"
)
_IN_WORK = re.compile(
    r"(?<![a-z])(?:in progress|wip|work(?:ing|[ -]in[ -]progress)|assigned|accepted|acknowledged|"
    r"investigating|escalated|wait(?:ing)?|awaiting)(?![a-z])|"
    r"(?<!未)(?:対応|処理|作業|調査|確認|修理|修正|手配|検討)中|(?:対応|処理|作業|調査|手配|修理|承認|部品|入荷|着手|完了)待|"
    r"(?<!未)着手(?!前|待|予定)|割り?当て?済|エスカレ"
)


@lru_cache(maxsize=1024)
def state_of(status: str | None) -> State:
    """Where a ticket of this status stands. Words that say no more than that something is to be done are OPEN, and so
    is no status; settled (RESOLVED or CLOSED) is exactly what `is_settled` says.

    Remembered: a tool has few statuses, and each turn of its tickets has one of them."""
    if is_settled(status):
        return State.CLOSED if _given(_CLOSED, status) or _says(_GIVEN_UP, status) else State.RESOLVED
    meanings = (
        (_REOPENED, State.REOPENED),
        (_OURS, State.WAITING_FOR_SUPPORT),
        (_USERS, State.WAITING_FOR_USER),
        (_IN_WORK, State.WAITING_FOR_SUPPORT),
    )
    return next((state for meaning, state in meanings if _given(meaning, status)), State.OPEN)


def is_solved(status: str | None) -> bool:
    """Whether the ticket's matter is done: resolved, closed, 解決済み, 完了."""
    return _says(_SOLVED, status)


def is_settled(status: str | None) -> bool:
    """Whether nothing is to be done for the ticket any more: it is solved, or was given up (cancelled, 取り下げ)."""
    return _says(_SOLVED, status) or _says(_GIVEN_UP, status)


def _says(meaning: re.Pattern[str], status: str | None) -> bool:
    return _given(meaning, status) and not _given(_NOT_YET, status)


def _given(words: re.Pattern[str], status: str | None) -> bool:
    return words.search(_plain(status)) is not None


def _plain(status: str | None) -> str:
    return re.sub(r"[_\s]+", " ", normalize("NFKC", status or "").casefold()).replace("’", "'").strip()
