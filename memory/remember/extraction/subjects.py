"""What a sentence is about, where it says so and where it leaves that to its context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.model import Turn
from memory.remember.extraction.talk import sentences
from memory.text.entities import exact_entities, normalise

#: One thing has several of these, so the word that tells them apart stays in the subject.
_SEVERAL = frozenset("phone number,address,server,limit,minimum,price,procedure,location,requirement".split(","))
#: What can be said to hold of a thing in plain sentences; the rest needs an understanding of the sentence.
#: What every system has, so that 運用担当 alone says of which only through its context.
_COMMON = frozenset("owner,phone number,version".split(","))
_NOT_NAMED = frozenset("did,plans,likes,has,uses,symptom,fix,outage,member,job".split(","))
_DETERMINER = re.compile(
    r"^(?:the|a|an|our|your|my|its|their|this|that|all|any|new|old|current|same|and|but|also|so|yes,|no,|note that|"
    r"please note that) ",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[（(\[【].*?[）)\]】]")
_TITLE_NAME = re.compile(r"[A-Za-z][\w.&+-]+(?:[ _][A-Za-z0-9][\w.&+-]*)*", re.ASCII)
_JAPANESE_NAME = re.compile(
    rf"(?:{_TITLE_NAME.pattern}|[A-Za-z])[\u30a1-\u30fa\u30fc]{{2,}}|{_TITLE_NAME.pattern}", re.ASCII
)
_CODE = re.compile(
    r"(?<![A-Za-z0-9_-])(?:[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]?\d[A-Z0-9_-]*|0x[0-9A-Fa-f]+)(?![A-Za-z0-9_])"
)
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_CAPITALISED = re.compile(r"(?<=[\w,;:)(/\"'“「『] )[A-Z][\w.&+-]+|(?<=[（(])[A-Z][\w.&+-]+|\b[A-Z]\w*[A-Z]\w*\b")
_SAYS_NOTHING = frozenset(
    "許可,申請,利用,使用,登録,これ,それ,こちら,そちら,今回,本件,当方,現在,今,今回分,every site,all "
    "sites,everyone,everybody,it,this,that,"
    "access,use,request,permission,loan".split(",")
)
_KANJI_ONLY = re.compile(r"[\u3400-\u9fff]+")
_EVERYWHERE = frozenset(("wi-fi", "wifi", "pc", "it", "usb", "url", "id", "vpn error"))
_MONTHS_AND_DAYS = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*|i|it|pc|ok|eta",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a rule read in a sentence. Without a `subject` it is of what the sentences around it are about. `before` is
    the value that this one takes the place of, where the sentence names it."""

    subject: str
    predicate: str
    value: str
    before: str = ""
    confidence: float = 1.0


def codes(text: str) -> list[str]:
    """Error codes and device names as they are written, each once."""
    return list(dict.fromkeys(_CODE.findall(text)))


def attribute(phrase: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """(subject, predicate) of a noun phrase that names an attribute: 「書庫の保存期間」 is the retention of 書庫.

    The subject is empty where the phrase is the attribute alone; None where it names none that the table has.
    """
    phrase = bare(phrase)
    if _JAPANESE.search(phrase):
        return _japanese(phrase, names)
    return _english(phrase, names)


def bare(phrase: str) -> str:
    """A noun phrase without determiners and quotation marks at its ends."""
    phrase = phrase.strip(" 　・•「」『』\"'“”,、:：")
    while match := _DETERMINER.match(phrase):
        phrase = phrase[match.end() :]
    return phrase.strip()


def _japanese(phrase: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    folded = normalise(phrase)
    for size in range(len(folded), 1, -1):
        word = folded[-size:].removesuffix("ー")
        predicate = names.get(word)
        if predicate is None or predicate in _NOT_NAMED:
            continue
        owner = phrase[:-size].strip()
        short = owner and len(owner) <= 2 and _KANJI_ONLY.fullmatch(phrase)
        return (phrase if predicate in _SEVERAL or short else owner.removesuffix("の").strip(), predicate)
    return None


def _english(phrase: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    head, preposition, owner = re.match(r"^(.*?)(?: (of|for|at|on|in) (.*))?$", phrase).groups()  # type: ignore[union-attr]
    words = head.lower().replace("'s ", " ").split()
    for size in range(len(words), 0, -1):
        predicate = names.get(" ".join(words[-size:]))
        if predicate is None or predicate in _NOT_NAMED:
            continue
        before = head.split()[: len(words) - size]
        tail = head.split()[len(words) - size :]
        of = [bare(owner)] if preposition and owner else []
        kept = tail if predicate in _SEVERAL else []
        mine = [word.removesuffix("'s") for word in before]
        return (" ".join([*of, *mine, *kept]), predicate)
    return None


def _names_in(texts: tuple[str, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in texts:
        for sentence in sentences(text):
            pattern = _JAPANESE_NAME if _JAPANESE.search(sentence) else _CAPITALISED
            found.update(
                word.strip() for word in pattern.findall(sentence) if not _MONTHS_AND_DAYS.fullmatch(word.strip())
            )
    return found


def topic_of(turns: Sequence[Turn]) -> str:
    """What the episode is about: the name in its title, else the title, else the name that is said most often."""
    title = next((turn.title for turn in turns if turn.title), "")
    said = Counter(
        {name: count for turn in turns for name, count in _names_in((turn.text,)).items()} if not title else {}
    )
    if not title:
        often = [name for name, count in _names_in(tuple(turn.text for turn in turns)).most_common(1) if count > 1]
        return often[0] if often else next(iter(said), "")
    return _named(title, turns) or " ".join(_BRACKETS.sub(" ", title).split()).rstrip("?？!！。.")


def _named(title: str, turns: Sequence[Turn]) -> str:
    """The first name in a title. In an English one, a word is a name if it has a capital inside a sentence too."""
    if _JAPANESE.search(title):
        runs = [match.group() for match in _JAPANESE_NAME.finditer(title)]
    else:
        known = _names_in(tuple(turn.text for turn in turns))
        runs = _runs(title, {part for name in known for part in name.split()})
    named = [_without_codes(run) for run in runs]
    telling = (run for run in [*named, *runs] if run and run.lower() not in _EVERYWHERE)
    return next(telling, "")


def _runs(title: str, known: set[str]) -> list[str]:
    """Words of the title that are names, neighbours together."""
    runs: list[list[str]] = [[]]
    for word in re.findall(r"[\w.&+-]+|[^\w\s]", title):
        goes_on = runs[-1] and re.fullmatch(r"\d+(?:\.\d+)+", word)
        if goes_on or word in known or codes(word) == [word] or re.fullmatch(r"[A-Z]\w*[A-Z]\w*", word):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    return [" ".join(run) for run in runs if run]


def _without_codes(run: str) -> str:
    """A system's name without the error code that stands beside it."""
    known = exact_entities(run)
    return " ".join(word for word in run.split() if normalise(word) not in known)


def qualified(subject: str, topic: str, names: Mapping[str, str]) -> str:
    """A subject that says nothing alone (許可, every site) is the topic; a number, a version or an attribute that many
    things have (外線特番) is that of the topic. Empty where there is none to say it of."""
    if not subject or normalise(subject) in _SAYS_NOTHING:
        return topic
    common = re.fullmatch(r"[\u3400-\u9fff]{3,4}", subject) and names.get(subject[-2:]) in _COMMON
    if not (
        common or re.fullmatch(r"v?\d[\d.]*", subject, re.IGNORECASE) or normalise(subject).removesuffix("ー") in names
    ):
        return subject
    if not topic:
        return ""
    if topic.casefold() in subject.casefold():
        return subject
    return topic if subject.casefold() in topic.casefold() else f"{topic} {subject}"


_MEANS_JA = re.compile(
    rf"(?P<code>{_CODE.pattern})\s?(?:は|とは|が)(?P<value>.{{2,80}}?)(?:という(?:意味|エラー)|を意味|のエラー|"
    r"(?:の(?:とき|場合)|とき|時|場合)に?(?:も)?(?:出|表示|起き|発生)|と(?:きに)?出(?:ます|る|た)|"
    r"と表示され(?:ます|る)|と発生し|と起き)"
)
_QUOTED_MEANING = re.compile(rf'(?P<code>{_CODE.pattern}) (?:is|means|stands for|=) ["“](?P<value>[^"”]{{3,80}})["”]')
_IS_A_FAULT = re.compile(
    rf"(?P<code>{_CODE.pattern})\s?は(?P<value>[^。、]{{3,40}}?(?:ずれ|エラー|不足|切れ|超過|失敗|"
    rf"不一致|未登録|重複))(?:です|を示します|のこと)"
)
_MEANS_EN = re.compile(
    rf"(?P<code>{_CODE.pattern})(?:,? which)?\)?(?: (?:(?:just |simply |usually )?means|(?:is shown|"
    rf"appears|shows up|comes up|comes|"
    rf"occurs|happens) (?:when|if|because)|is caused by) | ?= ?)"
    r"(?:that )?(?P<value>[^.;]{3,100})"
)


def meaning_of(sentence: str) -> Claim | None:
    """What an error code stands for or comes of: 「BL-61は時刻がずれると出ます」, "TK-12 = month already closed"."""
    patterns = (_QUOTED_MEANING, _MEANS_JA, _IS_A_FAULT, _MEANS_EN)
    match = next((found for pattern in patterns if (found := pattern.search(sentence))), None)
    if match is None:
        return None
    value = re.sub(r"(?:の|という)$", "", match["value"].strip()).strip(' 、,「」"')
    idle = re.match(r"(?:not\b|同じ|また|よく|まだ)", value) or len(value) < 3
    return None if idle else Claim(subject=match["code"], predicate="cause", value=value)
