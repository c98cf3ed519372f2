"""Statements whose point is a date or a length of time: when something stops, how long something is good for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memory.remember.extraction.subjects import Claim, attribute, bare
from memory.remember.extraction.values import cleaned, fits

_I = re.IGNORECASE
_SCHEDULE = re.compile(
    r"^(?:(?P<np>.{1,30}?)(?:は|が|を)\s?)?(?P<value>[\d月/][^はがを、]{1,24}?|.{0,3}(?:月末|年末|"
    r"週明け)[^はがを、]{0,8}?)(?:で|に|から|をもって|付で|付けで|まで)\s?"
    r"(?P<verb>使えなく|終了|廃止|打ち切|切れ|停止|止め|止ま|再開|開始|始ま|始め)[^、。]{0,12}。?$"
)
_SCHEDULED = {
    "使えなく": "end",
    "終了": "end",
    "廃止": "end",
    "打ち切": "end",
    "切れ": "end",
    "停止": "stop",
    "止め": "stop",
    "止ま": "stop",
    "再開": "resumption",
    "開始": "start",
    "始ま": "start",
    "始め": "start",
}
_WORTH = re.compile(
    r"(?P<np>[^、。（(\s]{2,15}?)を(?:発行|お渡し|送付|付与)[^。（(]{0,10}[（(]有効(?:期間|時間|"
    r"期限)?は?\s?(?P<value>\d[^）)]{0,12})[）)]"
)
_GOOD_FOR = re.compile(
    r"(?P<value>(?:当日|当月|年度内)限り|\d+\s?(?:日間?|時間|分間?|週間|[かヶケカ]月間?|"
    r"年間?))(?:まで)?有効(?:です|になります)?(?:。|$)"
)
_HELD_NOW = re.compile(r"^(?:今は|現在は?|いまは)\s?(?P<value>.{1,30}?)\s?(?:まで)?です(?:が)?(?:。)*$")
_ENDS = re.compile(
    r"^(?:.*, )?(?P<np>[^,]{2,50}?) (?:(?:will be|is|are|was|were|gets) (?P<state>switched off|shut down|"
    r"turned off|retired|discontinued|decommissioned|blocked|removed|closed)|ends?|expires?|"
    r"stops working|will end|will expire) "
    r"(?:on|at|from|by) (?P<value>.{3,30}?)[.!]*$",
    _I,
)
_NOTHING = re.compile(r"(?:it|this|that|they|everything|all|which|who|what)$", _I)


def worth_ja(sentence: str) -> Iterator[Claim]:
    """「仮コードを発行します（有効30分）」: said in brackets, beside what the sentence is about.

    「最長3日間有効です」 is of what the sentences around it are about."""
    for match in _WORTH.finditer(sentence):
        yield Claim(subject=match["np"], predicate="validity", value=match["value"])
    for match in _GOOD_FOR.finditer(sentence):
        yield Claim(subject="", predicate="validity", value=match["value"])


def schedule_ja(clause: str, names: Mapping[str, str]) -> Claim | None:
    """「9.3は11/13で使えなくなります」: the date is what is said, so this is read with it."""
    match = _SCHEDULE.match(clause)
    if match is None or not fits("end", match["value"]):
        return None
    subject = bare(match["np"] or "")
    named = attribute(subject, names)
    if named is not None and named[1] in _SCHEDULED.values():
        subject = named[0]
    return Claim(subject=subject, predicate=_SCHEDULED[match["verb"]], value=cleaned(match["value"]))


def current_ja(clause: str) -> str | None:
    """The value in 「今は5万円までです」, which says of what in its neighbours only."""
    match = _HELD_NOW.match(clause)
    return cleaned(match["value"]) if match and fits("limit", cleaned(match["value"])) else None


def schedule_en(clause: str, names: Mapping[str, str]) -> Claim | None:
    """ "hk-1 will be switched off on 30 September": the date is what is said, so this is read with it."""
    match = _ENDS.match(clause)
    if match is None or not fits("end", match["value"]) or _NOTHING.match(match["np"]):
        return None
    return Claim(subject=bare(match["np"]), predicate="end", value=cleaned(match["value"]))
