"""Whether a value is of the kind that its predicate takes, and how people, numbers and quotes are written as values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_HONORIFIC = re.compile(r"(?:さん|さま|様|氏|くん|君|殿)$|[- ]san\b", re.IGNORECASE)
_PERSON_JA = re.compile(r"(?:.{1,14}の)?[\u3041-\u30ff\u3400-\u9fff々A-Za-z]{1,10}(?:さん|さま|様|氏|くん|君|殿)")
_NAME_JA = re.compile(r"[\u30a1-\u30ff\u3400-\u9fff々A-Za-z]{1,14}")
_NAME_EN = re.compile(
    r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}(?: (?:in|from|at|of) .{2,20})?|(?:the )?[\w -]{2,25} (?:team|desk|group)"
)
_DIGIT = re.compile(r"\d")
_UNIT = re.compile(
    r"\d\s?[十百千万億]*(?:日|時間|分|秒|週間|[かヶケカ]?月|年|円|名|人|件|台|文字|GB|MB|TB|%|回|席)|"
    r"\d (?:working |business |calendar )?(?:day|hour|minute|week|month|year|second|seat|people|"
    r"person|character|euro|dollar)s?|"
    r"[¥$€]\s?\d|\d{1,2}:\d\d|\d{1,2}時|\d[\d,.]*\s?(?:[GMKT]B)|無期限|無制限|unlimited|forever",
    re.IGNORECASE,
)
_HOST = re.compile(r"\d|[A-Z]|\w\.[a-z]{2,}|@|://")
_DATE = re.compile(
    r"\d{1,2}/\d{1,2}|\d{1,2}月|\d{1,2}日|20\d\d|\d{1,2}:\d\d|\d時|[月火水木金土日]曜|今日|明日|"
    r"来週|来月|月末|年末|週明け|営業日|working day|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tues|wednes|thurs|fri|satur|"
    r"sun)[a-z]*\b|tomorrow|tonight|next \w+|today",
    re.IGNORECASE,
)
_DATED = frozenset("date,deadline,start,end,stop,resumption".split(","))
_COUNTED = frozenset("retention,validity,loan period,limit,minimum,price,opening hours".split(","))
#: A verb at its end, a pronoun or a question word: no value.
_NO_VALUE = re.compile(
    r".*(?:ます|ました|ください|下さい|ている|ていた|ない|思い|こと)|.*(?:何|どこ|いつ|誰|どなた|"
    r"いくら|どれ|どう).*|(?:それ|これ|あれ|そう|こちら|そちら|"
    r"同じ|大丈夫|可能|無理|よう|はず|もの|ところ)|"
    r"(?:it|that|this|them|there|here|so|same|the same|fine|ok|okay|done|ready|sure|right|good|a|an|"
    r"the|not|to|in|at|on)\b.*",
    re.IGNORECASE,
)
_LONGEST = 60

#: What a thing can be, where a value says no more than that.
STATES = (
    "廃止|終了|中止|停止中|停止|使用禁止|禁止|不要|必須|復旧|解決済み|解決|使用不可|利用不可|廃棄|"
    "休止|無効|有効|故障中|修理中|貸出中|準備中|稼働中|"
    "満席|完了|再開|閉鎖|公開|非公開|オン|オフ"
)
STATES_EN = (
    "down|up|back|offline|online|closed|open|blocked|unblocked|locked|unlocked|disabled|enabled|"
    "active|inactive|retired|"
    "discontinued|deprecated|available|unavailable|unused|obsolete|mandatory|optional|required|full|fixed|resolved|"
    "gone|switched off|switched on|shut down|out of service|under repair|in service|live"
)


def is_person(value: str) -> bool:
    """Whether the words are certainly somebody's name: with an honorific, or a name in Latin letters."""
    return bool(_PERSON_JA.fullmatch(value) or re.fullmatch(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}", value))


def person(value: str) -> str:
    """A name without its department and honorific: 「保全の金子さん」 is 金子, "Fujita-san in Toyama" Fujita."""
    value = re.sub(r" (?:in|from|at|of) .*$", "", value.strip(" 　「」\"'"))
    if re.search("[\u3041-\u9fff]", value) and "の" in value:
        value = value.rpartition("の")[2]
    return _HONORIFIC.sub("", value).strip()


def fits(predicate: str, value: str) -> bool:
    """Whether the value is of the predicate's kind. What is too long, a question or a verb is a value of nothing."""
    if not value or len(value) > _LONGEST or _NO_VALUE.fullmatch(value):
        return False
    kind = _KINDS.get(predicate)
    return kind is None or kind(value)


def _could_be_a_person(value: str) -> bool:
    return bool(_NAME_JA.fullmatch(value) or _NAME_EN.fullmatch(value)) or is_person(value)


def _counts(value: str) -> bool:
    return _UNIT.search(value) is not None


def _numbers(value: str) -> bool:
    return _DIGIT.search(value) is not None and not _counts(value)


def _is_a_place(value: str) -> bool:
    """In English everything can be "the place": a place has a number, a name or a preposition."""
    return re.search(r"\d|[A-Z\u3041-\u9fff]|^(?:in|at|on|behind|next to|under|opposite|near) ", value) is not None


def _is_a_way(value: str) -> bool:
    way = r"[A-Z\"“\u3041-\u9fff]|form\b|portal|button|desk|ticket|mail|page|app\b|site|counter|office"
    return re.search(way, value) is not None


_KINDS: Mapping[str, Callable[[str], bool]] = {
    "owner": _could_be_a_person,
    "assignee": _could_be_a_person,
    "phone number": _numbers,
    "version": _numbers,
    "location": _is_a_place,
    "procedure": _is_a_way,
    "address": lambda value: _HOST.search(value) is not None,
    "server": lambda value: _HOST.search(value) is not None,
    **dict.fromkeys(_COUNTED, _counts),
    **dict.fromkeys(_DATED, lambda value: _DATE.search(value) is not None),
}


def cleaned(value: str) -> str:
    """A value without the marks around it and the words that only lead to it."""
    value = re.sub(r"^(?:再び|また|新しく|今後は?|今は|現在は?|now|again|currently|already|only)\s*", "", value.strip())
    value = re.sub(r"(?<=[\d時分日])\s?から$", "", value)
    value = re.sub(r"\s?(?:[（(][月火水木金土日](?:曜日?)?[）)])(?=\s|$)", "", value)
    if value[:1] + value[-1:] in ("「」", "『』", '""', "''", "“”") and value[1:-1].count(value[0]) == 0:
        value = value[1:-1]
    return value.strip(" 　、,:：")
