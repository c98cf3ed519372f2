"""Messages that say nothing but that an answer did not help, was wrong, or was tried already."""

from __future__ import annotations

import re

from handlers.acts.denials import denial_in
from handlers.acts.folded import asks_by_sign, folded, pictured

#: Longer messages say more than that; a Japanese character says more than a letter does.
_LONGEST, _LONGEST_JA = 80, 40

_BEFORE = (
    "sorry(?: to say)?|thanks|thank you|thx|hi|hello|hm+|ok|okay|well|ah|oh|alas|unfortunately|sadly|actually|but|and"
    "|so|no|nope|nah|i m afraid|(?:i|we)(?: ve| have)? (?:just |already )?(?:tried|did|done|followed|checked)"
    "(?: (?:it|that|this|everything|them|both|those|all of (?:it|that|this)|(?:the|your|those|these) steps"
    "|your (?:advice|suggestion)))?|tried(?: (?:it|that|this))?"
)
_SUBJECT = (
    "it|this|that|these|those|they"
    "|(?:your|the|this|that|these|those) (?:answer|advice|suggestion|solution|fix|reply|step|quote|link|article)s?"
    "|(?:the |my )?(?:problem|issue|error)"
)
_NOT = r"(?:did|does|do|is|was|has|have|are|were|will|would|wo)(?: ?nt|n t| not)"
_MISSING = (
    "help(?:ed|ing)?|helpful|work(?:ed|ing)?|solved?|fix(?:ed)?|changed?|resolved?|useful|better|it|right"
    "|any (?:help|use|good|better|different)|the (?:answer|solution|fix)|an answer|do (?:it|anything|the trick)"
    "|what i (?:asked|meant|need|needed|want|wanted|(?:am|m|was) looking for)(?: for| about)?"
)
_WHOM = "it|that|this|anything|me|us|much|the (?:problem|issue|thing)|my (?:problem|issue|question)"
_FAILED = (
    rf"(?:(?:{_SUBJECT}) )?(?:still )?{_NOT} (?:really |even |quite |been )*(?:{_MISSING})(?: (?:{_WHOM}))?"
    rf"|(?:(?:{_SUBJECT}) )?(?:(?:is|was|s) )?(?:still |yet )?not (?:really |even |quite )?(?:{_MISSING})"
    rf"|(?:(?:{_SUBJECT}) )?(?:(?:is|s) )?still (?:the same(?: (?:error|problem|issue|thing|result))?|broken|failing"
    "|fails|stuck|down|happening|happens|there|not|no|nothing|no (?:luck|joy|good|change|difference|success))"
    rf"|(?:(?:{_SUBJECT}) )?(?:(?:is|was|s|has) )?(?:no (?:help|use|good)|useless|unhelpful|failed|the same)"
    "|(?:i m|i am|we re|we are) still stuck|no (?:luck|joy|change|difference|success)|to no avail"
    "|(?:the )?same (?:error|problem|issue|thing|result)(?: as before)?"
    "|(?:nothing|none of (?:it|that|this|these|those|them)) (?:has )?"
    "(?:help(?:ed|s)|work(?:ed|s)|changed|happen(?:ed|s))"
    "|(?:(?:i|we)(?: ve| have)? )?already "
    "(?:tried|did|done|followed|checked|read|saw|seen|restarted|rebooted|know|knew)"
    rf"(?: (?:{_SUBJECT}|everything|them|both|all of (?:it|that|this)))?"
    "|(?:i|we)(?: ve| have)? (?:tried|done|did|followed|checked|read) (?:it|that|this|them|everything)"
    " (?:already|before)"
    rf"|(?:(?:{_SUBJECT}) )?(?:makes|made) no difference|no|nope|nah|not really|(?:it|that|this) {_NOT}"
)
_AFTER = (
    "at all|yet|any ?more|either|for me|for us|here|again|now|though|unfortunately|sadly|sorry|so far|this time|today"
    "|i m afraid|thanks|thank you|anyway|as before|really"
)
_ENGLISH = re.compile(rf"(?:(?:{_BEFORE}) )*(?:{_FAILED})(?: (?:{_AFTER}))*")
_THUMB = re.compile(r"\s*(?:👎[🏻-🏿]?\s*)+")
#: Declined, not denied.
_DECLINES = re.compile("no (?:thanks|thank you)")

_BEFORE_JA = (
    "すみませんが?|申し訳(?:ない|ありません)(?:です)?が?|ありがとうございま(?:す|した)が?|ありがとうが?|うーん|いえ|いいえ|いや|えっと"
    "|残念(?:ながら|です)|でも|やはり|やっぱり|しかし|ですが|だけど|けど|が"
    "|(?:早速|さっそく)?(?:試し(?:ましたが?|ても|たけど|たの?ですが|たんですが)|試してみ(?:ましたが?|たけど|たのですが|たんですが)"
    "|やってみ(?:ましたが?|たけど|たのですが|んですが)|やりましたが?)"
    "|(?:言われた|その|教わった)とおりに?しましたが?|全部|すべて|どれも|何も|まだ|全然|まったく|全く|一向に|結局|ちょっと|あまり|状況は|症状は"
    "|(?:(?:その|この|上記の|今の|教えて(?:いただいた|もらった))(?:方法|手順|回答|答え|対処)|それ|これ|回答|方法)(?:では|だと|じゃ|は|で)?|も"
)
_FAILED_JA = (
    "解決(?:しません(?:でした)?|しない|しなかった|して(?:い)?ません(?:でした)?|して(?:い)?ない|できません(?:でした)?|できない|せず|しないまま)"
    "|(?:直|治|なお)(?:りません(?:でした)?|らない|らなかった|って(?:い)?ません(?:でした)?|って(?:い)?ない|らず|らないまま)"
    "|(?:だめ|ダメ|駄目|無理|ムリ)(?:だった|みたい|なよう|のよう|っぽい|そう)?|ノー"
    "|(?:うまく|上手く)(?:(?:いき|行き|でき)ません(?:でした)?|いかない|いかなかった|いって(?:い)?ません|いって(?:い)?ない)"
    "|お?役に?(?:立ちません(?:でした)?|立たない|立たなかった|立って(?:い)?ません)"
    "|(?:参考|解決)に(?:なりません(?:でした)?|ならない|ならなかった|なって(?:い)?ません)"
    "|(?:変|か)わり(?:ません(?:でした)?|なし)|変わら(?:ない|ず|なかった)|変化(?:が)?(?:なし|ありません|ない)"
    "|改善(?:しません(?:でした)?|されません(?:でした)?|しない|されない|して(?:い)?ません|なし)|効果(?:が)?(?:なし|ありません(?:でした)?|ない)"
    "|(?:それは|これは)?(?:もう|すでに|既に|とっくに)(?:全部|すべて|全て)?(?:試|ため|やっ|やり|行い|確認|実施|再起動|読|見|知っ)(?:し|み|って|んで)?"
    "(?:(?:て|で)?(?:い|み|あり)?ました|(?:て|で)?(?:い|あ)?(?:た|だ|る|ます)|済み)"
    "|そう(?:じゃ|では)(?:な(?:い|くて?|く)|ありません)"
    "|同じ(?:状態|結果|症状|エラー|まま)?|(?:動|うご)(?:きません(?:でした)?|かない|かなかった)|できません(?:でした)?|できない"
)
_JAPANESE = re.compile(
    rf"(?:{_BEFORE_JA})*(?:{_FAILED_JA}|いえ|いいえ|いや|ううん|まだ)"
    "(?:です|でした|だ|ね|よ|が|けど|の|ん|ようです|みたいです|残念|すみません|ありがとうございま(?:す|した))*"
)


def is_unhelped(words: str) -> bool:
    """Whether they say that something did not help, was wrong or was tried already, and nothing else: what comes with
    news is a question."""
    words = pictured(words)
    said = folded(words) if len(words) <= _LONGEST else ""
    if _THUMB.fullmatch(words):
        return True
    if not said or asks_by_sign(words) or _DECLINES.fullmatch(said):
        return False
    if (denial := denial_in(words)) is not None and not denial.rest:
        return True
    close = said.replace(" ", "")
    return bool(_ENGLISH.fullmatch(said) or (len(close) <= _LONGEST_JA and _JAPANESE.fullmatch(close)))
