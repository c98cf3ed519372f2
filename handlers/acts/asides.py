"""Short messages that are nothing but thanks, a greeting, or the wish for a person."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

#: Longer messages say more than that.
_LONGEST = 60


class Aside(StrEnum):
    """What was said."""

    PERSON = "person"
    THANKS = "thanks"
    GREETING = "greeting"


_THANKS = (
    "thanks|thank you|many thanks|thx|ty|got it|understood|all good|that s it"
    "|(?:that|it|this)(?: has)? (?:worked|works|helped|helps|did it|fixed it|solved it)|works now|solved"
    "|ok|okay|great|perfect|cool|sounds good"
    "|(?:どうも)?(?:ありがとう|有難う|有り難う)(?:ございます|ございました)?|助かりました|助かります|感謝します"
    "|了解(?:です|しました|いたしました)?|承知(?:です|しました|いたしました)|(?:わか|分か|判)りました"
    "|解決しました|直りました|できました|うまくいきました|なるほど|大丈夫です|okです"
)
_GREETINGS = (
    "hello|hi|hey|good (?:morning|afternoon|evening)|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして"
    "|初めまして"
    "|(?:お疲れ|おつかれ)(?:様|さま)(?:です|でした)?|お世話になっております|お世話になります|もしもし"
)
_BESIDE = (
    "a lot|so much|very much|again|now|for (?:your|the) (?:help|answer)|that|there|everyone|have a (?:nice|good) day"
    "|どうも|本当に|ほんとうに|とても|大変|無事に?|はい|おかげさまで|おかげで|すみません|皆さん|よろしくお願いします|です"
)
_POLITE = re.compile(rf"(?:(?:{_THANKS}|{_GREETINGS}|{_BESIDE}) ?)+")
_THANKING = re.compile(rf"(?:^| |(?<=[^a-z]))(?:{_THANKS})(?:$| |(?=[^a-z]))")
_GREETING = re.compile(rf"(?:^| |(?<=[^a-z]))(?:{_GREETINGS})(?:$| |(?=[^a-z]))")

_SOMEBODY = (
    r"(?:a |an |the |some )?(?:real |live |actual )?"
    r"(?:human(?: being| agent)?|person|agent|operator|someone|somebody|support(?: agent)?|representative)"
)
_FOR_A_PERSON = re.compile(
    r"(?:(?:please|hi|hello|can i|could i|may i|can you|could you"
    r"|i want(?: to)?|i need(?: to)?|i (?:would|d) like(?: to)?"
    r"|let me) )*"
    rf"(?:(?:talk|speak|chat|connect|transfer|get|put|hand)(?: me)?(?: through| over)?(?: to| with)? {_SOMEBODY}"
    r"|(?:human|agent|operator|representative|real person|live agent|support agent|a human|an agent|a person)"
    r")(?: please| now)*"
)
_FOR_A_PERSON_JA = re.compile(
    "(?:すみません|やっぱり|やはり|できれば|直接|ボット(?:ではなく|じゃなくて))*"
    "(?:人間|人|担当者|担当の?方|担当|オペレーター?|サポート(?:担当者?|の人|の方)?|有人|係の?[人方]|スタッフ|誰か)(?:の[人方])?"
    "[とにへを]?(?:直接)?"
    "(?:お?話(?:し|をし|がし)?たい|話させて|相談したい|(?:つな|繋)(?:いで|げて|ぎたい)|[代替変か]わって|呼んで|お願い"
    "|取り次いで|連絡し(?:たい|て)|(?:問い合わせ|会話し|チャットし)たい|対応して)"
    "(?:です|のですが|んですが|ください|下さい|(?:もらえ|いただけ|頂け|くれ|でき)ま(?:すか|せんか)|ほしいです|ほしい|します)*"
)


def aside_in(words: str) -> Aside | None:
    """What these words are where they are nothing else; None for all that may be a question or a matter."""
    said = _folded(words) if len(words) <= _LONGEST else ""
    if not said:
        return None
    if _FOR_A_PERSON.fullmatch(said) or _FOR_A_PERSON_JA.fullmatch(said.replace(" ", "")):
        return Aside.PERSON
    if words.rstrip().endswith(("?", "？")) or not _POLITE.fullmatch(said):
        return None
    if _THANKING.search(said):
        return Aside.THANKS
    return Aside.GREETING if _GREETING.search(said) else None


def is_courtesy(words: str) -> bool:
    """Whether they only thank or greet, so that among others nobody needs an answer."""
    return aside_in(words) in (Aside.THANKS, Aside.GREETING)


def _folded(words: str) -> str:
    """In small letters of one width, without signs."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return " ".join("".join(each if unicodedata.category(each)[0] in "LNM" else " " for each in folded).split())
