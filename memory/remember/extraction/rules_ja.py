"""Statements read off Japanese sentences by pattern. Each pattern is of one clause, its dates taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from memory.remember.extraction.subjects import Claim, attribute, bare
from memory.remember.extraction.values import STATES, cleaned, fits, is_person, person

Names = Mapping[str, str]

_VERBS = (
    "変更(?:にな|とな|し|され|いたし|致し)|[変替代]わ|交代(?:にな|とな|し|いたし|致し)|交替(?:にな|とな|"
    "し)|戻(?:り|し|っ)|移(?:り|し|っ)|移[動設](?:し|にな)|"
    "移転(?:し|にな)|引き?継(?:ぎ|が|い)|切り?替(?:え|わ)|延ば(?:し)|延長(?:し|され|にな|とな|"
    "いたし)|短縮(?:し|され|にな|とな|いたし)|"
    "延期(?:し|され|にな|とな|いたし)|移行(?:し|され|いたし)|統一(?:し|され|いたし)|決ま|決定(?:し|"
    "され|いたし)|改め|改定(?:し|され)|引き?上げ|引き?下げ|"
    "増や|減ら|増え|減り|置き換(?:え|わ)|更新(?:し|され)|繰り?上げ|繰り?下げ|な(?:り|っ|る)"
)
_ENDING = (
    r"(?:ました|ます|った|いました|りました|ります|えました|えます|られました|られます|っています|"
    r"ってます|しています|いたしました|いたします|る|い)?"
)
_TAIL = (
    r"(?:の?で|が|から|ため|よ|ね|とのこと(?:です)?|ことにな(?:り|っ)?(?:ました|ます|た)|"
    r"ことにし(?:ました|ます)|そうです|予定です|。|！|!)*$"
)
#: 「XはAではなくBになります」「Xの担当がAからBに変わりました」
_CHANGE = re.compile(
    r"^(?P<np>.{1,40}?)(?P<mark>は|が|を)\s?(?:(?P<old>.{1,30}?)(?:では?なく|じゃなく|から))?\s?"
    rf"(?P<value>.{{1,40}}?)\s?(?:に|へ|と)\s?(?:再び|また|正式に)?(?:{_VERBS}){_ENDING}{_TAIL}"
)
_NOMINAL = re.compile(
    r"^(?P<np>.{1,40}?)(?P<mark>は|が|を)\s?(?:(?P<old>.{1,30}?)(?:では?なく|じゃなく|から))?\s?"
    r"(?P<value>.{1,40}?)\s?(?:に|へ)(?:変更|交代|交替|移行|統一|延期|短縮|延長|移転|決定)(?:です|"
    r"の予定です|予定)?(?:。|！)*$"
)
_STATE = re.compile(
    r"^(?P<np>.{1,40}?)(?:は|って)\s?(?P<value>.{1,60}?)\s?"
    r"(?:です|になっています|になってます|である|だ|の予定です|予定です|を予定しています|"
    r"までです|まで|のまま(?:です)?)(?:が|よ|ね|けど|けれど|ので)*(?:。|！)*$"
)
_STOPPED = re.compile(r"^(?P<np>.{1,40}?)は\s?(?P<value>.{1,40}?)(?:。|！)*$")
_IS_ALSO = re.compile(
    r"^(?P<np>.{1,30}?)は\s?(?P<old>.{1,30}?)では?なく(?P<value>.{1,40}?)(?:です|でした|で|だ)(?:が|よ|ね)*(?:。|！)*$"
)
_TAKES = re.compile(
    r"^(?P<who>.{1,20}?)が\s?(?P<np>.{1,30}?)を(?:引き?継ぎ|引き受け|担当し|担当いたし|担当する|"
    r"受け持ち|管理し)(?:ことになり|ことにし)?"
    r"(?:ました|ます|ています|てます)"
)
_IS_TAKEN = re.compile(
    r"^(?P<np>.{1,30}?)は\s?(?P<who>.{1,20}?)が(?:引き続き)?(?:担当(?:し|いたし|にな|とな)?|"
    r"引き?継(?:ぎ|い)|管理し|受け持(?:ち|っ))"
    r"(?:って|て)?(?:り)?(?:ました|ます|います|です)"
)
_ASKED = re.compile(
    r"^(?P<np>.{2,30}?)は\s?(?P<who>.{1,20}?(?:さん|様|氏))(?:へ|に|まで)(?:ご?連絡|ご?依頼|お願い|"
    r"聞い|申請|ご?相談|お声がけ|言って)"
    r".{0,8}(?:ください|下さい|します|ます)(?:。|！)*$"
)
_KEEPS = re.compile(
    r"^(?:私|わたし|自分)(?:は|が)(?:引き続き)?(?P<np>.{1,30}?)(?:だけ|のみ|を)(?:だけ)?(?:残り|"
    r"担当し|担当する|続け|受け持ち)(?:ます|ています)"
)
_DONE_VIA = re.compile(
    r"^(?P<np>.{1,40}?)は\s?(?:(?P<old>.{1,30}?)(?:では?なく|じゃなく))?(?P<value>.{1,50}?)(?:で|"
    r"から|より|に|へ|まで|を通じて|経由で)"
    r"(?:行[いうっ]|行な[いっ]|申請|申し込|お願い|お申し込み|提出|出して|受け付け|受付|登録|依頼|"
    r"連絡|ご連絡|お問い合わせ|手続き|お申し出|送って|ご申請)"
    r"(?:し|って|んで|けて|いた|いたし)*(?:うことにな(?:りました|ります)|ことにな(?:りました|"
    r"ります)|ます|てください|て下さい|ください|下さい|い)?(?:。|！)*$"
)
#: A way that is described: 「予約はカレンダーの「備品」から選んでください」
_DESCRIBED = re.compile(
    r"^(?P<np>[^、。はがを]{2,18}?)は\s?(?P<value>.{4,90}?(?:送って|提出して|出して|申請して|選んで|"
    r"申し込んで|お申し込み|開いて|入力して|登録して|提出を))"
    r"(?:ください|下さい|お願い(?:し|いたし|致し)ます)(?:。|！)*$"
)
_DONE = re.compile(
    r"(?:申請|登録|手続き?|依頼|申込|申し込み|報告|問い?合わせ|連絡|予約|返却|購入|貸出|手順|届け?|"
    r"精算|リセット|解除|変更|再発行|受付|提出|追加|削除|復元)$"
)
_USES = re.compile(
    r"^(?P<np>.{1,30}?)は\s?(?P<value>.{1,40}?)を\s?(?:使います|使って(?:ください|下さい)|"
    r"使用します|使用して(?:ください|下さい)|利用します|ご利用ください|お使いください)"
)
_IN_USE = re.compile(
    r"^(?:使い始めた|導入した|使っている|配布した)(?P<np>[^、。\s]{1,25})\s?(?P<value>v?\d[\w.]*)(?=\D|$)"
)
_STATUS = re.compile(
    rf"^(?P<np>.{{1,30}}?)は\s?(?:すでに|もう|全て|すべて)?(?P<value>.{{0,12}}?(?:{STATES}))"
    r"(?:です|しました|します|になりました|になります|となりました|となります|されました|されます|"
    r"済みです|しています|中です|です)?(?:。|！)*$"
)
_BECAUSE = re.compile(
    r"^(?:原因|理由)は\s?(?P<value>.{2,90}?)(?:こと|の|から|ため)?(?:です|でした|だった|だ|"
    r"のよう(?:です|でした)|と思われます)(?:が|ね|よ)?(?:。|！)*$|"
    r"^(?P<also>.{2,60}?)が(?:原因|理由)(?:です|でした|だった|のよう(?:です|でした)|と思われます|"
    r"と分かりました|とわかりました)|"
    r"^(?P<fault>.{2,50}?の(?:故障|不具合|障害|断線|設定ミス|設定漏れ|設定間違い|期限切れ|容量不足|"
    r"劣化|摩耗|停電|バグ))(?:です|でした|だった|のよう(?:です|でした))"
)


def claims_ja(clause: str, names: Names, author: str) -> Iterator[Claim]:
    """What one clause without its dates says; of several readings the first counts."""
    for read in _READINGS:
        claim = read(clause, names, author)
        if claim is not None:
            yield claim
            return


def _cause(clause: str, names: Names, author: str) -> Claim | None:
    match = _BECAUSE.match(clause)
    value = cleaned(match["value"] or match["also"] or match["fault"]) if match else ""
    unknown = re.search(r"不明|分か|わか|調査|確認|^(?:それ|これ|あれ|そこ|ここ|そちら)$", value)
    return Claim(subject="", predicate="cause", value=value) if value and not unknown else None


def _change(clause: str, names: Names, author: str) -> Claim | None:
    match = _CHANGE.match(clause) or _NOMINAL.match(clause)
    if match is None:
        return None
    value = cleaned(match["value"])
    phrase = bare(match["np"])
    named = attribute(phrase, names)
    if named is not None:
        return _typed(named, value)
    return None if match["mark"] == "を" or not value else _unnamed_change(match, clause, phrase, value)


def _unnamed_change(match: re.Match[str], clause: str, phrase: str, value: str) -> Claim | None:
    """A change of something that the table has no name for, as far as the value or the verb tells what it is."""
    predicate = _kind_of_change(match, clause, phrase, value)
    if predicate == "owner":
        return Claim(subject=phrase, predicate="owner", value=person(value))
    if predicate is not None:
        return _typed((phrase, predicate), value)
    return Claim(subject=phrase, predicate="is", value=value) if _changes_much(match, phrase, value) else None


def _kind_of_change(match: re.Match[str], clause: str, phrase: str, value: str) -> str | None:
    kinds = (
        ("owner", _PERSON.search(value) and is_person(value)),
        ("location", re.search(r"移[動設転]", clause) and _PLACE.search(value)),
        ("date", re.search(r"延期|変更|繰|決|移", clause) and fits("date", value)),
        ("status", re.fullmatch(rf".{{0,12}}(?:{STATES})", value)),
        ("procedure", match["old"] and _DONE.search(phrase)),
        ("version", fits("version", value) and _VERSION.fullmatch(value)),
    )
    return next((kind for kind, told in kinds if told), None)


_PLACE = re.compile(r"\d\s?[F階]|階|室|棟|館|席|フロア|ロビー|工場|事務所")
_VERSION = re.compile(r"(?:v|版|バージョン)?\s?\d+(?:\.\d+)+\w*|v\d+", re.IGNORECASE)


_PERSON = re.compile(r"(?:さん|様|氏|さま)$")


def _changes_much(match: re.Match[str], phrase: str, value: str) -> bool:
    """Whether this is a change of something that has a name, not a manner of speaking (お世話になります)."""
    said = match["old"] is not None or re.search(r"[A-Za-z\d\u30a1-\u30fa「]|[\u3400-\u9fff]{2,}", value) is not None
    idle = re.search(
        r"世話|迷惑|勉強|参考|気|手間|お手数|楽|便利|静か|綺麗|きれい|元気|有名|大変|問題|必要|可能|"
        r"以上|通り|とおり|よう$|状態$",
        value + phrase,
    )
    return said and idle is None and len(phrase) > 1 and fits("is", value)


def _typed(named: tuple[str, str], value: str) -> Claim | None:
    """The claim, if the value is of the kind that its predicate takes."""
    subject, predicate = named
    value = cleaned(value)
    value = person(value) if predicate == "owner" else value
    return Claim(subject=subject, predicate=predicate, value=value) if fits(predicate, value) else None


def _state(clause: str, names: Names, author: str) -> Claim | None:
    match = _IS_ALSO.match(clause) or _STATE.match(clause)
    named = attribute(match["np"], names) if match else None
    if match is None or named is None or named[1] == "cause":
        return None
    return _typed(
        named,
        re.sub(r"(?:ではなく|じゃなく).*", "", match["value"]) if "ではなく" in match["value"] else match["value"],
    )


def _stopped(clause: str, names: Names, author: str) -> Claim | None:
    """「有効期間は14日」 without a verb: only numbers and dates are sure to be values."""
    match = _STOPPED.match(clause)
    named = attribute(match["np"], names) if match else None
    if (
        match is None
        or named is None
        or not re.search(r"\d", match["value"])
        or re.search(r"[ぁ-ん]{3,}$", match["value"])
    ):
        return None
    return _typed(named, match["value"])


def _taken(clause: str, names: Names, author: str) -> Claim | None:
    match = _IS_TAKEN.match(clause) or _TAKES.match(clause)
    if match is None:
        return None
    who = author if match["who"] in ("私", "わたし", "自分", "こちら") else person(match["who"])
    named = attribute(match["np"], names)
    subject = named[0] if named and named[1] == "owner" else bare(match["np"])
    if subject in ("私", "わたし", "以後", "今後"):
        return None
    return Claim(subject=subject, predicate="owner", value=who) if fits("owner", who) else None


def _asked(clause: str, names: Names, author: str) -> Claim | None:
    """「品目の追加は佐々木さんにお願いしてください」"""
    match = _ASKED.match(clause)
    if (
        match is None
        or not is_person(match["who"])
        or re.search(r"詳|不明|質問|疑問|何か|困|急ぎ|これ|それ", match["np"])
    ):
        return None
    named = attribute(match["np"], names)
    return Claim(subject=named[0] if named else bare(match["np"]), predicate="owner", value=person(match["who"]))


def _keeps(clause: str, names: Names, author: str) -> Claim | None:
    match = _KEEPS.match(clause)
    return Claim(subject=bare(match["np"]), predicate="owner", value=author) if match else None


def _procedure(clause: str, names: Names, author: str) -> Claim | None:
    match = _DONE_VIA.match(clause)
    if match is None:
        return _described(clause)
    phrase = bare(match["np"])
    named = attribute(phrase, names)
    if (named and named[1] == "procedure") or _DONE.search(phrase):
        return _typed((phrase, "procedure"), match["value"])
    return _described(clause)


def _described(clause: str) -> Claim | None:
    match = _DESCRIBED.match(clause)
    if match is None or re.search(r"さん|様|今回|それ|これ|今日|明日|あと$|次回|^\d|以上$|以下$", match["np"]):
        return None
    return Claim(subject=bare(match["np"]), predicate="procedure", value=cleaned(match["value"]))


def _uses(clause: str, names: Names, author: str) -> Claim | None:
    match = _USES.match(clause) or _IN_USE.match(clause)
    if match is None:
        return None
    value = cleaned(match["value"])
    if not re.search(r"\bv?\d|版|バージョン|テンプレート", value):
        return None
    return _typed((bare(match["np"]), "version"), value)


def _status(clause: str, names: Names, author: str) -> Claim | None:
    match = _STATUS.match(clause)
    if match is None or re.fullmatch(r"[\d\s]+", match["np"]) or re.search(r"[をがで]", match["value"]):
        return None
    return Claim(subject=bare(match["np"]), predicate="status", value=cleaned(match["value"]))


_READINGS: tuple[Callable[[str, Names, str], Claim | None], ...] = (
    _keeps,
    _asked,
    _cause,
    _status,
    _change,
    _taken,
    _procedure,
    _uses,
    _state,
    _stopped,
)
