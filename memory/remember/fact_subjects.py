"""What a sentence is about, where it says so and where it leaves that to its context."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from memory.model import Turn
from memory.remember.talk import sentences
from memory.text.entities import exact_entities, normalise

#: One thing has several of these, so the word that tells them apart stays in the subject.
_SEVERAL = frozenset("phone number,address,server,limit,minimum,price,procedure,location,requirement".split(","))
#: What can be said to hold of a thing in plain sentences; the rest needs an understanding of the sentence.
_NOT_NAMED = frozenset("did,plans,likes,has,uses,symptom,fix,outage,member".split(","))
_DETERMINER = re.compile(
    r"^(?:the|a|an|our|your|my|its|their|this|that|all|any|new|old|current|and|but|also|so|please note that|note that) ",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[（(\[【].*?[）)\]】]")
_TITLE_NAME = re.compile(r"[A-Za-z][\w.&+-]*(?:[ _][A-Za-z0-9][\w.&+-]*)*(?:\s?[\u30a1-\u30fa\u30fc]+)?")
_CODE = re.compile(r"(?<![A-Za-z0-9_-])(?:[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_]?\d[A-Z0-9_-]*|0x[0-9A-Fa-f]+)(?![A-Za-z0-9_])")
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_CAPITALISED = re.compile(r"(?<=[\w,;:)(/\"'“「『] )[A-Z][\w.&+-]+|(?<=[（(\"“「『])[A-Z][\w.&+-]+|\b[A-Z]\w*[A-Z]\w*\b")
_MONTHS_AND_DAYS = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*|i|it|pc|ok|eta", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a rule read in a sentence. Without a `subject` it is of what the sentences around it are about."""

    subject: str
    predicate: str
    value: str
    confidence: float = 1.0


def codes(text: str) -> list[str]:
    """Error codes and device names as they are written, each once."""
    return list(dict.fromkeys(_CODE.findall(text)))


def attribute(phrase: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """(subject, predicate) of a noun phrase that names an attribute: 「SnapTrayの保存期間」 is the retention of SnapTray.

    The subject is empty where the phrase is the attribute alone; None where it names none that the table has.
    """
    phrase = bare(phrase)
    if _JAPANESE.search(phrase):
        return _japanese(phrase, names)
    return _english(phrase, names)


def bare(phrase: str) -> str:
    """A noun phrase without determiners and quotation marks at its ends."""
    phrase = phrase.strip(" 　「」『』\"'“”,、:：")
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
        whole = bool(owner) and predicate in _SEVERAL
        return (phrase if whole else owner.removesuffix("の").strip(), predicate)
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
        kept = tail if predicate in _SEVERAL and (before or of) else []
        if before and not before[-1].endswith("'s") and not of:
            return (head, predicate)
        mine = [word.removesuffix("'s") for word in before]
        return (" ".join([*of, *mine, *kept]), predicate)
    return None


@cache
def _names_in(texts: tuple[str, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in texts:
        for sentence in sentences(text):
            pattern = _TITLE_NAME if _JAPANESE.search(sentence) else _CAPITALISED
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
    return _named(title, turns) or " ".join(_BRACKETS.sub(" ", title).split())


def _named(title: str, turns: Sequence[Turn]) -> str:
    """The first name in a title. In an English one, a word is a name if it has a capital inside a sentence too."""
    if _JAPANESE.search(title):
        runs = [match.group() for match in _TITLE_NAME.finditer(title)]
    else:
        known = _names_in(tuple(turn.text for turn in turns))
        runs = _runs(title, {part for name in known for part in name.split()})
    named = [_without_codes(run) for run in runs]
    return next((run for run in named if run), next(iter(runs), ""))


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


def qualified(subject: str, topic: str) -> str:
    """A subject that is only a number or a version is that of the topic."""
    if not subject:
        return topic
    if not re.fullmatch(r"v?\d[\d.]*", subject, re.IGNORECASE):
        return subject
    return topic if topic.endswith(subject) else f"{topic} {subject}".strip()
