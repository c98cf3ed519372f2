"""What somebody put right, as a sentence that says it whole: of what, what it is now, and since when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.facts import Fact, matter
from memory.model import Turn
from memory.remember.extraction.predicates import Predicates, predicate_names
from memory.remember.extraction.rules import rule_statements
from memory.remember.extraction.rules_en import claims_en
from memory.remember.extraction.rules_ja import claims_ja
from memory.remember.extraction.statements import Statement
from memory.remember.extraction.subjects import Claim
from memory.remember.extraction.talk import denies, hedges, sentences, supposes
from memory.remember.extraction.values import cleaned, fits, person
from memory.text.language import LanguageCode

_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Righted:
    """Of `subject`, `predicate` is `value` now; `text` says so in one sentence that can be read back by rule."""

    subject: str
    predicate: str
    value: str
    text: str


def stated_whole(turn: Turn, before: Turn, predicates: Predicates, language: LanguageCode) -> Righted | None:
    """What the words of `turn` say, where they say it whole or leave its subject to the question `before`."""
    said = [one for one in rule_statements([before, turn], predicates) if one.turns == (1,)]
    known = [one for one in said if one.predicate in predicates and _is_named(one, before.text, turn.text)]
    words = f"{before.text}\n{turn.text}"
    found = (_righted(one.subject, one.predicate, one.value, turn, predicates, language, words) for one in known)
    return next((one for one in found if one is not None), None)


def _is_named(said: Statement, before: str, words: str) -> bool:
    """Whether its subject stands in the question or beside its value: of "the owner is Mori" Mori is no subject."""
    beside = matter(words).replace(matter(said.value), " ")
    return matter(said.subject) in matter(before) or matter(said.subject) in beside


def stated_of(
    facts: Sequence[Fact], value: str, turn: Turn, predicates: Predicates, language: LanguageCode
) -> Righted | None:
    """What a bare `value` in `turn` says, in the place of one of these facts; None where it may be of several."""
    if denies(value) or supposes(value) or hedges(value):
        return None
    groups = {fact.group: fact for fact in facts if predicates[fact.predicate].single and _is_other(fact, value)}
    found = [
        righted
        for fact in groups.values()
        if (righted := _righted(fact.subject, fact.predicate, value, turn, predicates, language, fact.text)) is not None
    ]
    return found[0] if len(found) == 1 else None


def stated_by_name(facts: Sequence[Fact], turn: Turn, predicates: Predicates, language: LanguageCode) -> Righted | None:
    """What the words of `turn` say where they name only the attribute: "the owner is Mori", of one of these facts."""
    for claim in _claims(turn, predicates):
        of = [fact for fact in facts if fact.predicate == claim.predicate]
        if (
            of
            and _only_attribute(claim, predicates)
            and (found := stated_of(of, claim.value, turn, predicates, language)) is not None
        ):
            return found
    return None


def _claims(turn: Turn, predicates: Predicates) -> Iterator[Claim]:
    names = predicate_names(predicates)
    for sentence in sentences(turn.text):
        read = claims_ja if _JAPANESE.search(sentence) else claims_en
        yield from read(sentence.rstrip("。."), names, turn.said_by)


def _only_attribute(claim: Claim, predicates: Predicates) -> bool:
    """Whether it says of nothing in particular what it says: 「担当は森です」, 「内線は4455です」."""
    subject = matter(claim.subject)
    return not subject or subject in map(matter, [claim.predicate, *predicates[claim.predicate].words])


def _is_other(fact: Fact, value: str) -> bool:
    return fits(fact.predicate, cleaned(value)) and matter(person(value)) != matter(fact.value) != matter(value)


def _righted(
    subject: str, predicate: str, value: str, turn: Turn, predicates: Predicates, language: LanguageCode, told: str
) -> Righted | None:
    """None where no sentence says exactly this. `told` are the words that its subject stands in."""
    for text in _sentences(_as_said(subject, told), predicate, value, turn.said_at, predicates, language):
        read = _read_back(replace(turn, text=text), predicates)
        if read is None or (matter(read.subject), read.predicate) != (matter(subject), predicate):
            continue
        if matter(read.value) in (matter(value), matter(person(value)), matter(cleaned(value))):
            return Righted(subject=subject, predicate=predicate, value=read.value, text=text)
    return None


def _as_said(subject: str, told: str) -> str:
    """The subject with its article, where people give it one: the badge system."""
    said = re.search(rf"\b(?:the|our) {re.escape(subject)}(?!\w)", told, re.IGNORECASE)
    return f"the {subject}" if said else subject


def _read_back(turn: Turn, predicates: Predicates) -> Statement | None:
    """The one thing that the sentence says, dated."""
    said = rule_statements([turn], predicates)
    return said[0] if len(said) == 1 and said[0].when else None


def _sentences(
    subject: str, predicate: str, value: str, at: datetime, predicates: Predicates, language: LanguageCode
) -> Iterator[str]:
    """With the attribute's name in it, or without where the subject has it: 「総務の内線」."""
    for spoken in (language, "en" if language == "ja" else "ja"):
        for name in _names(predicate, predicates, japanese=spoken == "ja"):
            if spoken == "ja":
                yield f"{_since_ja(at)}、{subject}の{name}は{value}です。"
            else:
                yield f"Since {at:%Y-%m-%d %H:%M}, the {name} of {subject} is {value}."
        yield f"{_since_ja(at)}、{subject}は{value}です。" if spoken == "ja" else _plainly(subject, value, at)


def _plainly(subject: str, value: str, at: datetime) -> str:
    return f"Since {at:%Y-%m-%d %H:%M}, the {subject.removeprefix('the ')} is {value}."


def _since_ja(at: datetime) -> str:
    return f"{at.year}年{at.month}月{at.day}日{at.hour}時{at.minute}分から"


def _names(predicate: str, predicates: Predicates, *, japanese: bool) -> Sequence[str]:
    """The first word that the table has for it in the language."""
    words = [predicate, *predicates[predicate].words]
    return [word for word in words if bool(_JAPANESE.search(word)) is japanese][:1]
