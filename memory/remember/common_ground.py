"""What two episodes have in common by their own words, and how much that says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from memory.model import Episode, Note
from memory.remember.rarity import Rarity
from memory.text.entities import exact_entities, normalise
from memory.text.language import LanguageCode, detect_language

#: Names and keywords of an episode that are compared.
_NAMES, _KEYWORDS = 40, 12
#: Shared things that are told.
_TOLD = 3
#: Below this, what is near in meaning is only of the same language and trade.
_SOME_MEANING = 0.15
#: Words of any ticket at all.
BOILERPLATE = frozenset(
    "確認 対応 お願 連絡 問題 発生 場合 本日 昨日 今日 明日 返信 完了 担当 担当者 報告 原因 解決 状況 必要 可能 "
    "使用 利用 変更 設定 再起動 電話 メール 会議 時間 以上 失礼 了解 承知 受付 部署 営業 経理 人事 総務 調達 保全 "
    "設計 エラー エラーコード コード 画面 表示 更新 再発 今度 前回 全部 駄目 予定 午前 午後 夕方 "
    "error code shows while stops issue problem ticket please working work works worked help need needs says said "
    "fixed fix done reply update updated message morning today tomorrow yesterday still same user users san "
    "team desk open opened closed resolved "
    "screen phone mail email check checked try tried set use used using new one two day days time".split()
)
#: What stands around somebody's name: 松田さん, 営業の松田です, Fujita-san.
_PERSON = "{0}(?:さん|様|氏|君|部長|課長|[ -]san\\b)|の{0}です"
#: What stands right before or behind a code that something fails with.
_FAILS_BEFORE = re.compile(r"(?:error|code|fault|says|shows|エラー|コード|異常)\W{0,4}$")
_FAILS_BEHIND = re.compile(r"\W{0,3}(?:error|認証|失敗|エラー|異常|(?:が|と|も)?(?:また)?(?:出|表示|再発|発生))")
_AROUND = 12


class Tie(StrEnum):
    """In what way two episodes hang together, the surest first."""

    MENTION = "mention"
    TICKET = "ticket"
    CODE = "code"
    HOST = "host"
    NAME = "name"
    VERSION = "version"
    TOPIC = "topic"
    MEANING = "meaning"


_WORTH = {Tie.MENTION: 0.9, Tie.TICKET: 0.8, Tie.CODE: 0.85, Tie.HOST: 0.7, Tie.NAME: 0.6, Tie.VERSION: 0.3}
_WORTH_OF_A_WORD = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """Something that two episodes share, as it is written in the first; `worth` is 0 to 1."""

    tie: Tie
    words: str
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """An episode as it is compared: what was really said in it, folded (`plain`) and as written, and its names."""

    episode: Episode
    summary: str
    text: str
    plain: str
    names: tuple[str, ...]
    keywords: tuple[str, ...]
    language: LanguageCode

    def has(self, word: str) -> bool:
        """Whether the folded word stands in the episode."""
        return stands_in(word, self.plain)


def words_of(episode: Episode, note: Note) -> Words:
    """The episode's own words, without what the bot said."""
    turns = [turn for turn in episode.turns if not turn.derived]
    lines = [f"{turn.title}\n{turn.text}" if turn.title else turn.text for turn in turns]
    text = unicodedata.normalize("NFKC", "\n".join(lines))
    plain = normalise(text)
    return Words(
        episode=episode,
        summary=note.summary,
        text=text,
        plain=plain,
        names=exact_entities(text)[:_NAMES],
        keywords=tuple(dict.fromkeys(normalise(word) for word in note.keywords))[:_KEYWORDS],
        language=detect_language(turns[0].text if turns else "", "en"),
    )


def stands_in(word: str, plain: str) -> bool:
    """Whether the folded word stands in the folded text by itself. A code is no part of a longer one, as bl-6 and 61
    are of bl-61; a plain word may be one of several that a hyphen joins."""
    joints = "[-_.]?" if any(letter.isdigit() for letter in word) else ""
    places = re.finditer(_alone(re.escape(word), word, joints), plain) if word else ()
    return any(not (joints and re.search(r"[a-z0-9][-_.]$", plain[: place.start()][-2:])) for place in places)


def _alone(pattern: str, word: str, joints: str = "") -> str:
    """The pattern of a word, with no Latin letter or digit joined to one of its own."""
    before = "(?<![a-z0-9])" if word[:1].isascii() else ""
    return f"{before}{pattern}(?!{joints}[a-z0-9])" if word[-1:].isascii() else f"{before}{pattern}"


def common_ground(one: Words, other: Words, rarity: Rarity, meaning: float) -> list[Shared]:
    """What `one` shares with `other`, the most telling first; `meaning` is their levelled cosine."""
    found = [*_tickets(one, other), *_names(one, other, rarity)]
    told = " ".join(shared.words.casefold() for shared in found)
    found += (shared for shared in _topics(one, other, rarity) if shared.words.casefold() not in told)
    if meaning >= _SOME_MEANING:
        found.append(Shared(tie=Tie.MEANING, words="", worth=min(0.95, meaning)))
    return found


def strength(found: Iterable[Shared]) -> float:
    """0 to 1: how likely it is that at least one of these connects the two, each being worth what it is."""
    return round(1 - prod(1 - shared.worth for shared in found), 3)


def _tickets(one: Words, other: Words) -> list[Shared]:
    if one.episode.name == other.episode.name and one.episode.ticket and other.episode.ticket:
        return [Shared(tie=Tie.TICKET, words=one.episode.name, worth=_WORTH[Tie.TICKET])]
    mentioned = [
        about.episode.name
        for about, by in ((other, one), (one, other))
        if about.episode.ticket and by.has(normalise(about.episode.name))
    ]
    return [Shared(tie=Tie.MENTION, words=name, worth=_WORTH[Tie.MENTION]) for name in mentioned]


def _names(one: Words, other: Words, rarity: Rarity) -> list[Shared]:
    tickets = {normalise(one.episode.name), normalise(other.episode.name)}
    both = [name for name in one.names if name in set(other.names) - tickets and rarity.name_connects(name)]
    found = [(_kind(name, one, other), name) for name in both]
    shared = [
        Shared(tie=tie, words=as_written(name, one.text), worth=_WORTH[tie] * rarity.weight(name))
        for tie, name in found
    ]
    return sorted(shared, key=lambda each: -each.worth)[:_TOLD]


def _topics(one: Words, other: Words, rarity: Rarity) -> list[Shared]:
    topics = [word for word in one.keywords if _is_topic(word, one, other) and rarity.word_connects(word)]
    return [
        Shared(tie=Tie.TOPIC, words=as_written(word, one.text), worth=_WORTH_OF_A_WORD * rarity.weight(word))
        for word in topics[:_TOLD]
    ]


def _is_topic(word: str, one: Words, other: Words) -> bool:
    """Whether both are about it: a word that both have, and neither somebody's name nor said in every ticket."""
    if word in BOILERPLATE or not other.has(word) or not one.has(word):
        return False
    return not names_somebody(word, one, other)


def names_somebody(word: str, *about: Words) -> bool:
    """Whether the folded word is the name of somebody in these episodes."""
    if any(word == normalise(turn.said_by) for words in about for turn in words.episode.turns):
        return True
    person = re.compile(_PERSON.format(re.escape(word)))
    return any(person.search(words.plain) for words in about)


def _kind(name: str, one: Words, other: Words) -> Tie:
    if re.fullmatch(r"v?\d+(?:\.\d+)+", name):
        return Tie.VERSION
    if name.count(".") > 1 or "@" in name:
        return Tie.HOST
    fault = name.startswith("0x") or any(_called_fault(name, words.plain) for words in (one, other))
    return Tie.CODE if fault else Tie.NAME


def _called_fault(name: str, plain: str) -> bool:
    """Whether something is said to fail with it anywhere."""
    return any(
        _FAILS_BEFORE.search(plain[max(0, place.start() - _AROUND) : place.start()])
        or _FAILS_BEHIND.match(plain[place.end() : place.end() + _AROUND])
        for place in re.finditer(re.escape(name), plain)
    )


def as_written(word: str, text: str) -> str:
    """The folded word as it is written where it first stands in an NFKC text; itself where it does not."""
    dashes = re.escape(word).replace(r"\-", "[-\u2010-\u2015\u2212\u30fc]")
    found = re.search(_alone(dashes, word), text, re.IGNORECASE)
    return found.group() if found else word
