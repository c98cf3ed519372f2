"""Secrets that show by their own form what they are: tokens with known beginnings, keys, passwords in addresses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from memory.text.secrets.found import Found, Kind

#: Each begins with what only tokens of one issuer begin with, and goes on for as long as those do.
_ISSUED = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"xox[a-z]-[A-Za-z0-9-]{10,250}|xox[a-z]\.xox[a-z]-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{10,250}"
    r"|gh[opsur]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{22,251}|gl[a-z]{2,8}-[A-Za-z0-9_-]{20,250}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,500}|GOCSPX-[A-Za-z0-9_-]{20,60}"
    r"|sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,250}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/=]{20,100}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,250}|hf_[A-Za-z0-9]{30,60}|SG\.[A-Za-z0-9_-]{16,30}\.[A-Za-z0-9_-]{16,60}"
    r"|do[opr]_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}|hv[sbr]\.[A-Za-z0-9_-]{24,250}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
    r"|ATATT3[A-Za-z0-9_=-]{50,250}|ntn_[A-Za-z0-9]{40,60}|AGE-SECRET-KEY-1[A-Z0-9]{58}|\d{8,10}:AA[A-Za-z0-9_-]{33}"
    r"|[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}"
    r"|eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,2000})?"
    r")"
)
#: The same where a mail program broke the line inside: only those of which the length is known.
_BROKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[opsur]_{a}{36}|(?:AKIA|ASIA){u}{16}|AIza{w}{35}|npm_{a}{36}|dapi{x}{32})(?![A-Za-z0-9])".replace(
        "{a}", r"(?:[A-Za-z0-9](?:[ \t]?\r?\n[ \t>]{0,8})?)"
    )
    .replace("{u}", r"(?:[A-Z0-9](?:[ \t]?\r?\n[ \t>]{0,8})?)")
    .replace("{w}", r"(?:[A-Za-z0-9_-](?:[ \t]?\r?\n[ \t>]{0,8})?)")
    .replace("{x}", r"(?:[a-f0-9](?:[ \t]?\r?\n[ \t>]{0,8})?)")
)
#: No token is without so many characters in a row, and few sentences are with them.
_RUN = re.compile(r"[A-Za-z0-9._~+/=@-]{12}")
#: Addresses that are secrets themselves.
_HOOKS = re.compile(
    r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,200})"
    r"|\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/_-]{30,300})"
    r"|discord(?:app)?\.com/api/webhooks/\d{5,25}/([A-Za-z0-9_-]{40,100})"
)
#: What an HTTP header carries after its scheme.
_HEADER = re.compile(r"\b(?:Bearer|Basic)\s{1,4}([A-Za-z0-9._~+/-]{12,4000}={0,2})", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"://[^\s/:@?#\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@(?=[\w\[])")
#: In examples the word stands for the thing.
_EXAMPLE = re.compile(
    r"(?:pass(?:word|wd)?|pwd|pw|secret|token|x+|\*+|\.+|\$\{?\w+\}?|\{+\w+\}+|<[^>]*>|%\w+%)", re.IGNORECASE
)
_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_LONGEST_KEY = 20_000
_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
#: Of a key whose end was cut off: its lines, written as lines or as \n.
_BODY = re.compile(r"(?:(?:\s|\\[nr])*+(?:[A-Z][A-Za-z-]{2,30}: [^\n]{0,200}\n|[A-Za-z0-9+/=]{12,}+))*+")
_PUTTY = re.compile(r"Private-Lines: \d{1,4}\s{1,4}([A-Za-z0-9+/=]{8,200}(?:\s{1,4}[A-Za-z0-9+/=]{8,200}){0,400})")


def issued(text: str) -> Iterator[Found]:
    """Tokens that are known by their beginnings, webhooks, and what headers carry."""
    forms = (_ISSUED, _BROKEN) if "\n" in text else (_ISSUED,)
    if _RUN.search(text) or len(forms) > 1:
        for form in forms:
            yield from (Found(kind=Kind.TOKEN, start=match.start(), end=match.end()) for match in form.finditer(text))
    if not _RUN.search(text):
        return
    for match in _HOOKS.finditer(text):
        group = match.lastindex or 0
        yield Found(kind=Kind.TOKEN, start=match.start(group), end=match.end(group))
    for match in _HEADER.finditer(text):
        if any(character.isdigit() for character in match[1]):
            yield Found(kind=Kind.TOKEN, start=match.start(1), end=match.end(1))


def private_keys(text: str) -> Iterator[Found]:
    """Keys in PEM and PuTTY form; of one that was cut off, all lines that are there."""
    if "PRIVATE KEY" not in text and "Private-Lines" not in text:
        return
    ends = [match.end() for match in _END.finditer(text)]
    at = 0
    while match := _BEGIN.search(text, at):
        place = bisect_left(ends, match.end())
        end = ends[place] if place < len(ends) else None
        whole = end is not None and end - match.end() <= _LONGEST_KEY and not _BEGIN.search(text, match.end(), end)
        at = end if end is not None and whole else _body_end(text, match.end())
        yield Found(kind=Kind.PRIVATE_KEY, start=match.start(), end=at)
    for match in _PUTTY.finditer(text):
        yield Found(kind=Kind.PRIVATE_KEY, start=match.start(1), end=match.end(1))


def _body_end(text: str, start: int) -> int:
    body = _BODY.match(text, start)
    return body.end() if body else start


def in_addresses(text: str) -> Iterator[Found]:
    """Passwords in addresses: the middle of https://user:password@host."""
    if "://" not in text:
        return
    for match in _IN_ADDRESS.finditer(text):
        if not _EXAMPLE.fullmatch(match[1]):
            yield Found(kind=Kind.URL_PASSWORD, start=match.start(1), end=match.end(1))
