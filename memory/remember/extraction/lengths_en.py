"""Lengths of time and numbers that English clauses state: how long something is kept, good for, or needed before."""

from __future__ import annotations

import re

from memory.remember.extraction.phrases_en import PRONOUN, is_phrase
from memory.remember.extraction.subjects import Claim, bare
from memory.remember.extraction.values import cleaned

_I = re.IGNORECASE
_AMOUNT = r"\d[\d,.]*(?:-| )(?:working |business |calendar )?(?:day|hour|minute|week|month|year)s?"
_KEEPS = re.compile(rf"^.{{2,40}}? keeps? (?P<np>.{{2,40}}?) for (?P<value>{_AMOUNT})", _I)
_KEPT = re.compile(
    rf"^(?P<np>.{{2,50}}?) (?:is|are|will be|may be|can be) (?:now )?(?:kept|stored|retained|"
    rf"held) (?:for )?(?P<value>{_AMOUNT})",
    _I,
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
_EXPIRES = re.compile(
    rf"^(?P<np>.{{2,40}}?) (?:now )?(?:expires?|must be changed|have to be changed) (?:every|"
    rf"after) (?P<value>{_AMOUNT})",
    _I,
)
_HAVE = re.compile(
    r"^(?P<np>passwords?) (?:must|have to|need to|should) (?P<value>(?:have|be|contain|" r"include) .{4,60}?)[.!]*$", _I
)
_TAKES_PLACE = re.compile(
    r"^(?P<np>.{2,40}?) (?:takes place|will take place|will be held|is planned for|is scheduled for|"
    r"happens) (?:on )?(?P<value>.*\d.{0,40}?)[.!]*$",
    _I,
)
_PATTERNS = (
    ("retention", _KEEPS),
    ("retention", _KEPT),
    ("validity", _VALID),
    ("deadline", _DUE),
    ("deadline", _AT_LEAST),
    ("password policy", _HAVE),
    ("date", _TAKES_PLACE),
)


def lengths_en(clause: str) -> Claim | None:
    """The first that the clause states. "It is valid for 3 days" is of what the sentences around it are about."""
    expires = _EXPIRES.match(clause)
    if expires and is_phrase(expires["np"]):
        return Claim(
            subject=f"{bare(expires['np'])} expiry", predicate="password policy", value=cleaned(expires["value"])
        )
    for predicate, pattern in _PATTERNS:
        match = pattern.match(clause)
        if match is not None and (is_phrase(match["np"]) or PRONOUN.match(match["np"])):
            named = re.sub(r'^(?:in )?(?:the )?|["“”]', "", bare(match["np"]))
            return Claim(
                subject="" if PRONOUN.match(named) else named, predicate=predicate, value=cleaned(match["value"])
            )
    return None
