"""What happened: dated deeds, what went wrong, and what settled it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from memory.model import Role, Turn
from memory.remember.fact_subjects import codes
from memory.remember.statements import Statement
from memory.remember.state_facts import RULES
from memory.remember.talk import asks, denies, is_small_talk, sentences, supposes
from memory.text.dates import Bound, Mention, mentions
from memory.text.entities import exact_entities
from memory.text.language import detect_language

_DONE_JA = re.compile(r"(?:ました|でした|した|った|んだ|ています|てます|でます)(?:が|けど|ので|よ|ね|から|w|笑|[。！!）)…\s]|[^\w\s])*$|(?:ました|でした)(?:が|けど|ので)")
_DONE_EN = re.compile(
    r"\b(?:\w{3,}ed|went|got|had|was|were|bought|took|made|saw|met|came|began|started|gave|found|told|did|lost|broke|felt|ran|won|wrote|left|flew|"
    r"drove|sent|put|ate|read|began|taught|thought|caught|built|held|spent|led|sang|swam|hung|became|stopped)\b",
    re.IGNORECASE,
)
_COMING = re.compile(r"\b(?:will|going to|gonna|plan(?:ning)? to|shall)\b|(?:予定|つもり|しましょう)")
_SETTLED = re.compile(r"(?:resolved|closed|solved|done|fixed|complete|解決|完了|クローズ|済)", re.IGNORECASE)
_ACTS = re.compile(
    r"(?:ました|て(?:ください|下さい)|します|してみて|しておき)|^(?:please )?(?:set|delete|remove|restart|reinstall|update|use|open|go to|click|change|switch|log|"
    r"sign|unplug|plug|press|select|choose|clear|reset|run|install|add|moved|added|replaced|swapped|changed|found|deleted|restarted|"
    r"rolled|released|fixed|updated|reset|enabled|disabled|removed|set)\b|\b(?:i|we)(?:'ve| have)? \w+ed\b|\bplease\b|\bshould be\b",
    re.IGNORECASE,
)
_LONGEST = 200
_SURE, _LIKELY = 1.0, 0.8


def event_of(sentence: str, place: int, turn: Turn) -> Statement | None:
    """A dated deed of the author's: "I went to the dentist yesterday"."""
    found = [own for own in mentions(sentence, turn.said_at) if _dates_it(sentence, own)]
    past = [own for own in found if own.range.start <= turn.said_at and own.bound is not Bound.FROM]
    if not past or denies(sentence) or is_small_talk(sentence) or _COMING.search(sentence.lower()):
        return None
    japanese = detect_language(sentence, "ja") == "ja"
    if not (_DONE_JA if japanese else _DONE_EN).search(sentence):
        return None
    start, end = past[0].span
    return _stated(turn, place, turn.author, "did", sentence[:_LONGEST], when=sentence[max(0, start - 8) : end + 2])


def _dates_it(sentence: str, own: Mention) -> bool:
    """「6/10のスナップショット」 is of that day, but what is said of it need not be."""
    return re.match(r"\s?(?:の(?!夕方|朝|夜|昼|午)|版)", sentence[own.span[1] :]) is None


def symptoms_of(turns: Sequence[Turn], topic: str) -> list[Statement]:
    """What the one who asked for help saw: the sentences of the first turn with an error code, or a time since when."""
    place = next((place for place, turn in enumerate(turns) if turn.role is not Role.BOT), None)
    if place is None or turns[place].role is not Role.REQUESTER or not topic:
        return []
    turn = turns[place]
    return [
        _stated(turn, place, topic, "symptom", sentence[:_LONGEST], confidence=_LIKELY)
        for sentence in sentences(unicodedata.normalize("NFKC", turn.text))
        if not (asks(sentence) or supposes(sentence) or is_small_talk(sentence)) and _is_telling(sentence, turn)
    ]


def _is_telling(sentence: str, turn: Turn) -> bool:
    begins = any(own.bound is Bound.FROM for own in mentions(sentence, turn.said_at))
    return begins or bool(codes(sentence))


def fix_of(turns: Sequence[Turn], topic: str) -> list[Statement]:
    """What settled it: the last thing that whoever helped did or asked for, before the ticket was resolved."""
    settled = next((place for place, turn in enumerate(turns) if turn.status and _SETTLED.search(turn.status)), None)
    if settled is None:
        return []
    for place in range(settled, -1, -1):
        turn = turns[place]
        acts = _acts(turn) if turn.role is Role.AGENT else ""
        if acts:
            return [_stated(turn, place, _of(turns, topic), "fix", acts, confidence=_LIKELY)]
    return []


def _acts(turn: Turn) -> str:
    """The sentences of a turn from the first that does something, if there is one."""
    told = [one for one in sentences(turn.text) if not (asks(one) or is_small_talk(one))]
    if not any(_ACTS.search(one.lower()) for one in told):
        return ""
    taken = ""
    for sentence in told:
        if len(taken) + len(sentence) >= _LONGEST:
            break
        taken = f"{taken} {sentence}".strip()
    return taken


def _of(turns: Sequence[Turn], topic: str) -> str:
    """The one code in the title, else the title, else what the conversation is about."""
    title = next((turn.title for turn in turns if turn.title), "")
    known = codes(unicodedata.normalize("NFKC", title))
    return known[0] if len(known) == 1 else title or topic


def _stated(
    turn: Turn, place: int, subject: str, predicate: str, value: str, *, when: str = "", confidence: float = _SURE
) -> Statement:
    return Statement(
        subject=subject,
        predicate=predicate,
        value=value,
        text=value if subject.casefold() in value.casefold() else f"{subject}: {value}",
        people=(turn.author,),
        keywords=tuple(dict.fromkeys([subject, *exact_entities(value)])),
        turns=(place,),
        when=when,
        confidence=confidence,
        made_by=RULES,
    )
