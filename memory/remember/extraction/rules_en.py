"""Statements read off English sentences by pattern. Each pattern is of one clause, its dates taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from memory.remember.extraction.lengths_en import lengths_en
from memory.remember.extraction.phrases_en import NOT_WHO, PRONOUN, is_phrase
from memory.remember.extraction.subjects import Claim, attribute, bare
from memory.remember.extraction.values import STATES_EN, cleaned, fits, is_person, person

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
    r"rises|falls|back|transferred|handed over|passed|relocated"
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
    r"looks after|will be looking after|will look after|(?:is|am|are) (?:now )?in charge of|"
    r"in charge of|will be in charge of|"
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
_VIA = re.compile(
    r"^(?:please )?(?:send|submit|file|request|report|apply for|order|book|hand in|make|enter|return|"
    r"do) (?P<np>.{1,50}?) "
    rf"(?:with|via|through|using|in|on|by|to) (?P<value>(?:the )?.{{2,60}}?){_END}",
    _I,
)
_GOES = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:now )?(?:goes?|go|must go|have to go|should go|will go|is done|are done|"
    rf"is made|are made|is requested|are requested|(?:is|are) (?:now )?(?:filed|submitted|booked|"
    rf"handled|ordered|reported|"
    rf"processed|sent|made)) (?:through|via|in|with|"
    rf"to) (?P<value>.{{2,50}}?){_END}",
    _I,
)
_USE = re.compile(
    r"^(?:please )?use (?P<value>.{2,40}?)(?: instead of| rather than| in place of|,"
    r" not) (?P<old>.{2,40}?)(?: for (?P<np>.{2,40}?))?[.!]*$",
    _I,
)
_ASK = re.compile(
    r"^(?:please )?(?:contact|ask|write to|call|see) (?P<who>[A-Z][\w'-]*(?: [A-Z][\w'-]*)?) (?:for|"
    r"about) (?P<np>.{2,40}?)[.!]*$",
    _I,
)
_RUN = re.compile(
    r"^(?:we are|we're|everybody is|all are) (?:now )?(?:on|running|at) (?:version |"
    r"release )?(?P<value>v?\d+(?:\.\d+)+\w*)",
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
_MINE = re.compile(r"^(?P<np>.{2,40}?) (?:is|are) (?:now )?(?:mine|my job|my responsibility|my task)\b", _I)
_CAUSE = re.compile(
    r"^(?:the |root )*(?:cause|reason|culprit)(?: of (?:it|this|that|.{3,30}?))? (?:was|is|were) (?:that )?"
    r"(?P<value>.{3,90}?)[.!]*$",
    _I,
)
_PASSING = "up|down|back|offline|online|full|available|fixed|live|gone"
_NOT_KNOWN = re.compile(r"unknown|not |unclear|gone|fixed|back|still|solved", _I)


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
    if match is None or not is_phrase(match["np"]) or not _is_verb(match):
        return None
    phrase, value = bare(match["np"]), cleaned(match["value"])
    named = attribute(phrase, names)
    if named is not None:
        return _typed(named, value)
    if is_person(value) and re.search(r"transferred|handed|passed", clause):
        return Claim(subject=phrase, predicate="owner", value=value)
    if re.match(r"(?:postponed|delayed|moved|moves)$", match["verb"], _I) and fits("end", value):
        return Claim(subject=phrase, predicate="date", value=value)
    if re.fullmatch(r"[\w-]+(?:\.[\w-]+)+", value):
        return Claim(subject=phrase, predicate="address", value=value)
    if re.search(r"\b(?:moved|moves|move|relocated)\b", clause, _I):
        known = fits("location", value) or re.match(r"(?:the|our) ", value, _I)
        return Claim(subject=phrase, predicate="location", value=bare(value)) if known else None
    if match["old"] or re.search(r"\d", value):
        return Claim(subject=phrase, predicate="is", value=value) if fits("is", value) else None
    return None


def _lengths(clause: str, names: Names, author: str) -> Claim | None:
    return lengths_en(clause)


def _is_verb(match: re.Match[str]) -> bool:
    """A "move" or a "change" may be a noun, if nothing makes it a verb."""
    return bool(match["helped"]) or not re.fullmatch(r"change|move|switch|cut|back", match["verb"], _I)


def _mine(clause: str, names: Names, author: str) -> Claim | None:
    match = _MINE.match(clause)
    if match is None or not is_phrase(match["np"]):
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
        NOT_WHO.match(who)
        or PRONOUN.match(subject)
        or not (who == author or is_person(who) or re.search("team|desk|group", who))
    ):
        return None
    return Claim(subject=subject, predicate="owner", value=who)


def _procedure(clause: str, names: Names, author: str) -> Claim | None:
    goes = _GOES.match(clause)
    match = _VIA.match(clause) or (goes if goes and is_phrase(goes["np"]) else None)
    if match is None:
        return None
    phrase, value = bare(match["np"]), cleaned(re.sub(r"^the ", "", match["value"], flags=_I))
    if PRONOUN.match(phrase) or (NOT_WHO.match(phrase) and phrase.lower() not in ("all",)):
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


def _asks_whom(clause: str, names: Names, author: str) -> Claim | None:
    """ "Please contact Marta for the vendor list": as "the contact for the vendor list is Marta"."""
    match = _ASK.match(clause)
    if match is None or not is_person(match["who"]) or not is_phrase(match["np"]):
        return None
    return Claim(subject=f"{bare(match['np'])} contact", predicate="procedure", value=match["who"])


def _out(clause: str, names: Names, author: str) -> Claim | None:
    match = _OUT.match(clause) or _RUN.match(clause)
    return Claim(subject="", predicate="version", value=match["value"]) if match else None


def _status(clause: str, names: Names, author: str) -> Claim | None:
    match = _STATUS.match(clause)
    if match is None or not is_phrase(match["np"]):
        return None
    # "Images are back" is of no thing that somebody asks for later.
    passing = re.fullmatch(_PASSING, match["value"], _I) and not re.search(r"[A-Z0-9]", match["np"][1:])
    return None if passing else Claim(subject=bare(match["np"]), predicate="status", value=match["value"].lower())


def _is(clause: str, names: Names, author: str) -> Claim | None:
    match = _IS.match(clause)
    if match is None or not is_phrase(match["np"]):
        return None
    phrase = bare(match["np"])
    named = attribute(phrase, names)
    if named is not None:
        return _typed(named, match["value"])
    value = cleaned(match["value"])
    if (
        match["now"]
        and re.match(r"(?:on|in|at) (?:the |our )?\w", value)
        and re.search(r"floor|room|hall|building|lobby|\d|office", value, _I)
    ):
        return Claim(subject=phrase, predicate="location", value=value)
    counted = re.fullmatch(r"[\w.-]*\d[\w.-]*", value)
    replaces = re.match(r",? (?:instead|rather|in place)", match["instead"] or "", _I)
    if fits("is", value) and (replaces or (counted and (match["now"] or match["instead"]))):
        return Claim(subject=phrase, predicate="is", value=value)
    return None


_READINGS: tuple[Callable[[str, Names, str], Claim | None], ...] = (
    _lengths,
    _cause,
    _mine,
    _owned,
    _use,
    _asks_whom,
    _out,
    _status,
    _change,
    _procedure,
    _is,
)
