"""Words that ask for those of the asker's own requests that are open, and for nothing else."""

from __future__ import annotations

import re

from memory.text.entities import normalise

_REQUEST = (
    r"(?:お?問い?合わ?せ|ご?依頼|ご?申請|チケット|リクエスト"
    r"|\b(?:support )?(?:ticket|request|case)s?\b|\b[ei]nquir(?:y|ies)\b)"
)
_MINE = (
    r"(?:(?:私|わたし|僕|俺|自分)(?:の|(?:が|から)(?:出した|(?=[^。]{0,6}した)))"
    r"|\b(?:my|mine)\b|\b(?:do|have) i (?:still )?(?:have|got)\b)"
)
#: "This is my request" begins a matter.
_TOLD = re.compile(rf"{_REQUEST}(?:です|でした)")
_ASKED = re.compile(rf"{_MINE}.*{_REQUEST}|{_REQUEST}.*{_MINE}", re.DOTALL)
#: What else such a question is made of.
_BESIDE = re.compile(rf"{_REQUEST}|{_MINE}|オープン|ステータス|リスト|[ぁ-ゖー]+")
_CHARACTERS = frozenset("未解決対応完了中開現在今一覧表示見件数何残受付状況進捗結果教確認知進終全部")
_WORDS = frozenset(
    "a about all any are at can could currently did do doing does for get going happening hello hey hi how i is list"
    " me news now of on open our outstanding pending please pls progress s see show status still tell thanks that the"
    " there unresolved update updates view waiting was we what where which with yet you".split()
)
_SAID = re.compile(r"[a-z]+|[^\W_]")


def asks_for_open(text: str) -> bool:
    """Whether somebody wants to know which requests of theirs are open, or how these stand: "status of my request"."""
    said = normalise(text)
    if not _ASKED.search(said) or _TOLD.search(said):
        return False
    return (_CHARACTERS | _WORDS).issuperset(_SAID.findall(_BESIDE.sub(" ", said)))
