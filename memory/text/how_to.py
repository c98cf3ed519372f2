"""Whether somebody asks how something is done, or for the rule that holds: what articles are written for.

By the build of the words and not by a list of verbs: 直し方, 替え方 and つなぎ方 are one.
"""

from __future__ import annotations

import re

from memory.text.entities import normalise

#: 直し方, 替え方, 見方; not 新しい方 (the newer one), nor what nobody does by steps (考え方, 明け方).
_WAY = (
    r"(?:(?<!しい)(?<!ない)(?<!いい)(?<!よい)(?<![きさるかわ]い)"
    r"(?<![良高低安古早速多重軽長短遅近遠暗赤青白黒広狭強弱太細厚薄若甘辛暑熱寒深浅硬固丸濃痛悪]い)"
    r"(?<!考え)(?<!捉え)(?<!とらえ)(?<!あり)(?<!在り)(?<!働き)(?<!生き)(?<!感じ)(?<!明け)(?<!暮れ)"
    r"(?<=[いきぎしじちにびみりえけげせてでねべめれ仕])"
    r"|(?<![\u3400-\u9fff]見)(?<=見))方"
)
#: What is said of a way that is wanted, and not of one that changed or was tried.
_WANTED = (
    r"(?:$|[?？、。]|[ってのも]{0,2}(?:教|知り|お?願)"
    r"|(?:は|って)(?:$|[?？、。]|ど|何|なに|あ(?:り|る)|な(?:い|ん)|[分わ]か|教|書|ご|いか|こ(?:れ|ち))"
    r"|(?:を|が|も|について|に関して)、?(?:教|お?知|[分わ]か|伺|うかが|お?聞|質問|確認|確かめ|調べ|探|お?示|見せ|ど)"
    r"|で(?:困|迷|悩)|の(?:説明|案内|手引|手順|動画|資料|記事|ページ|コツ)|ど(?:こ|れ|う))"
)
#: どう直せば, どう繋いだら, どう使いますか; not どうなれば, どうして, どうか.
_BY_WHAT_STEPS = (
    r"どう(?!な|で|も|して(?!る)|か|い[うっ]|思|違|変わ|考え|見え|感じ|決ま|動き|され|見て)[^、。?？!]{0,12}?"
    r"(?:[えけげせてねべめれ]ば|[いっしきりちえけげせてねべめれ]たら|んだら|いだら|ますか|ますでしょうか"
    r"|[うくぐすつぬぶむる](?:の(?:です|でしょう|か|[?？]|$)|んです|んだ|べき|[?？]|$))"
    r"|どうやって|どのように(?!な|思|見え|変わ|違)|どのような手順"
)
_WHERE = (
    r"(?:設定|申請|登録|予約|変更|接続|利用|返却|印刷|手配|依頼|連絡|更新|申し込み|購入|解約)(?:は|を)?(?:どこ|どう(?!な|で|い|思))"
    r"|どこ(?:から|で|に|へ)[^、。?？!]{0,12}?(?:でき(?:ます|る)|(?<![漏切割壊流外倒離隠])[えけげせてねべめれ](?:ます|る)[かの?？]"
    r"|[えけげせてねべめれ]ばい|たらい)"
    r"|何(?:を|から)[^、。?？!]{0,8}(?:[えけげせてねべめれ]ば|たら)(?:い|よ|良)"
)
#: 借りるには; not すぐには, nor 直るには何日.
_IN_ORDER_TO = (
    r"(?:(?<!す)ぐ|[うすぬぶむる]|[書行聞開置引描続招解抜届働付]く)には"
    r"(?!十分|不十分|足り|早|遅|向|何(?:日|時|分|年|か月))"
)
_ENGLISH = (
    r"\bhow (?:do|can|should|would|could|might|to|does one|(?:am i|are (?:you|we)) supposed to)\b"
    r"(?! (?:it|this|that) be\b)"
    r"|\b(?:tell|show|explain|teach|advise|know|wonder\w*|ask|help|sure|out|understand)\b[^.?!]{0,30}\bhow "
    r"(?:i|we|you|one|people)\b(?! (?:\w+ed|lost|got|did|had|were|was|came|went)\b)"
    r"|\bhow (?:is|are) .{1,60} (?:done|set up)\b"
    r"|\bwhat(?:'s| is| are) the (?:\w+ )?(?:steps|procedure|process|way)\b"
    r"|\bwhat do (?:i|we|you) (?:have|need) to do\b"
    r"|\bwhere (?:do|can|could|should|must) (?:i|we|you|one) (?!stand\b|sit\b|live\b|work\b|be\b)\w+"
)
_ASKS = re.compile(
    f"{_WAY}{_WANTED}|(?:方法|手順|手続き?){_WANTED}|{_BY_WHAT_STEPS}|{_WHERE}|{_IN_ORDER_TO}|{_ENGLISH}"
)
#: It names a way, or wants to do something.
_SPEAKS = re.compile(
    r"方法|手順|手続き?|マニュアル|(?:設定|申請|登録|予約|変更|接続|利用|返却|印刷|手配|依頼|連絡)(?:は|を)?したい"
    r"|(?:し|ら|つなぎ|使い|借り|変え|入れ|取り)たい(?:です|の|ん)"
    r"|\b(?:steps|instructions|guide|manual|procedure|process) (?:to|for|on)\b|\bway to\b"
    r"|\b(?:i|we) (?:want|need|would like) to (?!know\b|understand\b)"
)


def asks_how(text: str) -> bool:
    """Whether it is asked how, or where, something is done; not where it is told how it was, is thought or changed."""
    return _ASKS.search(normalise(text).strip()) is not None


def is_about_doing(text: str) -> bool:
    """The same, and where a way to do something is named or somebody wants to do it."""
    return asks_how(text) or _SPEAKS.search(normalise(text)) is not None
