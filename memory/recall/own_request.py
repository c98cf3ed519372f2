"""A request of the asker's own, read off the words by rule: whether one is meant, of which time, and on what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from memory.recall.open_requests import asks_for_open
from memory.recall.topic import topic_of, without_times
from memory.text.dates import TimeRange, time_range
from memory.text.entities import normalise

#: The asker speaks of a request of their own.
_OWN = re.compile(
    r"問い合わせ(?:た|ました|してい)|(?:相談|質問|連絡|報告|申請|依頼)し(?:た|ました|ていた)|前回|以前|この前|私の|また(?:同じ|です|出|起)"
    r"|私(?:が|から)(?:聞い|尋ね|頼ん)|も同じ(?:の|もの|症状|現象|エラー|こと|問題)"
    r"|また[^。、！？!?]{0,24}(?:ません|ない|なく|なり|切れ|止ま|落ち|出て|出ま|出た|起き)"
    r"|\b(?:i|we)\s+(?:had\s+)?(?:asked|reported|wrote|contacted|raised|opened|called)\b"
    r"|\b(?:did|have|had)\s+(?:i|we)\s+(?:ask|report|write|written|contact|raise|open|call)(?:e?d)?\b"
    r"|\blast time\b|\bmy (?:ticket|request|earlier)\b"
    r"|\b(?:again|once more|back)\b|\bthe same (?:\w+ )?(?:problem|thing|issue|error|symptom)s? as\b"
)
#: Somebody else asked, or it is somebody else's.
_ANOTHER_ASKED = re.compile(
    r"(?:さん|氏|様|くん|君|誰か?|だれ|どなた|他の人)が\s?(?:問い?合わ?せ|お?願い|相談|質問|連絡|報告|申請|依頼|頼ん)"
)
_ANOTHERS = re.compile(
    r"(?:さん|氏|様|くん|君|誰か?|だれ|どなた|他の人|[部課室])(?:が|も|の)[^、。]{0,8}(?:件|チケット|頼ん|出し|送っ)"
    r"|(?:\b[a-z]+'s?|\b(?:his|her|their)) (?:[\w-]+ )?(?:issue|problem|ticket|request|question)s?\b"
)

#: Something that came up, or was asked for.
_MATTER = (
    r"(?:件(?!数)|やつ|ヤツ|あれ|アレ|問い?合わ?せ|依頼|申請|相談|質問|報告|チケット|トラブル|不具合|問題|エラー|症状|現象"
    r"|\b(?:thing|issue|problem|ticket|request|question|error|trouble|symptom|matter|one)s?\b)"
)
#: What became of it.
_AFTER = (
    r"(?:どう(?:な|で|し)|いかが|進捗|進[んみ]|状況|その後|結果|まだ(?=$|[\s。、?!]|です|でしょう|[直解終返])|直[りっ]|解決(?:し|です)|終わ"
    r"|\b(?:news|updates?|status|progress|yet|still"
    r"|(?:fixed|solved|resolved|sorted|done)(?! by)|happened (?:with|to))\b"
    r"|\bhow(?: is|'s)\b)"
)
#: It is there again.
_BACK = (
    r"(?:再発(?:して|しちゃ|しま|です|中|した(?:$|[\s。、!]|みたい|よう|ん|の(?:です|で|か)))"
    r"|と(?:全く|まったく|また)?(?:同じ|同様|一緒)(?:の|ような)?(?:$|[\s。、!]|もの|こと|症状|現象|エラー|問題|状態|トラブル|不具合)"
    rf"|\bsame (?:[\w'-]+ ){{0,3}}?{_MATTER} (?:as|from|like|we had|i had)\b)"
)
#: Both in one sentence, in Japanese in this order.
_GOES_ON = re.compile(rf"{_BACK}|{_MATTER}[^。?!\n]{{0,40}}?{_AFTER}|(?=[a-z]){_AFTER}[^.?!\n]{{0,40}}?{_MATTER}")

#: What is enough to point with, beside a time, where nothing else is said.
_POINTS = re.compile(
    r"件(?!数)|やつ|ヤツ|あれ|アレ|続き|同じ|同様|一緒|また|再発|再び|再度"
    r"|(?:問い?合わ?せ|願い|伺い|相談|質問|連絡|報告|申請|依頼)を?(?:さ|し|いた|致|申し|差し)"
    r"|(?:頼ん|聞い|言っ|出し|送っ|話し|伝え|尋ね)[ただて]"
    r"|\b(?:same|again|things?|one)\b|(?:\b(?:is|came|come)|'s) back\b"
    r"|\b(?:i|we)(?:'ve| have| had)? "
    r"(?:asked|reported|raised|opened|submitted|filed|logged|requested|sent|mailed|emailed|messaged|mentioned|told)\b"
)
#: Of these characters and words, and of hiragana, nothing is made that could be looked for.
_CHARACTERS = frozenset(
    "件同様一緒再度発起出生現象症状態続前後例私者内容事申請頼依言聞送話伝尋伺願致差上頂引全相談質問合連絡報告進捗況結果直解決終対応確認教世疲"
)
_WORDS = frozenset(
    "a about again also am an and any are as at back be been but by came can come could did do does done exact exactly"
    " for from get getting go going got had happened happening happens has have having hello help hey hi how i in is it"
    " its just know last like me more my news not now of on once our please pls progress re s same so sorry still"
    " support tell thank thanks that the there these this those to too update updates us ve was we were what with would"
    " yet you your asked emailed filed fixed logged mailed mentioned messaged opened raised reported requested resolved"
    " sent solved sorted status submitted told".split()
)
_GRAMMAR = re.compile(rf"{_MATTER}|[ぁ-ゖー々]+")
_SAID = re.compile(r"[a-z]+|[^\W_]")
#: A time is also named in "last week's one" and, typed in haste, in "last weeks one".
_OF_A_TIME = re.compile(r"\b(week|weekend|month|(?:mon|tues|wednes|thurs|fri)day)(?:['’]s|s)(?= [a-z])", re.IGNORECASE)
#: Two letters change places where people type in haste: by first letter and letters.
_SLIPS = {
    (word[0], *sorted(word)): word
    for word in ("the", "same", "again", "thing", "issue", "problem", "ticket", "request")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRequest:
    """`period` is when it was, None where that is not said; `topic` what it was about, empty where the words only point
    at it; `open` that all of theirs are meant which are."""

    period: TimeRange | None = None
    topic: str = ""
    open: bool = False


def own_request(text: str, now: datetime) -> OwnRequest | None:
    """What request of theirs somebody means who says this at `now`; None where none is meant."""
    if asks_for_open(text):
        return OwnRequest(open=True)
    said = _OF_A_TIME.sub(r"\1", text)
    period = time_range(said, now)
    beside = _typed(normalise(without_times(said, now)))
    began = period is not None and period.start <= now
    if began and _points_back(beside):
        return OwnRequest(period=period, topic="")
    if _ANOTHER_ASKED.search(beside):
        return None
    if _OWN.search(normalise(text)) or (began and _goes_on(beside)):
        return OwnRequest(period=period, topic=topic_of(said, now))
    return None


def _typed(text: str) -> str:
    """The text as it was meant, where letters of a word that matters here changed places."""
    return re.sub(r"[a-z]{3,}", lambda word: _SLIPS.get((word[0][0], *sorted(word[0])), word[0]), text)


def _points_back(beside: str) -> bool:
    """Whether words beside a time say nothing but that something came up: "the thing from yesterday, any news?". Who
    says so to a helpdesk means a request of their own."""
    if not (_POINTS.search(beside) or _GOES_ON.search(beside)):
        return False
    return (_CHARACTERS | _WORDS).issuperset(_SAID.findall(_GRAMMAR.sub(" ", beside)))


def _goes_on(beside: str) -> bool:
    """Whether words beside a time ask what became of something, or tell that it is back, and it is nobody else's."""
    return _GOES_ON.search(beside) is not None and not _ANOTHERS.search(beside)
