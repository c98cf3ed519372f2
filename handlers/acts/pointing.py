"""Messages that mean something by pointing at it: what they ask cannot be told without what was said before."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from handlers.acts.folded import asks_by_sign, folded
from handlers.acts.pointing_words import PLAIN, PLAIN_JA, POINTERS, POINTERS_JA, THINGS

#: Longer messages are about something of their own; a Japanese character says more than a letter does.
_LONGEST, _LONGEST_JA = 80, 40

_THIS = "(?:this|that|it|the above)"
_CALLS = re.compile(
    "(?:(?:hi|hello|hey|please|sorry|so|ok|and|all|team|everyone|anyone|anybody|can|could|would|you|do|does|have) )*"
    "(?:(?:any|some) (?:ideas?|thoughts?|suggestions?|clues?|hints?|advice|help|tips?)|ideas?|thoughts|suggestions|help"
    f"|(?:help|assist)(?: (?:me|us))?(?: out)?(?: (?:with )?(?:{_THIS}|here))?"
    f"|(?:have a |take a )?look(?: (?:at|into) {_THIS})?"
    f"|(?:know|tell)(?: (?:me|us))?(?: (?:about|anything about|what to do about))?(?: {_THIS})?"
    f"|(?:answer|check|explain|solve|fix) {_THIS}(?: one)?"
    "|(?:what|how) (?:can|could|should|do|would) (?:i|we|one|you) (?:do|fix|solve|handle|resolve)"
    f"(?: {_THIS})?(?: (?:about {_THIS}|here|now))?|how to (?:fix|solve|handle|resolve) {_THIS}"
    "|what (?:now|to do|do you think)|what (?:is|s) (?:this|that|wrong)(?: about)?"
    f"|(?:ever )?seen {_THIS}(?: before)?|is {_THIS} known|advise|ideas? (?:on|about) {_THIS}|see above"
    ")(?: (?:here|please|now|then|anyone|anybody|guys|before|on this|about this|with this|for this|to this|thanks))*"
)
_KINDLY = (
    "(?:ください|下さい|ほしいです|(?:もら|いただ|頂)[えけ]ま(?:す|せん)か|くれ(?:る|ます|ませんか|ますか)?|もらえる)?"
)
_CALLS_JA = re.compile(
    "(?:すみません|お願いします|誰か|どなたか|上の|これ|これって|これは|この件|上記|こちら|以上|何か)*"
    "(?:は|が|を|って|に|について|の件)*"
    "(?:(?:わか|分か|判)(?:る|ります|りますか|りません|りませんか|る人|る方|らない)(?:いますか|いる|かな)?(?:ですか)?"
    f"|(?:教え|助け|見|診|答え|対応し|確認し|調べ)て{_KINDLY}"
    "|どう(?:し(?:たら|ます|よう|ましょう)|すれば|すると|なって(?:い)?ます|思います|思う|です|いうこと)"
    "(?:いい|よい|良い)?(?:です|でしょう|のでしょう)?か?"
    "|(?:何|なん|どういうこと)(?:です|でしょう)?か?"
    "|(?:心当たり|アイデア|アイディア|案|意見|ヒント|対処法|解決策|解決方法)(?:は|が|って)?"
    "(?:あります|ある|ありません|ないです|ない)?か?"
    "|お?願いします|よろしく(?:お願い(?:し|いたし)ます)?|知って(?:ます|います|る|いる)か?)"
    "[かねよな]*"
)

#: They leave out what they are about: "and on a Mac?", 「Macの場合は？」.
_SIDES = "(?:for|on|in|with|at|from|as|without|under)"
_LEFT_OUT = re.compile(
    rf"(?:and|but|ok and|so) (?:(?:what|how) about |what if )?{_SIDES}(?: [\w-]+){{1,4}}"
    rf"|(?:and )?(?:what|how) about {_SIDES}(?: [\w-]+){{1,4}}|and (?:what|how) about(?: [\w-]+){{1,4}}"
)
_LEFT_OUT_JA = re.compile(
    r"(?:では|じゃあ|ちなみに)?\w{1,12}(?:の場合|の時|のとき|だと|なら|の方|のほう)"
    "(?:は|も|ですか|どう(?:ですか|なりますか)?)*"
)

_ASKS = re.compile(
    "(?:(?:and|but|so|then|ok|okay|also|or|well|hi|hello|thanks|please|sorry) )*(?:how|what|where|when|who|whom|whose"
    "|which|why|do|does|did|can|could|is|are|was|were|will|would|should|shall|may|must|tell|show|explain|has|have)\\b"
)
_ASKING_JA = ("か", "かな", "ください", "下さい", "教えて", "の", "は")


def calls(words: str) -> bool:
    """Whether somebody is called with no word of what about: "any idea?", 「これ分かる？」."""
    said = folded(words) if len(words) <= _LONGEST else ""
    close = said.replace(" ", "")
    return bool(said) and bool(_CALLS.fullmatch(said) or (len(close) <= _LONGEST_JA and _CALLS_JA.fullmatch(close)))


def points(words: str) -> bool:
    """Whether they ask about what stands before: "and how do I do that?", 「それはどこにありますか」. What names a
    thing of its own does not."""
    said = folded(words) if len(words) <= _LONGEST else ""
    close = said.replace(" ", "")
    asks = _ASKS.match(said) or asks_by_sign(words) or close.endswith(_ASKING_JA)
    return bool(said and asks) and (_points_en(said.split()) or _points_ja(close) or _leaves_out(words, said))


def _points_en(said: Sequence[str]) -> bool:
    known = all(one in POINTERS or one in PLAIN or one in THINGS for one in said)
    shown = {"this", "that", "these", "those", "same"}
    things = (at for at, one in enumerate(said) if one in THINGS)
    return known and bool(POINTERS & {*said}) and all(at > 0 and said[at - 1] in shown for at in things)


def _points_ja(said: str) -> bool:
    pointed = len(said) <= _LONGEST_JA and any(one in said for one in POINTERS_JA)
    return pointed and _is_made_of(said, (*POINTERS_JA, *PLAIN_JA))


def _leaves_out(words: str, said: str) -> bool:
    asks = unicodedata.normalize("NFKC", words).rstrip().endswith("?")
    return asks and bool(_LEFT_OUT.fullmatch(said) or _LEFT_OUT_JA.fullmatch(said.replace(" ", "")))


def _is_made_of(text: str, pieces: Sequence[str]) -> bool:
    """Whether the text is a row of these pieces."""
    ends = {0}
    for at in range(len(text)):
        if at in ends:
            ends |= {at + len(one) for one in pieces if text.startswith(one, at)}
    return len(text) in ends
