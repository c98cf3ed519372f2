"""Whether a statement stands in its sources: every number, code and name that it has must be there too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.model import Turn
from memory.remember.extraction.statements import Statement
from memory.text.dates import Mention, TimeRange, mentions
from memory.text.entities import exact_entities, normalise
from memory.text.quotes import folded

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9_'’-]*")
_NAMED = re.compile(r"([\u3041-\u30ff\u3400-\u9fff々]{1,8}?)(?:さん|さま|様|氏|くん|君)(?![\u30a0-\u30ff])")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
_KANJI = re.compile(r"[\u3400-\u9fff々]{2,}")
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_GRAMMAR = re.compile(r".*[\u3041-\u309f]")
#: Number words that people write out and models write in digits, and the other way round.
_WORDS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
#: Capitalised because a sentence begins with them.
_OPENERS = frozenset(
    "a an the this that these those it its he she they his her their there we our you your i my from "
    "in on at by to for "
    "of with without after before since until till during when while if as and or but not no all every each any some "
    "both only also now currently new old please use users user someone people".split()
)
#: Words for what everybody at a desk has: they name nothing.
_COMMON = frozenset(
    "システム サーバ ユーザ チケット エラー パソコン アカウント ヘルプデスク メンバ チーム オフィス スタッフ トラブル "
    "担当 担当者 問題 原因 対処 対応 手順 方法 状態 場所 期間 期限 利用 利用者 使用 変更 番号 連絡 "
    "連絡先 申請 確認 発生 解決 必要 "
    "予定 終了 停止 開始 完了 会社 社員 以内 以上 以下 未満 時間 日間".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What statements may take their words from.

    `words`: the cited turns and who wrote them, for values. `about`: the ticket and its title, which what is said is
    about. `around`: who else took part, whom a sentence may name where the turn says "you".
    """

    words: str
    about: str
    around: str
    said_at: datetime
    dates: tuple[TimeRange, ...]


def source_of(turns: Sequence[Turn], about: Iterable[str], around: Iterable[str]) -> Source:
    """Of the cited turns."""
    dates = [found.range for turn in turns for found in mentions(turn.text, turn.said_at)]
    return Source(
        words=_plain("\n".join([*(turn.text for turn in turns), *(turn.said_by for turn in turns)])),
        about=_plain("\n".join(about)),
        around=_plain("\n".join(around)),
        said_at=turns[0].said_at,
        dates=tuple(dates),
    )


def stands(said: Statement, source: Source) -> bool:
    """Whether all its numbers, codes and names are the source's. Dates may be written out from relative ones."""
    about = f"{source.words}\n{source.about}"
    value, subject, text = (_without_dates(part, source) for part in (said.value, said.subject, said.text))
    return (
        _words_stand(value, source.words)
        and _words_stand(subject, about)
        and _words_stand(text, f"{about}\n{source.around}")
        and all(_kanji_stands(run, source.words) for run in _KANJI.findall(value))
        and all(_kanji_stands(run, about) for run in _KANJI.findall(subject))
    )


def _words_stand(text: str, known: str) -> bool:
    return (
        _codes_stand(text, known)
        and _numbers_stand(text, known)
        and _latin_stands(text, known)
        and _japanese_stands(text, known)
    )


def occurs(words: str, text: str) -> bool:
    """Whether the words stand in the text, whatever their case and width."""
    wanted = folded(words).casefold()
    return bool(wanted) and wanted in folded(text).casefold()


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", normalise(text))


def _without_dates(text: str, source: Source) -> str:
    """The text without the dates that the source has, in whatever words."""
    for found in reversed(mentions(text, source.said_at)):
        if _is_known(found, source):
            text = f"{text[: found.span[0]]} {text[found.span[1] :]}"
    return text


def _is_known(found: Mention, source: Source) -> bool:
    """A date of the source, the day of one, or the day on which it was said."""
    start = found.range.start
    return found.range.contains(source.said_at) or any(
        known.start == start or known.contains(start) or found.range.contains(known.start) for known in source.dates
    )


def _codes_stand(text: str, words: str) -> bool:
    known = exact_entities(words)
    return all(code in known or any(code in other.split(".") for other in known) for code in exact_entities(text))


def _numbers_stand(text: str, words: str) -> bool:
    known = set(_numbers(words)) | {part for code in exact_entities(words) for part in _digits(code)}
    written = {str(_WORDS[word]) for word in re.findall(r"[a-z]+", words) if word in _WORDS}
    return all(number in known | written for number in _numbers(_plain(text)))


def _numbers(plain: str) -> Iterator[str]:
    """Numbers that are not parts of codes, without leading zeros."""
    for code in sorted(exact_entities(plain), key=len, reverse=True):
        plain = plain.replace(code, " ")
    return (number.lstrip("0") or "0" for number in _NUMBER.findall(plain))


def _digits(code: str) -> list[str]:
    return [number for number in _NUMBER.findall(code) if len(number) > 2]


def _latin_stands(text: str, words: str) -> bool:
    """Names: words with a capital; in a Japanese text every word in Latin letters."""
    japanese = bool(_JAPANESE.search(text))
    known = {_stem(word) for word in re.findall(r"[a-z0-9]+", words)}
    for match in _LATIN.finditer(text):
        word = match.group()
        opens = not text[: match.start()].strip() or text[: match.start()].rstrip().endswith((".", "!", "?", "\n"))
        if not (japanese or any(letter.isupper() for letter in word)) or (opens and word.lower() in _OPENERS):
            continue
        if not all(_stem(part) in known for part in re.findall(r"[a-z0-9]+", normalise(word))):
            return False
    return True


def _stem(word: str) -> str:
    """Enough of a word that "Passwords" is found in "password"; short ones stay whole."""
    for ending in ("ing", "ed", "es", "s"):
        if word.isalpha() and word.endswith(ending) and len(word) - len(ending) > 3:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e") if word.isalpha() and len(word) > 4 else word


def _japanese_stands(text: str, words: str) -> bool:
    short = words.replace("ー", "")
    people = (_GRAMMAR.sub("", match.group(1)) or match.group(1) for match in _NAMED.finditer(text))
    things = (run.replace("ー", "") for run in _KATAKANA.findall(normalise(text)))
    return all(name in words for name in people) and all(run in short or run in _COMMON for run in things)


def _kanji_stands(run: str, words: str) -> bool:
    """A short run must be there whole; of a long one, which may be put together from the source's words, half."""
    if run in words or run in _COMMON:
        return True
    pairs = [run[place : place + 2] for place in range(len(run) - 1)]
    return len(run) > 2 and 2 * sum(pair in words or pair in _COMMON for pair in pairs) >= len(pairs)
