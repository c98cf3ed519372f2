"""What happened: dated deeds, what went wrong, and what settled it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from memory.model import Role, Turn
from memory.remember.extraction.deeds import is_own_deed
from memory.remember.extraction.statements import Statement
from memory.remember.extraction.states import RULES
from memory.remember.extraction.subjects import codes
from memory.remember.extraction.talk import asks, denies, hedges, is_small_talk, sentences, supposes
from memory.text.dates import Bound, Mention, mentions
from memory.text.entities import exact_entities
from memory.text.first_person import is_the_speaker
from memory.text.how_to import asks_how
from memory.text.language import detect_language
from memory.text.statuses import is_solved
from memory.tickets import is_bookkeeping

_DONE_JA = re.compile(
    r"(?:ました|でした|した|った|んだ|ています|てます|でます)(?:が|けど|ので|よ|ね|から|w|笑|"
    r"[。！!）)…\s]|[^\w\s])*$|(?:ました|でした)(?:が|けど|ので)"
)
_DONE_EN = re.compile(
    r"\b(?:\w{3,}ed|went|got|had|was|were|bought|took|made|saw|met|came|began|started|gave|found|told|"
    r"did|lost|broke|felt|ran|won|wrote|left|flew|"
    r"drove|sent|put|ate|read|began|taught|thought|caught|built|held|spent|led|sang|swam|hung|became|stopped)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:will|going to|gonna|plan(?:ning)? to|shall|they say|(?<!i )said|every (?:day|week|month|"
    r"morning))\b|予定|つもり|しましょう|考え(?:て|中)|思(?:って|い)|探して|検討|希望|狙って|毎[日週月朝晩年]"
)
#: A thing that something is said of, at the beginning: 「前の番号は…」, "The new credit check was …".
_THING = re.compile(
    r"^(?P<ja>[A-Za-z0-9\u30a1-\u30fa\u30fc\u3400-\u9fff々の.-]{2,15}?)(?:は|が)(?!、)|^(?:The|Our|"
    r"Your) (?P<en>[\w-]+(?: [\w-]+){0,4}?) (?:was|were|has been|have been|had)\b"
)
_TROUBLE = re.compile(
    r"ません|ない|エラー|出ます|出まし|出て|止ま|落ち|落と|遅|割れ|かすれ|切れ|失敗|なります|"
    r"なりまし|固ま|真っ|異常|壊|おかし|消え|消し|弾か|再発|不具合|故障|"
    r"error|fail|can't|cannot|can not|won't|doesn't|dead|slow|crash|refus|reject|says|shows|drop|"
    r"cut off|wrong|missing|again|twice|blue|broken|"
    r"stuck|frozen|freez|lost|locked|since|no longer|problem|issue|stop code|not work",
    re.IGNORECASE,
)
#: How people ask whether others have it too.
_STANDS_STILL = re.compile(
    r"繋がりに|つながりに|戻って(?:き|来)|ぐるぐる|重(?:い|く)|文字化け|白紙|詰まり|オフライン|"
    r"\b(?:down|hangs?|hanging|unreachable|tim(?:es?|ed) out|timeout|bounc\w+|disappear\w*|offline|nothing|black|"
    r"blank|empty|out of order|unavailable|loops?|loses?|froze|keeps?|isn't|aren't|"
    r"no (?:sound|signal|power|wi-?fi|network))\b",
    re.IGNORECASE,
)
#: Asked of what was once: 「どう直したんでしたっけ」.
_LOOKS_BACK = re.compile(r"っけ[?？。]?|\b(?:what|how|who|when|why) (?:was|were|did)\b|\bremind me\b", re.IGNORECASE)
_BUT = re.compile(r"(?<=が|ど)、|けれど|\bbut\b")
#: Where trouble that is told ends and the question of what to do begins, or the other way round.
_BESIDE = re.compile(
    r"(?<=[すたいるだ]が)|(?<=ので)|(?<=けど)|(?<=とき)|(?<=時)(?=[はに])|(?<![をはにのもと])(?=どう)|(?<=[、,;:])"
    r"|\b(?=how (?!i\b|we\b|you\b|one\b)|(?:where|when|because|since|that|which)\b"
    r"|(?:and|so|then) (?:how|where|i|we)\b)",
    re.IGNORECASE,
)
_PARDON = re.compile(r"すみません|申し訳(?:あり|ござい)ません|かまいません|構いません|sorry|trouble you", re.IGNORECASE)
#: What it is not.
_OTHER = re.compile(r"出ていません|出てません|ではない|ではありません|じゃない|\bis not\b|\bisn't\b")
_RECENT = timedelta(days=60)
_ACTS = re.compile(
    r"(?:ました|て(?:ください|下さい)|します|してみて|しておき)|^(?:please )?(?:set|delete|remove|"
    r"restart|reinstall|update|"
    r"use|open|go to|click|change|switch|log|"
    r"sign|unplug|plug|press|select|choose|clear|reset|run|install|add|moved|added|replaced|swapped|"
    r"changed|found|deleted|restarted|"
    r"rolled|released|fixed|updated|reset|enabled|disabled|removed|set)\b|\b(?:i|we)(?:'ve|"
    r" have)? \w+ed\b|\bplease\b|\bshould be\b",
    re.IGNORECASE,
)
_PUTS_OFF = re.compile(
    r"確認(?:いた)?します|お待ち|次から|次回|今後|next time|(?:i'll|i will|let me) (?:check|look|"
    r"ask)|checking|looking into"
)
_LONGEST = 200
#: What is longer is a log or a story, in which no pattern is sure; so the work stays in proportion to the text.
LONGEST_SENTENCE = 400
_SURE, _LIKELY = 1.0, 0.8


def event_of(sentence: str, place: int, turn: Turn) -> Statement | None:
    """A dated deed of the author's, "I went to the dentist yesterday", or what became of a thing."""
    when = _past(sentence, turn)
    if (
        not when
        or denies(sentence)
        or hedges(sentence)
        or is_small_talk(sentence)
        or _NOT_DONE.search(sentence.lower())
    ):
        return None
    japanese = detect_language(sentence, "ja") == "ja"
    if not (_DONE_JA if japanese else _DONE_EN).search(sentence):
        return None
    doer = _doer(sentence, turn)
    if not (doer or is_own_deed(sentence)):
        return None
    return _stated(turn, place, doer or turn.said_by, "did", sentence[:_LONGEST], when=when)


def _past(sentence: str, turn: Turn) -> str:
    """The words for the time at which it was, the most exact ones; empty where it has none."""
    dated = (
        own for own in mentions(sentence, turn.said_at) if _dates_it(sentence, own) and _is_past(own, turn.said_at)
    )
    best = min(dated, key=lambda own: own.range.end - own.range.start, default=None)
    return sentence[best.span[0] : best.span[1]] if best else ""


def _is_past(own: Mention, said_at: datetime) -> bool:
    """What was so until a day long ago would be said with its year."""
    recent = own.bound is not Bound.UNTIL or said_at - own.range.end < _RECENT
    return own.range.start <= said_at and recent


def _dates_it(sentence: str, own: Mention) -> bool:
    """「6/10のスナップショット」 is of that day, but what is said of it need not be; nor of "June" in "reopened June",
    nor of 8:30 in "every day at 8:30"."""
    words, after = sentence[own.span[0] : own.span[1]], sentence[own.span[1] :]
    if re.match(r"\s?(?:の(?!夕方|朝|夜|昼|午)|版|を|['’]s\b|に(?:な|変|設定|延期|戻))", after) or re.fullmatch(
        r"(?:午前|午後)?\d{1,2}[:時](?:\d*分?|半)", words
    ):
        return False
    bare_month = re.match(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?$", words, re.IGNORECASE)
    return (
        not bare_month
        or re.search(r"\b(?:in|during|since|last|this|early|late|mid|of)\s$", sentence[: own.span[0]], re.I) is not None
    )


def _doer(sentence: str, turn: Turn) -> str:
    """Whoever or whatever the sentence begins with, if that is a thing; else it is empty."""
    match = _THING.match(sentence)
    thing = (match["ja"] or match["en"]).strip() if match else ""
    return "" if not thing or mentions(thing, turn.said_at) or is_the_speaker(thing) else thing


def symptoms_of(turns: Sequence[Turn], topic: str) -> list[Statement]:
    """What the one who asked for help saw: the sentences of the first turn with an error code, or a time since when."""
    place = next((place for place, turn in enumerate(turns) if turn.role is not Role.BOT), None)
    if place is None or turns[place].role is not Role.REQUESTER or not turns[place].ticket or not topic:
        return []
    turn = turns[place]
    return [
        _stated(turn, place, topic, "symptom", sentence[:_LONGEST], when=_past(sentence, turn), confidence=_LIKELY)
        for sentence in sentences(unicodedata.normalize("NFKC", turn.text))
        if len(sentence) <= LONGEST_SENTENCE
        and not (asks(sentence) or supposes(sentence) or is_small_talk(sentence))
        and _is_telling(sentence, turn)
    ]


def goes_wrong(text: str) -> bool:
    """Whether somebody says that something does not work now; not where it is only supposed, or long past."""
    said = sentences(_PARDON.sub(" ", unicodedata.normalize("NFKC", text)))
    return any(map(_tells_trouble, (one for one in said if len(one) <= LONGEST_SENTENCE)))


def _tells_trouble(sentence: str) -> bool:
    """Of what somebody wants to do, what stands in the way: 「送りたいのですが、送れません」. What it is asked how to
    do is none: "How do I unlock a locked account?"."""
    clauses = (clause for clause in _told(sentence) if not supposes(clause))
    trouble = any(_TROUBLE.search(clause) or _STANDS_STILL.search(clause) for clause in clauses)
    return trouble and not (is_small_talk(sentence) or _LOOKS_BACK.search(sentence))


def _told(sentence: str) -> list[str]:
    """The clauses, without those that ask how something is done."""
    clauses = _BUT.split(sentence)
    if not asks_how(sentence):
        return clauses
    return [part for clause in clauses for part in _BESIDE.split(clause) if not asks_how(part)]


def _is_telling(sentence: str, turn: Turn) -> bool:
    known = bool(codes(sentence)) or _past(sentence, turn) != ""
    return known and _TROUBLE.search(sentence) is not None and _OTHER.search(sentence) is None


def fix_of(turns: Sequence[Turn], topic: str, answers: Collection[int]) -> list[Statement]:
    """What settled it: the last thing that whoever helped did or asked for, before the ticket was resolved.

    Not in the turns at the places `answers`: what they say is a value that may change, and is kept as such.
    """
    settled = next((place for place, turn in enumerate(turns) if is_solved(turn.status)), None)
    if settled is None:
        return []
    for place in range(settled, -1, -1):
        turn = turns[place]
        acts = _acts(turn) if _helps(turn) else ""
        if acts and place in answers:
            return []
        if acts:
            return [_stated(turn, place, _of(turns, topic), "fix", acts, confidence=_LIKELY)]
    return []


def _helps(turn: Turn) -> bool:
    """Whether support speaks in it; that a ticket was taken or handed back helps nobody."""
    return turn.role is Role.AGENT and not turn.text.startswith("【") and not is_bookkeeping(turn)


def _acts(turn: Turn) -> str:
    """The sentences of a turn from the first that does something, if there is one."""
    told = [
        one for one in sentences(turn.text) if not (asks(one) or is_small_talk(one) or _PUTS_OFF.search(one.lower()))
    ]
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
        people=(turn.said_by,),
        keywords=tuple(dict.fromkeys([subject, *exact_entities(value)])),
        turns=(place,),
        when=when,
        confidence=confidence,
        made_by=RULES,
    )
