"""Whether a sentence tells what its speaker did: not what others did, what was done, what went, or what did not."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.text.language import detect_language

_PAST_EN = (
    r"(?:\w{3,}ed|went|got|had|was|were|bought|took|made|saw|met|came|began|started|gave|found|told|did|lost|broke|felt|"
    r"ran|won|wrote|left|flew|drove|sent|put|ate|read|taught|thought|caught|built|held|spent|led|sang|swam|hung|became|"
    r"stopped)"
)
#: "I finally sent it"; of "the disk that I think failed" nobody can tell.
_OF_ME_EN = re.compile(
    rf"\b(?:i|we)(?:'ve|'d| have| had)?(?: (?:\w+ly|just|also|only|even|both|all|then|already|once|again)){{0,2}} "
    rf"(?P<verb>{_PAST_EN})\b(?P<rest>(?: \w+){{0,2}})"
)
#: "Took the laptop home yesterday": what stands first was done by whoever says so, if something was done to something.
_ALONE_EN = re.compile(
    r"(?:went|bought|took|made|saw|met|gave|found|wrote|flew|drove|sent|put|ate|built|held|spent|\w{3,}ed) "
    r"(?:the|a|an|my|our|it|them|this|that|these|those|to|for|some|both|all|two|\d)\b"
)
_PASSIVE_EN = re.compile(
    r" (?:(?:\w+ly|just|also|been|being) )?(?:\w{2,}ed|told|given|sent|kept|left|lost|cut|shown|hit)\b"
)
_WAS_EN = frozenset(("was", "were", "got", "had"))

_ME_JA = r"(?:私|わたし|わたくし|自分|僕|ぼく|俺|こちら|当方)(?:達|たち|自身)?"
#: Somebody or something else does it; が before a pause joins two sentences.
_OTHERS_JA = re.compile(r"(?P<who>[^、。\s]{1,15}?)(?:が|って)(?=[^、。\s])")
_MINE_JA = re.compile(rf"^(?:.*[はもに日週月年朝晩夜時分曜])?{_ME_JA}$")
_TOPIC_JA = re.compile(r"(?P<what>[^、。\s]{1,15}?)は")
#: 「今日は」「午前中は」「昨日までは」: when, not what.
_WHEN_JA = re.compile(
    rf"(?:日|[今昨先]週|月|年|朝|昼|夕方?|晩|夜|前|後|時|分|頃|ごろ|中|際|とき|今|まで|から|[日週月年]に|で|昨日|きのう|きょう|{_ME_JA})$"
)
_DONE_JA = (
    r"(?:ました|た|だ|ています|てます|でます|ていました|てました)(?:が|けど|ので|よ|ね|から|[。！!）)…\s]|[^\w\s])*$"
)
#: What is done to something, what one goes or talks to, what one does.
_DEED_JA = re.compile(
    rf"を[^、。]{{1,24}}{_DONE_JA}|"
    r"(?:行き|行っ|来まし|帰り|帰っ|会い|会っ|話し|泊ま|泊り|乗り|乗っ|通い|通っ|引っ越|訪れ|習い|始め|過ごし|遊び|遊ん)[^、。]{0,6}"
    rf"{_DONE_JA}|"
    rf"(?<![\u3400-\u9fff])(?P<act>[\u30a1-\u30ff\u3400-\u9fffA-Za-z]{{2,10}})(?:を)?(?:いた)?し(?={_DONE_JA})"
)
#: What happens by itself.
_HAPPENS_JA = re.compile(
    r"(?:故障|停止|復旧|発生|失敗|完了|回復|再発|消失|終了|遅延|断線|切断|起動|期限切れ|フリーズ|ダウン|クラッシュ|エラー|安定|"
    r"反映|到着|成功|表示|再起動を繰り返|繰り返)"
)
#: What was done to somebody, what could be done, and what came about.
_UNDERGONE_JA = re.compile(
    r"(?:[かがさたなばまらわ]れ|られ|でき|出来|[にくと]な[りっ]|あり)(?:て(?:い|しま[いっ])?)?(?:まし)?た"
)


def is_own_deed(sentence: str) -> bool:
    """Whether whoever says the sentence tells of a deed of their own. A doubtful one tells of none."""
    read: Callable[[str], bool] = _told_ja if detect_language(sentence, "ja") == "ja" else _told_en
    return read(sentence)


def _told_en(sentence: str) -> bool:
    said = sentence.lower().replace("’", "'").strip()
    return _ALONE_EN.match(said) is not None or any(map(_is_active, _OF_ME_EN.finditer(said)))


def _is_active(match: re.Match[str]) -> bool:
    """ "We were told" is what others did."""
    return match["verb"] not in _WAS_EN or _PASSIVE_EN.match(match["rest"]) is None


def _told_ja(sentence: str) -> bool:
    if _of_others(sentence):
        return False
    deed = _DEED_JA.search(sentence)
    happens = deed is not None and deed["act"] is not None and _HAPPENS_JA.search(deed["act"]) is not None
    return deed is not None and not happens and _UNDERGONE_JA.search(sentence) is None


def _of_others(sentence: str) -> bool:
    doers = (match["who"] for match in _OTHERS_JA.finditer(sentence))
    topics = (match["what"] for match in _TOPIC_JA.finditer(sentence))
    return any(not _MINE_JA.match(who) for who in doers) or any(not _WHEN_JA.search(what) for what in topics)
