"""Short messages that ask nothing: thanks, greetings, nods, what somebody will do, and the wish for a person."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from handlers.acts import aside_words as words_of
from handlers.acts.folded import asks_by_sign, folded, pictured

#: Longer messages say more than that.
_LONGEST = 100


class Aside(StrEnum):
    """What was said; of a message that says several things, the first of these."""

    PERSON = "person"
    TRYING = "trying"
    THANKS = "thanks"
    SETTLED = "settled"
    GREETING = "greeting"
    NOD = "nod"


_KINDS = {
    Aside.TRYING: rf"{words_of.TRYING}|{words_of.TRYING_SOMETHING}",
    Aside.THANKS: words_of.THANKS,
    Aside.SETTLED: words_of.SETTLED,
    Aside.GREETING: words_of.GREETINGS,
    Aside.NOD: words_of.NODS,
}
_SAYS = {kind: re.compile(rf"(?:^| |(?<=[^a-z]))(?:{said})(?:$| |(?=[^a-z]))") for kind, said in _KINDS.items()}
_PHRASES = "|".join(
    (words_of.SETTLED, words_of.THANKS, words_of.GREETINGS, words_of.TRYING, words_of.NODS, words_of.BESIDE)
)
_POLITE = re.compile(rf"(?:(?:{_PHRASES})[ーっ]*+ ?)*(?:{words_of.TRYING_SOMETHING})?")
_CLAUSE = re.compile(r"[\n.。,、!！;:~〜…]+|\s[-–—]+\s")

_LATIN = r"[A-Za-z][A-Za-z'’-]+"
_THANKING = (
    r"(?i:many thanks|thanks|thank you|thx|ty|cheers|hi|hello|hey|good morning)(?i: so much| very much| a lot| again)?"
)
_NO_NAME = rf"(?!(?i:{words_of.NO_NAME})\b)"
#: Whom somebody thanks or greets, in the place where a name stands.
_NAMES = (
    re.compile(r"<@[^<>]*>|@[^\s、。,!！]+"),
    re.compile(
        r"[一-龥々ァ-ヶーA-Za-z]{1,12}(?: [一-龥々ァ-ヶーA-Za-z]{1,12})?"
        r"(?:さん|さま|様|氏|くん|君|ちゃん|先輩|先生|部長|課長|係長|主任|社長)"
        r"(?=$|[、,。.!！\s]|(?:本当に|どうも|いつも|早速|大変)*(?:あり|有り?難|感謝|助か|了解|承知|お疲れ))"
    ),
    re.compile(
        rf"(?<=\b)(?P<thanks>{_THANKING})[, ]+{_NO_NAME}(?:[A-Z][a-z'’-]+ [A-Z][a-z'’-]+|{_LATIN})(?=\s*(?:$|[^\w\s]))"
    ),
    re.compile(rf"^\s*{_NO_NAME}{_LATIN}[, ]+(?P<thanks>(?i:thanks|thank you|thx|cheers|many thanks))\b"),
)
#: Who or what stands in the place of a name and is nobody else.
_NO_OTHER = re.compile(words_of.NO_OTHER)
#: Without a word of a language; who laughs does so in one go, or there would be too many ways to read it.
_LAUGH = r"\+1|lol|lmao|rofl|haha(?:ha)*+h?|hehe(?:he)*+|w|草|笑|wow|yay"
_NOD = re.compile(rf"(?:{_LAUGH}|[\W_])+")
_LAUGHS = re.compile(_LAUGH)
_NODDING = frozenset("👍👌🙏👏🎉😊🙂😄😃😁😀🙌❤✅💯🙇👊🆗🫡🥳😂🤣.…。・")

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
    words = pictured(words)
    said = folded(words) if len(words) <= _LONGEST else ""
    if said and (_FOR_A_PERSON.fullmatch(said) or _FOR_A_PERSON_JA.fullmatch(said.replace(" ", ""))):
        return Aside.PERSON
    if asks_by_sign(words) or not (said or _nods(words)):
        return None
    clauses = [one for each in _CLAUSE.split(_nameless(words)) if (one := folded(each))]
    if all(map(_POLITE.fullmatch, clauses)):
        meant = next((kind for kind, says in _SAYS.items() if any(map(says.search, clauses))), None)
        if meant is not None:
            return meant
    return Aside.NOD if _nods(words) else None


def is_courtesy(words: str) -> bool:
    """Whether among others nobody needs an answer to that: they thank, greet, nod, say what they will do, or have no
    words. A question mark wants to know something, and a thumb that is down says that something did not help."""
    if aside_in(words) not in (None, Aside.PERSON):
        return True
    said = _signs(pictured(words))
    return bool(said.strip()) and _NOD.fullmatch(said) is not None and not set(said) & {"?", "👎"}


def thanks_another(words: str) -> bool:
    """Whether these are thanks, and to somebody by name who is neither the bot nor everybody."""
    if aside_in(words) is not Aside.THANKS:
        return False
    said = unicodedata.normalize("NFKC", pictured(words))
    return any(_is_another(found) for pattern in _NAMES for found in pattern.finditer(said))


def _is_another(found: re.Match[str]) -> bool:
    thanks = found.groupdict().get("thanks") or ""
    named = folded(found[0].removeprefix(thanks).removesuffix(thanks))
    return not (_POLITE.fullmatch(named) or _NO_OTHER.fullmatch(named))


def _nods(words: str) -> bool:
    """Whether somebody agrees, laughs, or is at a loss; what else is only signs may be a question."""
    said = _signs(words)
    signs = {each for each in _LAUGHS.sub("👍", said) if _is_sign(each)}
    return bool(signs) and signs <= _NODDING and _NOD.fullmatch(said) is not None


def _signs(words: str) -> str:
    return unicodedata.normalize("NFKC", words).casefold() if len(words) <= _LONGEST else ""


def _is_sign(character: str) -> bool:
    """Skin tones, joiners and exclamation marks say nothing by themselves."""
    return unicodedata.category(character) not in ("Sk", "Mn", "Cf", "Zs", "Cc") and character not in "!~"


def _nameless(words: str) -> str:
    said = unicodedata.normalize("NFKC", words)
    for pattern in _NAMES:
        said = pattern.sub(lambda found: f"{found.groupdict().get('thanks') or ''}, ", said)
    return said
