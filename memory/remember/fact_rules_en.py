"""Statements read off English sentences by pattern. Each pattern is of one clause, its dates taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from memory.remember.fact_subjects import Claim, attribute, bare
from memory.remember.fact_values import STATES_EN, cleaned, fits, is_person, person

Names = Mapping[str, str]

_I = re.IGNORECASE
_END = (
    r"(?:,? (?:instead of|rather than|not|and not|in place of|because of|due to|so|which|then|for now|"
    r"from now on|now|again|until further notice)\b.*)?[.!]*$"
)
_MOVED = (
    r"changed|changes|change|moved|moves|move|switched|switches|switch|extended|shortened|raised|"
    r"lowered|increased|reduced|postponed|"
    r"delayed|upgraded|reverted|returned|returns|went back|goes back|going back|go back|cut|dropped|"
    r"rises|falls|back|transferred|handed over|passed"
)
_CHANGE = re.compile(
    rf"^(?P<np>.{{2,60}}?) (?P<helped>(?:(?:has|have|is|are|was|were|will|be|been|being|now|also|"
    rf"just) ){{0,3}})(?P<verb>{_MOVED})"
    rf"(?: from (?P<old>.{{1,40}}?))? to (?P<value>.{{1,50}}?){_END}",
    _I,
)
_IS = re.compile(
    rf"^(?P<np>.{{2,60}}?) (?:is|are|will be|becomes|become|remains|stays|stay) (?P<now>now |"
    rf"currently |again |still )?(?P<value>.{{1,60}}?)"
    rf"(?P<instead>,? (?:instead of|rather than|in place of) .{{1,40}}|,? (?:from now on|now|at most|"
    rf"at the latest))?{_END}",
    _I,
)
_OWNED = re.compile(
    r"^(?P<np>.{2,50}?) (?:is|are|will be|has been|have been) (?:now |currently )?"
    rf"(?:owned|handled|managed|maintained|looked after|run|administered|taken over|"
    rf"covered) by (?P<who>.{{2,40}}?){_END}",
    _I,
)
_OWNS = re.compile(
    r"^(?P<who>.{1,40}?) (?:now |currently |will |has |is |have )?(?:now )?(?:takes over|take over|"
    r"took over|taken over|taking over|will take over|owns|manages|"
    r"looks after|(?:is|am|are) (?:now )?in charge of|in charge of|will be in charge of|"
    r"(?:is|am|are) (?:now )?responsible for|responsible for|will be responsible for|"
    rf"(?:is|am) (?:now )?the (?:new )?(?:owner|contact|contact person) (?:of|"
    rf"for)) (?P<np>.{{2,40}}?)(?: from (?P<old>[A-Z][\w'-]*(?:[- ]\w+)?))?{_END}",
    _I,
)
_HANDS = re.compile(
    rf"^.{{1,30}}? (?:hands|handed|hand|will hand|passes|passed|"
    rf"pass)(?: over)? (?P<np>.{{2,40}}?)(?: over)? to (?P<who>.{{2,40}}?){_END}",
    _I,
)
_AMOUNT = r"\d[\d,.]*(?:-| )(?:working |business |calendar )?(?:day|hour|minute|week|month|year)s?"
_KEEPS = re.compile(rf"^.{{2,40}}? keeps? (?P<np>.{{2,40}}?) for (?P<value>{_AMOUNT})", _I)
_KEPT = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:is|are|will be) (?:kept|stored|retained|held) (?:for )?(?P<value>{_AMOUNT})", _I
)
_VALID = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:is|are|will be|stays?|remains?) valid (?:for|up to) (?P<value>{_AMOUNT})", _I
)
_DUE = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:must|has to|have to|needs to|need to) be (?:in|sent|submitted|handed in|"
    rf"filed|there|made|requested) (?P<value>(?:at least )?{_AMOUNT} (?:before|in advance|ahead|"
    rf"earlier)|by .{{3,30}}?)(?:[.,;]|$)",
    _I,
)
_AT_LEAST = re.compile(
    rf"^(?:fill in|send|submit|"
    rf"file) (?:in )?(?P<np>.{{2,40}}?) (?P<value>(?:at least )?{_AMOUNT} (?:before|in advance|ahead))",
    _I,
)
_VIA = re.compile(
    r"^(?:please )?(?:send|submit|file|request|report|apply for|order|book|hand in|make|enter|return|"
    r"do) (?P<np>.{1,50}?) "
    rf"(?:with|via|through|using|in|on|by|to) (?P<value>(?:the )?.{{2,60}}?){_END}",
    _I,
)
_GOES = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:now )?(?:goes?|go|must go|have to go|should go|will go|is done|are done|"
    rf"is made|are made|is requested|are requested) (?:through|via|in|with|"
    rf"to) (?P<value>.{{2,50}}?){_END}",
    _I,
)
_USE = re.compile(
    r"^(?:please )?use (?P<value>.{2,40}?)(?: instead of| rather than| in place of|,"
    r" not) (?P<old>.{2,40}?)(?: for (?P<np>.{2,40}?))?[.!]*$",
    _I,
)
_OUT = re.compile(
    r"^(?:version |client |release )?(?P<value>v?\d+(?:\.\d+)+\w*) is (?:now )?(?:out|available|released)", _I
)
_STATUS = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:is|are|will be|has been|have been) (?:now |currently |still |"
    rf"back )?(?P<value>{STATES_EN})(?: (?:again|now|for now))?[.!]*$",
    _I,
)
_NOT_WHO = re.compile(
    r"^(?:who|what|which|it|this|that|there|here|he|she|they|we|you|i|everything|everybody|everyone|"
    r"nobody|someone|somebody|something|both|half|one|all)$",
    _I,
)
_MINE = re.compile(r"^(?P<np>.{2,40}?) (?:is|are) (?:now )?(?:mine|my job|my responsibility|my task)\b", _I)
_CAUSE = re.compile(
    r"^(?:the |root )*(?:cause|reason|culprit)(?: of (?:it|this|that|.{3,30}?))? (?:was|is|were) (?:that )?"
    r"(?P<value>.{3,90}?)[.!]*$",
    _I,
)
_PASSING = "up|down|back|offline|online|full|available|fixed|live|gone"
_NOT_KNOWN = re.compile(r"unknown|not |unclear|gone|fixed|back|still|solved", _I)
#: Not the beginning of a noun phrase, or not its end, or more than one phrase.
_NO_PHRASE = re.compile(
    r"^(?:probably|perhaps|please|then|because|when|where|as|since|for|in|on|at|to|with|how|rolled|moved|set|put|"
    r"let|see|got|just|only|even|not|no|until|before|after|it's|that's|there's)\b|"
    r"\b(?:the|a|an|of|from|before|to|that|than|and|or|with|for)$|,|\b(?:please|because|which|who)\b|"
    r"\b(?:you|me|us|him|her|i|we|they)\b",
    _I,
)
_PRONOUN = re.compile(r"^(?:it|this|that|them|these|those|one)$", _I)


def claims_en(clause: str, names: Names, author: str) -> Iterator[Claim]:
    """What one clause without its dates says; of several readings the first counts."""
    for read in _READINGS:
        claim = read(clause, names, author)
        if claim is not None:
            yield claim
            return


def _typed(named: tuple[str, str] | None, value: str) -> Claim | None:
    """The claim, if the value is of the kind that its predicate takes."""
    value = re.sub(r"^(?:the|a|an) ", "", cleaned(value), flags=_I)
    if named is None or not fits(named[1], value):
        return None
    subject, predicate = named
    return Claim(subject=subject, predicate=predicate, value=person(value) if predicate == "owner" else value)


def _change(clause: str, names: Names, author: str) -> Claim | None:
    match = _CHANGE.match(clause)
    if match is None or not _is_phrase(match["np"]) or not _is_verb(match):
        return None
    phrase, value = bare(match["np"]), cleaned(match["value"])
    named = attribute(phrase, names)
    if named is not None:
        return _typed(named, value)
    if is_person(value) and re.search(r"transferred|handed|passed", clause):
        return Claim(subject=phrase, predicate="owner", value=value)
    if re.search(r"\b(?:moved|moves|move)\b", clause, _I):
        known = fits("location", value) or re.match(r"(?:the|our) ", value, _I)
        return Claim(subject=phrase, predicate="location", value=bare(value)) if known else None
    if match["old"] or re.search(r"\d", value):
        return Claim(subject=phrase, predicate="is", value=value) if fits("is", value) else None
    return None


def _is_phrase(phrase: str) -> bool:
    """Whether what a pattern took for a noun phrase can be one, and names something."""
    named = bare(phrase)
    return not _NOT_WHO.match(named) and not _NO_PHRASE.search(phrase) and len(phrase.split()) < 9


def _is_verb(match: re.Match[str]) -> bool:
    """A "move" or a "change" may be a noun, if nothing makes it a verb."""
    return bool(match["helped"]) or not re.fullmatch(r"change|move|switch|cut|back", match["verb"], _I)


def _mine(clause: str, names: Names, author: str) -> Claim | None:
    match = _MINE.match(clause)
    if match is None or not _is_phrase(match["np"]):
        return None
    return Claim(subject=bare(match["np"]), predicate="owner", value=author)


def _cause(clause: str, names: Names, author: str) -> Claim | None:
    match = _CAUSE.match(clause)
    if match is None or _NOT_KNOWN.search(match["value"]):
        return None
    return Claim(subject="", predicate="cause", value=bare(match["value"]))


def _owned(clause: str, names: Names, author: str) -> Claim | None:
    match = _OWNED.match(clause) or _HANDS.match(clause) or _OWNS.match(clause)
    if match is None:
        return None
    who = author if match["who"].lower() in ("i", "me") else person(match["who"])
    named = attribute(match["np"], names)
    subject = named[0] if named and named[1] == "owner" else bare(match["np"])
    if (
        _NOT_WHO.match(who)
        or _PRONOUN.match(subject)
        or not (who == author or is_person(who) or re.search("team|desk|group", who))
    ):
        return None
    return Claim(subject=subject, predicate="owner", value=who)


def _counted(predicate: str, pattern: re.Pattern[str]) -> Callable[[str, Names, str], Claim | None]:
    def read(clause: str, names: Names, author: str) -> Claim | None:
        match = pattern.match(clause)
        if match is None or not (_is_phrase(match["np"]) or _PRONOUN.match(match["np"])):
            return None
        subject = "" if _PRONOUN.match(match["np"]) else re.sub(r'^(?:in )?(?:the )?|["“”]', "", bare(match["np"]))
        return Claim(subject=subject, predicate=predicate, value=cleaned(match["value"]))

    return read


def _procedure(clause: str, names: Names, author: str) -> Claim | None:
    match = _VIA.match(clause) or _GOES.match(clause)
    if match is None:
        return None
    phrase, value = bare(match["np"]), cleaned(re.sub(r"^the ", "", match["value"], flags=_I))
    if _PRONOUN.match(phrase) or (_NOT_WHO.match(phrase) and phrase.lower() not in ("all",)):
        phrase = ""
    sure = re.search(r'["“]|form\b|portal|button|desk|ticket|mail|page|app\b|site|[A-Z]\w+', value)
    return Claim(subject=phrase, predicate="procedure", value=value) if sure and fits("procedure", value) else None


def _use(clause: str, names: Names, author: str) -> Claim | None:
    match = _USE.match(clause)
    if match is None:
        return None
    value = re.sub("^the ", "", cleaned(match["value"]))
    host = re.fullmatch(r"[\w-]+(?:\.[\w-]+)+|[a-z]\w*-[\w-]*\d\w*", value)
    return Claim(subject=bare(match["np"] or ""), predicate="address" if host else "procedure", value=value)


def _out(clause: str, names: Names, author: str) -> Claim | None:
    match = _OUT.match(clause)
    return Claim(subject="", predicate="version", value=match["value"]) if match else None


def _status(clause: str, names: Names, author: str) -> Claim | None:
    match = _STATUS.match(clause)
    if match is None or not _is_phrase(match["np"]):
        return None
    # "Images are back" is of no thing that somebody asks for later.
    passing = re.fullmatch(_PASSING, match["value"], _I) and not re.search(r"[A-Z0-9]", match["np"][1:])
    return None if passing else Claim(subject=bare(match["np"]), predicate="status", value=match["value"].lower())


def _is(clause: str, names: Names, author: str) -> Claim | None:
    match = _IS.match(clause)
    if match is None or not _is_phrase(match["np"]):
        return None
    phrase = bare(match["np"])
    named = attribute(phrase, names)
    if named is not None:
        return _typed(named, match["value"])
    value = cleaned(match["value"])
    counted = re.fullmatch(r"[\w.-]*\d[\w.-]*", value)
    if (match["now"] or match["instead"]) and fits("is", value) and (counted or match["instead"]):
        return Claim(subject=phrase, predicate="is", value=value)
    return None


_READINGS: tuple[Callable[[str, Names, str], Claim | None], ...] = (
    _counted("retention", _KEEPS),
    _counted("retention", _KEPT),
    _counted("validity", _VALID),
    _counted("deadline", _DUE),
    _counted("deadline", _AT_LEAST),
    _cause,
    _mine,
    _owned,
    _use,
    _out,
    _status,
    _change,
    _procedure,
    _is,
)
