"""Whether a question asks for a state at a past time: who was in charge, what was believed. In doubt it does not."""

from __future__ import annotations

import re

from memory.text.times.tense import sentence

_EXPLICIT_AFTER = re.compile(r"\s?(?:の?(?:時点|段階)|現在(?=[でのに、])|の?当時)")
_EXPLICIT_BEFORE = re.compile(r"\bas (?:of|at|on)\s{1,2}(?:the\s)?$")
_JAPANESE_STATE = (
    r"担当(?!した|して(?!い))|責任者|番号|内線|窓口|(?:申請|変更|更新|作業|交換|停止|報告)?手順|設定(?!し)|数値|値|上限|下限|バージョン|版|所有者|持ち主|管理者|オーナー|"
    r"有効期[間限]|保[存管持]期間|期限|ルール|規則|連絡先|承認者|状態|ステータス|単価|価格|料金|人数|体制|構成|方針|住所|当番"
)
_JAPANESE_ASKS = re.compile(
    r"誰|だれ|どなた|何|いくら|いくつ|どこ|どれ|どの|どちら|どう|教えて|ですか|でしたか|っけ|\?|だった"
)
#: What comes between a time and a state when the time is not that of the state: 9月10日の障害の担当, 9日に直した人.
_JAPANESE_HAPPENS = re.compile(
    r"障害|エラー|件|問い?合わ?せ|トラブル|不具合|報告|申請|チケット|故障|会議|ログ|停止|メンテ|工事|変更|更新|作業|交換|導入|"
    r"[しっれきいけめげせえ]た|んだ"
)
_JAPANESE_STATE_FOLLOWS = re.compile(rf"(?P<between>[^。!?\n]{{0,30}}?)(?:{_JAPANESE_STATE})")
#: The state before its time: Andonの担当は9月10日には誰でしたか.
_JAPANESE_STATE_BEFORE = re.compile(rf"(?P<before>[^。!?\n]{{0,30}}?)(?:{_JAPANESE_STATE})者?(?:は|って|が)?[、,]?\s?$")
_JAPANESE_WHICH = re.compile(
    r"\s?(?:に)?(?:は|って)?[、,]?\s?(?:誰|だれ|どなた|いくら|いくつ|どこ|どれ|どの|どちら|何[番日人時円台件版])"
)
_JAPANESE_BELIEF = re.compile(
    r"(?:聞いて|知らされて|言われて|伝えられて|案内されて|思われて|考えられて|信じ(?:られ)?て|思って|考えて|認識して|[わ分]かって)い(?:た|まし)"
    r"|(?:何と|なんと|どう|何を|どのように).{0,6}(?:伝え|案内し|説明し|回答し|答え|返事し|言[いっ]|話し)"
    r"|正しかった|べき(?:でした|だった)"
)
_ASKS = re.compile(r"\b(?:who|whom|whose|what|which|where|how (?:long|many|much|often|early|late))\b")
_WAS = re.compile(r"\b(?:was|were|did|had|held|ran|took|(?!need\b)[a-z]{2,12}ed)\b")
_STATE = re.compile(
    r"\b(?:own(?:er|ed|ers)?|in charge|looked after|(?:took|taken) care|managed|maintained|"
    r"belong(?:ed)?|responsible|versions?|status|numbers?|extension|prefix|limit|address|contact|"
    r"procedure|policy|maximum|minimum|longest|retention|rules?|approver|deadline|price|value|settings?|supposed to|"
    r"have to|allowed|needed|required|valid|in force|on duty|on call|assigned|assignee)\b"
)
_HAPPENS = re.compile(
    r"\b(?:happen|outage|incident|error|fail|broke|crash|report|cause|reason|fix|solv|resolv|lose|lost|ticket|case|opened|"
    r"problem|symptom|freeze|froze|why|when did|how (?:was|were|did)\b|done|lend|lent|post|paste)"
)
_NOW_STATE = re.compile(
    r"(?:who|which|what) (?:is|are) (?:the )?(?:owner|in charge|responsible|on duty|on call)"
    r"(?: (?:of|for) (?:the )?[\w.&+-]+(?: [\w.&+-]+){0,2})? on(?: the)?$"
)
_BELIEF = re.compile(
    r"\bbeliev"
    r"|\b(?:did|had) (?:we|you|i|they|it|the [a-z]+|(?!to\b)[a-z]+) (?:tell|told|say|said|know|known|think|thought|"
    r"assume|announce|promise|expect|hear)"
    r"|\b(?:was|were) (?:[a-z]+ )?(?:told|known|thought|expected|announced|assumed)\b"
)


def asks_expressly(text: str, start: int, end: int) -> bool:
    """Whether the words at a time's own edges say that something is asked as of then."""
    return (
        _EXPLICIT_AFTER.match(text, end) is not None
        or _EXPLICIT_BEFORE.search(text[max(0, start - 16) : start]) is not None
    )


def asks_for_a_state(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a past time asks how something was then, not what happened."""
    before, after = sentence(text, start, end)
    if _asks_in_japanese(before, after, text[end : end + 80]) or _asks_in_english(f"{before} {after}"):
        return True
    return not after.strip() and _asks_at_its_end(before)


def _asks_in_japanese(before: str, after: str, with_mark: str) -> bool:
    if not _JAPANESE_ASKS.search(with_mark[: len(after) + 1]):
        return False
    if _JAPANESE_BELIEF.search(after):
        return True
    said = _JAPANESE_STATE_BEFORE.search(before) if _JAPANESE_WHICH.match(after) else None
    if said is not None and _JAPANESE_HAPPENS.search(said["before"]) is None:
        return True
    state = _JAPANESE_STATE_FOLLOWS.match(after)
    return state is not None and _JAPANESE_HAPPENS.search(state["between"]) is None


def _asks_in_english(whole: str) -> bool:
    if not (_ASKS.search(whole) and _WAS.search(whole)):
        return False
    if _BELIEF.search(whole):
        return True
    return _STATE.search(whole) is not None and _HAPPENS.search(whole) is None


def _asks_at_its_end(before: str) -> bool:
    """ "Who is responsible for Andon on 10 September?" asks for that day whatever its tense."""
    state = _NOW_STATE.match(before.strip())
    return state is not None and _HAPPENS.search(before) is None
