"""What stands around what a message is about: greetings, headings, who writes, that it is urgent, that something is
asked."""

from __future__ import annotations

import re
import unicodedata

from memory.text.sentences import sentences

#: Whom somebody writes to.
_TO = (
    "all|everyone|everybody|folks|guys|there|again|sir(?: or madam)?|colleagues?"
    "|(?:it |help ?desk |support |service )*(?:help ?desk|support|team|desk)"
)
_GREETING = (
    "(?:hello|hi|hey|dear|greetings|good (?:morning|afternoon|evening|day)|happy (?:monday|friday|new year))"
    rf"(?: (?:{_TO}))*|cheers|(?:(?:this|it) (?:is|s) )?(?:very |quite )?urgent|(?:best |kind |warm )?regards"
    "|excuse me|how are you(?: (?:all|doing|today))*"
    "|(?:i )?hope (?:you re|you are|you had|you have|all is|all s|everyone s|everyone is|this (?:message |mail )?finds)"
    r"(?: \w+){1,6}|hope (?:you|someone|somebody) can help(?: me| us)?"
    "|(?:many )?(?:thanks|thank you)(?: (?:so much|very much|a lot|again|in advance|all"
    "|for (?:(?:your|the) (?:help|time|support)|any help)))*"
    "|(?:i m |i am )?(?:so |very )?sorry(?: (?:again|for the (?:trouble|bother|noise)"
    "|to (?:bother|disturb|trouble) you(?: again)?))*"
)
_ASKING = (
    "(?:i have a |a |just a |one )?(?:quick |small |short |stupid )*question(?: (?:for you|here))?"
    "|(?:(?:please|can you|could you|can (?:anyone|anybody|someone|somebody)|could (?:anyone|someone)) )+help"
    "(?: (?:me|us))?(?: please| out)?|(?:(?:i|we) )?need (?:some |your |a bit of )?help(?: please)?"
    "|(?:(?:please|can you|could you|i (?:d|would) like to|i want to|i need to|let s) )*"
    "(?:open|create|make|raise|file|log|submit|need|want) (?:me )?(?:a |an |the )?(?:new |support )?ticket"
    "(?: for (?:me|this|that|it))?(?: please)?|(?:i (?:need|want) |please )?(?:a )?(?:new )?ticket(?: please| request)?"
)
#: What is said of the kind of a message, as a heading: what it says follows.
_HEADING = (
    "(?:(?:just|only) )?(?:an? )?(?:(?:quick|short|small|general|important|urgent) )*"
    "(?:announcement|notice|fyi|heads up|note|update|report|reminder|request|news|info(?:rmation)?|message)"
    "(?: (?:for (?:you|all|everyone)|to (?:all|everyone)|please))?"
    "|for your information|(?:re|subject|title|topic|summary|description|details|issue|problem|incident|symptoms?)"
    "|(?:i |we )?(?:have|ve got|got) (?:something to (?:report|announce|ask)"
    "|an? (?:announcement|request|problem|issue|update))"
    "|(?:i |we )?(?:(?:would|d) like|want|have|need) to (?:report|announce|ask)"
    "(?: (?:something|an? (?:problem|issue|incident)))?"
)
_ENGLISH = re.compile(rf"(?:{_GREETING}|{_ASKING}|{_HEADING})", re.IGNORECASE)
_PERSON = r"[A-Z][a-z'’-]+(?: [A-Z][a-z'’-]+)?"
_PLACE = r"(?: (?:from|in|at|of|with|over in|over at) (?:the )?[\w&' -]{2,40}?)"
#: Who writes or is written to, by a name with capitals: "this is urgent" says something else.
_NAMED = re.compile(
    rf"(?:(?:[Tt]his is|[Mm]y name is|[Ii]t['’]?s) {_PERSON}{_PLACE}?(?: here)?|{_PERSON}{_PLACE}? here"
    rf"|(?:I['’]?m|I am|i['’]?m) {_PERSON}{_PLACE}|(?i:hi|hello|hey|dear|good morning|thanks|thank you) {_PERSON})"
)

_POLITE_JA = (
    "こんにちは|こんばんは|おはようございます|おはよう|はじめまして|初めまして|各位|皆様|皆さん|以上(?:です)?"
    "|(?:いつも|日頃より?|平素より?)?(?:大変)?お世話(?:に(?:なっております|なります|なっています)|様です|さまです)"
    "|(?:お疲れ|おつかれ)(?:様|さま)(?:です|でございます|でした)?|(?:すみ|すい)ません(?:が|でした)?|恐れ入ります(?:が)?|恐縮ですが?"
    "|申し訳(?:ありません|ございません)(?:が)?|失礼(?:します|いたします|致します|しました)|初めて(?:ご)?(?:連絡|質問)(?:し|いたし|致し)ます"
    "|(?:突然|急|夜分|早朝|休日|お忙しいところ|お忙しい中|ご多忙のところ|何度も|度々|たびたび|いつも)(?:の(?:ご)?連絡)?(?:で|に)?"
    "(?:失礼(?:します|いたします|致します)|恐れ入ります|恐縮です|すみません|申し訳(?:ありません|ございません))(?:が)?"
    "|(?:いつも|本当に|先日は|先ほどは)?(?:ありがとうございま(?:す|した)|助かって(?:います|おります))"
    "|(?:どうぞ|何卒|何とぞ)?(?:よろしく|宜しく)(?:お願い(?:し|いたし|致し|申し上げ)ます)?|お願い(?:し|いたし|致し)ます"
    r"|\w{0,10}ご?担当(?:者)?(?:様|さま|の皆様)|(?:助けて|教えて)(?:ください|下さい)|困っています"
    "|(?:大)?至急(?:です|お願いします)?|お?急ぎ(?:です|ます)|緊急です"
    "|(?:一点|ひとつ|少し|ちょっと)?ご?(?:質問|相談)(?:です|があります|がございます|させてください|したいです)"
    "|(?:新規の?)?(?:チケット|課題)[をの]?(?:(?:作っ|作成し|起票し|発行し|切っ|登録し)て(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?)?"
    "|(?:作成|起票|発行|登録)?[をの]?(?:お願い(?:し|いたし|致し)ます|ご?依頼(?:です|します)?|希望(?:です|します)?)|作成|起票|発行)"
    "|起票(?:を?お願い(?:し|いたし)ます|して(?:ください|下さい))"
    "|(?:[ごお]|各種)?(?:知らせ|報告|連絡|案内|共有|依頼|願い|相談|質問|確認|お?問い?合わせ|伺い|要望|提案)(?:事項)?"
    "(?:です|でございます|になります|まで|があります|がございます|(?:し|いたし|致し)ます|させて(?:ください|下さい|いただきます)"
    "|したい(?:こと(?:があります|がございます)?|です|のですが))?"
    "|(?:件名|題名|表題|タイトル|内容|概要|本件|[用要]件|現象|症状|状況|詳細|不具合|障害|問題)(?:は(?:次|以下)の(?:通り|とおり))?(?:です|になります)?"
)
#: Each is read in one way only, or a long row of them would be read in too many.
_JAPANESE = re.compile(rf"(?>{_POLITE_JA})++")
_UNIT = (
    "(?:部|課|係|局|科|班|支店|支社|本社|本部|チーム|グループ|センター|広報|経理|総務|営業|人事|法務|情シス|情報システム|開発|製造"
    "|財務|企画|購買|品質|物流|倉庫|受付|秘書|監査|研究|保全|設計|生産|技術|会計|労務|マーケティング)"
)
#: What stands before 「です」 and is no family's name.
_THINGS = (
    "件|電話|端末|画面|電源|機器|印刷|回線|会議|資料|書類|鍵|机|椅子|照明|空調|電池|充電|名刺|至急|緊急|障害|故障|不具合|質問|相談|依頼"
    "|報告|連絡|問題|申請|確認|無線|有線|共有|予約|手順|本件|異常|停止|停電|断線|不明|無理|駄目|以上|同様|明日|今日|昨日|今朝|来週|全員|全社|結構"
    "|必要|不要|可能|未定|再送|追記|別件|私|僕|新人|社員|派遣|大丈夫|不可能"
)
_DEVICES = (
    "プリンタ|スキャナ|モニタ|サーバ|パソコン|ノート|マウス|キーボード|ルータ|ネット|カメラ|マイク|スマホ|タブレット|ドア|エアコン|テレビ|プロジェク"
    "|レジ|コピー|ファ|アプリ|システム|メール|アカウント|パスワード|ソフト|エラー"
)
_SURNAME = rf"(?!(?:{_THINGS})(?:です|で))[一-龥々〆ヶ]{{1,3}}(?<![済用的機器側版型時分回台件])"
_GIVEN = "(?: ?[一-龥々]{1,3}| [一-龥々ぁ-んァ-ヶー]{1,5})"
_OF = r"[\w・-]{1,14}の"
_ITS_ME = "(?:です|でございます|と申します|ともうします|と言います|といいます)"
#: Who writes: a family's name, with where they work or without; any name of somebody of a department.
_NAMED_JA = re.compile(
    rf"(?:{_OF})?{_SURNAME}{_ITS_ME}|(?:{_OF})?{_SURNAME}{_GIVEN}(?:と申します|と言います|といいます)"
    rf"|{_OF}{_SURNAME}{_GIVEN}{_ITS_ME}|{_SURNAME} [一-龥々ぁ-んァ-ヶー]{{1,5}}{_ITS_ME}"
    rf"|[\w・-]{{0,12}}{_UNIT}[\w・]{{0,6}}の(?!(?:{_DEVICES}))(?:[ぁ-んァ-ヶー]{{2,8}}|[A-Z][a-z]+){_ITS_ME}"
    rf"|(?:{_OF})?[\w・ ]{{1,12}}(?:と申します|ともうします)"
    rf"|(?:{_OF})?[\w・]{{0,12}}(?:部|課|係|チーム|グループ)の者です"
    rf"|(?!Outlook|Teams|Excel|Word|Slack|Zoom|Windows|Mac|Chrome|Edge)[A-Z][a-z]+{_ITS_ME}"
)
_AROUND = " \t\n。、,.!！?？…~〜ー♪・:：;-–—―()（）【】[]〔〕<>＜＞■□●○◆◇▼▽★☆"
_SIGNS = re.compile(r"[^\w]+")
_COMMA = re.compile(r"[、,，：]\s*|:\s+|\s[-–]+\s+|\s*[—―]+\s*")


def says_nothing_of_it(sentence: str) -> bool:
    """Whether a sentence only greets, says who writes or of what kind the message is, or that something will be
    asked."""
    return all(_is_opening(part) for part in _COMMA.split(sentence))


def only_opens(words: str) -> bool:
    """Whether a message is nothing but greetings, headings and who writes. A name alone may be the matter, as
    in 「火事です」, and "update?" asks."""
    if words.rstrip().endswith(("?", "？")):
        return False
    parts = [part for one in sentences(words) for part in _COMMA.split(one)]
    return all(map(_is_opening, parts)) and any(_is_polite(part) for part in parts if _said(part))


def without_opening(sentence: str) -> str:
    """The sentence without what stands before its matter, each up to a comma, colon or dash: greetings, headings and
    who writes."""
    begins = 0
    for comma in _COMMA.finditer(sentence):
        if not _is_opening(sentence[begins : comma.start()]):
            break
        begins = comma.end()
    return sentence[begins:]


def _is_opening(part: str) -> bool:
    said = _said(part)
    return bool(not _plain(said) or _is_polite(part) or _NAMED.fullmatch(said) or _NAMED_JA.fullmatch(said))


def _is_polite(part: str) -> bool:
    said = _said(part)
    return bool(_ENGLISH.fullmatch(_plain(said)) or _JAPANESE.fullmatch(said.replace(" ", "")))


def _said(part: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", part).strip(_AROUND).split())


def _plain(said: str) -> str:
    return " ".join(_SIGNS.sub(" ", said).split())
