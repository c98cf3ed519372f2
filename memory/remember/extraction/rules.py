"""Facts without a model: what people say in so many words. A doubtful sentence says nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from memory.model import Role, Turn
from memory.remember.extraction.dating import spaced
from memory.remember.extraction.happenings import LONGEST_SENTENCE, event_of, fix_of, symptoms_of
from memory.remember.extraction.predicates import SHIPPED, Predicates, predicate_names
from memory.remember.extraction.replaced import replaced
from memory.remember.extraction.rules_en import claims_en
from memory.remember.extraction.rules_ja import claims_ja
from memory.remember.extraction.schedules import current_ja, schedule_en, schedule_ja, worth_ja
from memory.remember.extraction.sentence_dates import Undated, undated
from memory.remember.extraction.statements import Statement
from memory.remember.extraction.states import RULES
from memory.remember.extraction.subjects import Claim, attribute, bare, meaning_of, qualified, topic_of
from memory.remember.extraction.talk import asks, denies, hedges, is_small_talk, sentences, supposes
from memory.remember.extraction.values import cleaned, fits, person
from memory.text.entities import exact_entities
from memory.text.language import detect_language
from memory.tickets import is_bookkeeping

_LEAD = re.compile(
    r"^(?:【[^】]*】|(?:なお|ただし?|また|ちなみに|それでは|では|でも|なので|"
    r"ですので)(?=[A-Za-z0-9\u30a1-\u30fa\u3400-\u9fff「])|"
    r"\[[^\]]*\]|(?:なお|ただし?|"
    r"また|ちなみに|さらに|あと|それと|追記|訂正(?:です)?|お知らせ(?:です)?|はい|いえ|すみません|すいません|"
    r"以後|以降|今後|補足|変更|連絡(?:です)?|【)[、,:：。 　]+|"
    r"(?:update|note|change|change of rule|rule change|correction|announcement|reminder|fyi|"
    r"for every(?:body|one) on [\w ]+|for the record|"
    r"heads[- ]up|please note|attention|news|info|yes|no|right|ok|also|sorry|hi all|hello all|"
    r"all)[^:,.]{0,12}[:,]\s+)+",
    re.IGNORECASE,
)
_LINE = re.compile(r"^[・*\-•◆■●\s]*(?P<np>[^:：。]{1,40}?)\s?[:：]\s*(?P<value>[^:：/].{0,60}?)[。.]?$")
_BRACKETS = re.compile(r"\s?[（(][^（）()]*[）)]\s*(?=$|。|です|になり|に変)")
_CLAUSE_EN = re.compile(
    r";\s+|,? (?:but|while) |,? and (?=(?:the|a|an|our|its|it|all|[A-Z])\b|"
    r"[\w-]+(?: [\w-]+){0,3} (?:is|are|will|must|has|have|was|were|goes|go)\b)|(?<=[\w\"”)]),"
    r" (?=(?:[Ii]|we|he|she|they|you|so|then|it|the|our|"
    r"its|please) )"
)
_ANNOUNCED = re.compile(
    r"^(?P<np>.{2,40}?)(?:が|は|を)\s?(?:変わり|変更|新しくなり|更新|改定|変え)(?:にな|とな|し|"
    r"いたし)?(?:り)?(?:ます|ました)|"
    r"^(?P<en>.{2,40}?) (?:is changing|changes|has changed|will change|is going to change|changed|"
    r"(?:was|were|has been|have been) (?:lowered|raised|changed|extended|shortened|reduced|"
    r"increased))[.:!]*$",
    re.IGNORECASE,
)
_FOUND = re.compile(
    r"原因(?:が|は)(?:わか|分か|判明|特定)[^。]{0,8}ました|^(?:found(?: it| the (?:cause|reason|" r"problem))?)[.!:]$",
    re.IGNORECASE,
)
_ONLY_VALUE = re.compile(
    r"^(?:(?:it|the new one|this)(?: is|'s|"
    r" will be) (?:now )?)?(?P<value>[^はがを、]{1,40}?)(?: now)?(?:, .*)?(?:です|になります|"
    r"となります|に変更します|に変わります)?[。.!]*$",
    re.IGNORECASE,
)
#: 「手続きが変わります。ポータルの「来客」から自分で発行してください。」
_WAY = re.compile(
    r"^(?P<value>[^は、]{4,80}?)(?:から|で|へ|に|より)(?:自分で|"
    r"各自)?[^、。でからにへ]{2,12}(?:ください|下さい|お願いします|ます)。*$"
)
_IN_CHARGE = re.compile(
    r"^(?P<who>[^、。はが\s]{1,12})が\s?(?:対応|担当|窓口)(?:し|いたし|とな|にな)?(?:ます|ります|" r"です)"
)
_BECOMES = re.compile(
    r"^(?P<value>[^はがを、]{1,30}?)(?:になります|になりました|となります|に変わります|" r"に変更します)[。！]*$"
)
_REQUIRED = re.compile(
    r"^(?P<value>.{2,40}?)(?:が|も)必要(?:です|になります)|^(?P<en>.{3,40}?) (?:is|are|will be) (?:also |"
    r"now )?(?:required|needed|necessary)\b",
    re.IGNORECASE,
)
#: 「今は5万円までです。7/1から上限が10万円になります。」: what it is now is said of what the change is of.
_AMOUNTS = frozenset(("limit", "retention", "validity", "loan period", "minimum", "price"))
#: A turn that says one of these can be what settled a ticket; one that gives a value is an answer.
_SETTLES = frozenset(("cause", "did", "symptom", "status", "is", "version"))
_TICKET = frozenset(("ticket", "case", "request", "チケット", "このチケット", "本件", "この件"))
_LONGEST = 240
#: An announcement says a few things; more is a list or a log, and each costs a reading of the whole turn.
_MOST_IN_A_TURN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A sentence in its surroundings. `before` is what the turn spoke of until then."""

    place: int
    turn: Turn
    topic: str
    sentence: str
    before: tuple[Claim, ...] = ()


def rule_statements(turns: Sequence[Turn], predicates: Predicates = SHIPPED) -> tuple[Statement, ...]:
    """What `turns`, none of them derived, say by rule; the bot's turns and what is noted of a ticket say nothing."""
    names = predicate_names(predicates)
    topic = topic_of(turns)
    found = [
        said
        for place, turn in enumerate(turns)
        for said in islice(_in_turn(place, turn, topic, names), _MOST_IN_A_TURN)
    ]
    found += symptoms_of(turns, topic)
    found += fix_of(turns, topic, {said.turns[0] for said in found if said.predicate not in _SETTLES})
    return tuple(dict.fromkeys(found))


def _in_turn(place: int, turn: Turn, topic: str, names: Mapping[str, str]) -> Iterator[Statement]:
    if turn.role is Role.BOT or is_bookkeeping(turn):
        return
    before: tuple[Claim, ...] = ()
    current: _Place | None = None
    for sentence in sentences(turn.text):
        plain = spaced(unicodedata.normalize("NFKC", sentence))
        if len(plain) > LONGEST_SENTENCE:
            continue
        here = _Place(place=place, turn=turn, topic=topic, sentence=plain, before=before)
        claims = list(_in_sentence(here, names))
        for claim, when in claims:
            yield _statement(here, claim, when)
            if current is not None and claim.predicate in _AMOUNTS:
                yield _statement(current, replace(claim, value=str(current_ja(current.sentence))), "")
                current = None
        current = here if current_ja(plain) else current
        if not claims and not asks(plain) and not supposes(plain):
            event = event_of(plain, place, turn)
            if event is not None:
                yield event
        before = (*before, *(claim for claim, _ in claims), *_announced(plain, topic, names))


def _in_sentence(here: _Place, names: Mapping[str, str]) -> Iterator[tuple[Claim, str]]:
    """The claims of a sentence, each with the words for its time."""
    said = here.sentence
    if asks(said) or is_small_talk(said):
        return
    meaning = meaning_of(said)
    if meaning is not None:
        yield meaning, ""
        return
    if supposes(said):
        return
    for claim, when in _read(here, names):
        claim = _of_ticket(claim, here) or replace(claim, subject=qualified(claim.subject, here.topic, names))
        if len(claim.subject) > 1 or re.match(r"[\u3400-\u9fff]", claim.subject):
            yield (replace(claim, confidence=0.7) if hedges(said) else claim), when


def _of_ticket(claim: Claim, here: _Place) -> Claim | None:
    """ "I hand this ticket over to Nadia" is of the ticket, whatever it is about."""
    if here.turn.ticket is None or claim.predicate != "owner" or claim.subject.casefold() not in _TICKET:
        return None
    return replace(claim, subject=here.turn.ticket, predicate="assignee")


def _read(here: _Place, names: Mapping[str, str]) -> Iterator[tuple[Claim, str]]:
    without = undated(here.sentence, here.turn.said_at)
    yield from ((claim, "") for claim in worth_ja(here.sentence))
    found = list(_in_clauses(here, without, names))
    if not found and without.when:
        found = list(_in_clauses(here, Undated(text=here.sentence, when=""), names))
    yield from found


def _in_clauses(here: _Place, without: Undated, names: Mapping[str, str]) -> Iterator[tuple[Claim, str]]:
    japanese = detect_language(here.sentence, "ja") == "ja"
    whole = _clauses(here.sentence, japanese)
    for clause in whole:
        claim = (schedule_ja if japanese else schedule_en)(clause, names)
        if claim is not None and not denies(clause):
            yield claim, ""
    said_of = None
    for clause in _clauses(without.text, japanese):
        if denies(clause):
            continue
        claims = list(_in_clause(clause, here, names, japanese)) or list(_of_same(said_of, clause))
        yield from ((claim, without.when) for claim in claims)
        said_of = _subject_of(clause, names) or said_of


def _subject_of(clause: str, names: Mapping[str, str]) -> tuple[str, str] | None:
    """What a Japanese clause is about, for the ones after it: 「貸出期間は2週間でしたが、1か月になります」"""
    match = re.match(r"(?P<np>[^はが、]{2,30})は", clause)
    return attribute(match["np"], names) if match else None


def _of_same(said_of: tuple[str, str] | None, clause: str) -> Iterator[Claim]:
    match = _BECOMES.match(clause)
    if said_of and match and fits(said_of[1], cleaned(match["value"])):
        yield Claim(subject=said_of[0], predicate=said_of[1], value=cleaned(match["value"]))


def _in_clause(clause: str, here: _Place, names: Mapping[str, str], japanese: bool) -> Iterator[Claim]:
    line = _LINE.match(clause)
    named = attribute(line["np"], names) if line else None
    if (
        line
        and named
        and named[1] != "cause"
        and len(line["np"].split()) < 7
        and fits(named[1], cleaned(line["value"]))
    ):
        value = cleaned(line["value"])
        yield Claim(subject=named[0], predicate=named[1], value=person(value) if named[1] == "owner" else value)
        return
    found = list((claims_ja if japanese else claims_en)(clause, names, here.turn.said_by))
    told = found or list(_continued(clause, here))
    yield from (replace(claim, before=replaced(clause, claim.predicate)) for claim in told)


def _continued(clause: str, here: _Place) -> Iterator[Claim]:
    """A sentence that has no subject because the one before it has: 「内線が変わります。8/17から8855です。」"""
    if not here.before:
        return
    last = here.before[-1]
    pending = next((claim for claim in reversed(here.before) if not claim.value), last)
    only, required = _ONLY_VALUE.match(clause), _REQUIRED.match(clause)
    if pending.value == "" and pending.predicate == "owner" and (who := _IN_CHARGE.match(clause)):
        yield replace(pending, value=person(who["who"]))
    elif last.value == "" and last.predicate == "cause":
        yield replace(last, value=clause.rstrip("。."))
    elif last.value == "" and only and fits(last.predicate, cleaned(only["value"])) and len(only["value"]) < 20:
        yield replace(last, value=cleaned(only["value"]))
    elif pending.value == "" and pending.predicate == "procedure" and (way := _WAY.match(clause)):
        yield replace(pending, value=cleaned(way["value"]))
    elif last.predicate == "procedure" and required:
        yield replace(last, predicate="requirement", value=cleaned(required["value"] or required["en"]))


def _announced(sentence: str, topic: str, names: Mapping[str, str]) -> Iterator[Claim]:
    """What the next sentence may give the value of; until then it has none."""
    if _FOUND.match(sentence):
        yield Claim(subject=topic, predicate="cause", value="")
        return
    for clause in _clauses(sentence, japanese=True):
        match = _ANNOUNCED.match(clause)
        named = attribute(match["np"] or match["en"], names) if match else None
        if named is not None:
            yield Claim(subject=qualified(named[0], topic, names), predicate=named[1], value="")


def _clauses(sentence: str, japanese: bool) -> list[str]:
    said = _LEAD.sub("", sentence).strip()
    if not japanese:
        return [part.strip() for part in _CLAUSE_EN.split(said) if part and part.strip()]
    said = re.sub(r"(は|(?<![すたいる])が|を|ではなく|でなく|じゃなく)[、,]\s*", r"\1", said)
    said = re.sub(r"(?<=は)(?:今後|これから|以後|当面|現在)は?[、,]?\s*", "", said)
    parts = [_LEAD.sub("", part.strip()) for part in re.split(r"[、,]\s*", said)]
    return [_BRACKETS.sub("", part).strip() for part in parts if part]


def _statement(here: _Place, claim: Claim, when: str) -> Statement:
    subject = bare(claim.subject)
    sentence = here.sentence[:_LONGEST]
    text = sentence if subject.casefold() in sentence.casefold() else f"{subject}: {sentence}"
    people = (claim.value,) if claim.predicate in ("owner", "assignee") else ()
    return Statement(
        subject=subject,
        predicate=claim.predicate,
        value=claim.value,
        text=text,
        people=(*people, here.turn.said_by),
        keywords=tuple(dict.fromkeys([subject, *exact_entities(text)])),
        turns=(here.place,),
        when=when,
        before=claim.before,
        confidence=claim.confidence,
        made_by=RULES,
    )
