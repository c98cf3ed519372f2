"""What people say that states nothing: greetings and thanks, questions, conditions, denials."""

from __future__ import annotations

import re
import unicodedata

_SENTENCE_END = re.compile(
    r"(?<=[。！？!?])\s*|"
    r"(?<=[A-Za-z0-9)\"'”][.])(?<!e\.g\.)(?<!i\.e\.)(?<! Mr\.)(?<! Ms\.)(?<! Dr\.)(?<! vs\.)(?<! No\.)\s+|\n+|"
    r"(?<=[a-z]:)\s+(?=[Ii]t(?:'s|’s| is) )"
)
_COURTESY = re.compile(
    r"(?:どうも)?(?:ありがとう|有難う|有り難う)(?:ございま(?:す|した))?|(?:大変)?助かり(?:ます|"
    r"ました)|お世話に?なって(?:い|お)?(?:ります|ます)|"
    r"お世話(?:様|さま)(?:です|でした)?|お疲れ(?:様|さま)(?:です|でした)?|おつかれ(?:様|"
    r"さま)(?:です|でした)?|よろしく(?:お願い(?:いた|致)?し?ます)?|"
    r"おはよう(?:ございます)?|こんにちは|こんばんは|失礼し(?:ます|ました)|承知(?:いた|致)?しました|"
    r"承りました|了解(?:です|しました)?|"
    r"かしこまりました|わかりました|分かりました|すみません(?:でした)?|申し訳(?:あり|"
    r"ござい)ません(?:でした)?|いえいえ|どういたしまして|(?:大変)?ご迷惑を?お(?:かけ|"
    r"掛け)(?:いた)?しました|(?:よ|良)かったです|"
    r"確認(?:いた)?し(?:ます|ました)|受領し(?:ます|ました)|受け付けました|お待ちください|はい|いいえ|どうもです|"
    r"\b(?:(?:many )?thank(?:s| you)(?: (?:so|very) much| a lot| again| for (?:the|your) (?:help|"
    r"reply|quick \w+))?|thx|ty|cheers|"
    r"hi|hello|hey|good (?:morning|afternoon|evening|night)|you(?:'|’)?re welcome|no problem|sorry|"
    r"bye|goodbye|see you|welcome|"
    r"great|perfect|awesome|nice|ok(?:ay)?|sure|yes|no|yep|got it|will do|done|much appreciated|"
    r"take care|have a (?:nice|good|great) \w+|"
    r"(?:wow|yay|haha|lol)|there|everyone|all|team|so much|for asking|how are you(?: doing)?|"
    r"good to (?:see|hear from) you)\b"
)
_NAME_GIVEN = re.compile(
    r"(?:^|"
    r"(?<=[。、！!\s]))(?:[\u30a1-\u30ff\u3400-\u9fff]{1,8}の)?[\u30a1-\u30ff\u3400-\u9fff]{1,6}(?:です|と申します)|"
    r"[\u30a1-\u30ff\u3400-\u9fff]{1,6}さん"
)
_REPORTED = re.compile(
    r"^\S+(?: \S+)?(?:さん|氏)?\s*(?:thanked|thanks|greeted|said (?:hello|hi|goodbye|thanks|thank you)|apologi[sz]ed|"
    r"wished|congratulated|(?:は|が).{0,20}(?:お礼|感謝|挨拶|あいさつ|謝罪))"
)
_ASKS = re.compile(
    r"[?？]|(?:です|ます|でした|ました|だろう|でしょう|でき|ません)か[。.\s]*$|でしたっけ|"
    r"ましたっけ|かな[。.…]*$|かしら|教えて|"
    r"^(?:who|what|when|where|which|why|how|whose|is|are|does|do|did|can|could|would|will|should|has|"
    r"have|was|were)\b(?!.*[.]\s*$)",
)
_SUPPOSES = re.compile(
    r"(?<!み)たい(?:です|と|の|ん|な|。|$)|希望|がいい|なりそう|もし|たら(?![いくげ])|(?<!なけ)れば|"
    r"なら(?!な|び|わ|し|べ|ず)|の?場合[はに、]|だと|"
    r"(?<![あい])かも|でしょう|つもり|べき|"
    r"\b(?:if|unless|whether|would|could|might|may(?! \d)|maybe|perhaps|suppose|should)\b|\b(?:or|either) .{1,80} or\b"
)
_DENIES = re.compile(
    r"ません(?!か)|(?:では|じゃ|は)な(?:い|く)(?!なり)|ない(?:です|ので|。|$)|なかった|ず(?:に|、)|"
    r"\b(?:not|never|no longer|isn't|aren't|wasn't|weren't|won't|don't|doesn't|didn't|cannot|can't|"
    r"nobody|none|neither)\b"
)
_HEDGES = re.compile(
    r"(?:の|る|た|い)よう(?:です|だ)|みたい|らしい|と思(?:い|う|われ)|と聞き|とのこと|はず|たぶん|多分|おそらく|"
    r"\b(?:i think|i guess|i believe|apparently|probably|supposedly|i heard|they say|it seems|"
    r"seems to|looks like|as far as i know)\b"
)
_REPLACES = re.compile(r"(?:では|じゃ)なく|,? not (?!be\b)[^,;]*")


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, without the white space around them."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def plain(text: str) -> str:
    """The text in one width and in lower case, for looking at its wording."""
    return unicodedata.normalize("NFKC", text).lower().replace("’", "'")


def is_small_talk(text: str) -> bool:
    """Whether nothing is left once greetings, thanks and names are taken out."""
    said = plain(text)
    if _REPORTED.match(said):
        return True
    rest = _NAME_GIVEN.sub(" ", _COURTESY.sub(" ", said))
    return sum(character.isalnum() for character in rest) < 2


def asks(sentence: str) -> bool:
    return _ASKS.search(plain(sentence)) is not None


def supposes(sentence: str) -> bool:
    """Whether it says what would be, not what is."""
    return _SUPPOSES.search(plain(sentence)) is not None


def denies(sentence: str) -> bool:
    """Whether it says what is not; "B instead of A" and 「AではなくB」 say what is."""
    return _DENIES.search(_REPLACES.sub(" ", plain(sentence))) is not None


def only_asks(text: str) -> bool:
    return all(asks(sentence) or is_small_talk(sentence) for sentence in sentences(text))


def hedges(sentence: str) -> bool:
    """Whether whoever says so is not sure, or has it from somebody else."""
    return _HEDGES.search(plain(sentence)) is not None
