"""Secrets that show by the words beside them what they are: passwords, PINs and keys that somebody writes out.

The same words stand in harmless sentences far more often ("the password expired", "password: see the wiki"), so what
follows decides (`judging`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from unicodedata import normalize

from memory.text.secrets.found import Found, Kind
from memory.text.secrets.judging import (
    is_acronym,
    is_blank,
    is_code,
    is_counted,
    is_made,
    is_sentence,
    is_signed,
    is_strong,
    is_token,
    is_varied,
    is_word,
)


class _Way(Enum):
    """How a value follows its label: "password: x", --password x; 「…はx」; 「…をxに」; "password x"."""

    GIVEN = auto()
    SAID = auto()
    CHANGED = auto()
    BESIDE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """What follows a label: `text` from `start` to `end`, in quotation marks or not, in the same line or not; `after`
    is what comes then."""

    text: str
    start: int
    end: int
    quoted: bool
    broken: bool
    after: str


def _forms(words: str) -> str:
    """Half-width katakana, and some systems, part the sound marks from their letters."""
    return "|".join(dict.fromkeys(form for word in words.split() for form in (word, normalize("NFD", word))))


_PASSWORDS = _forms("パスワード パスコード パスフレーズ 合言葉 事前共有キー 暗号化キー セキュリティキー")
_PINS = _forms("暗証番号 暗証コード PINコード PIN番号 ピンコード")
_KEYS = _forms("APIキー アクセスキー シークレットキー 認証キー 共有キー アクセストークン シークレット トークン 秘密鍵")
_LABEL = re.compile(
    rf"(?P<ja_password>{_PASSWORDS})|(?P<ja_pin>{_PINS})|(?P<ja_token>{_KEYS})|(?P<ja_weak>(?<![ァ-ヶー])パス(?=\s?[:=は]))"
    r"|(?:(?<![A-Za-z0-9])|(?<=[a-z])(?=[PTS]))(?:"
    r"(?P<password>(?i:pass(?:word|code|phrase|wd)|passwort|pwd|psk|(?:pre-?shared|wi-?fi|wpa2?|network)[ -]key))"
    r"|(?P<weak>[pP]ass|(?i:pw))"
    r"|(?P<pin>(?i:pin(?:[ -]?(?:code|number))?))"
    r"|(?P<token>(?i:(?:api|access|secret|auth|client|account|shared|master|encryption|signing|refresh)[ _-]?"
    r"(?:access[ _-]?)?(?:key|token|secret)|token|secret))"
    r")[0-9]?(?![A-Za-z0-9])"
)
#: Nothing is labelled without one of these.
_SIGNS = (
    *"pass pw psk pin key token secret mysql mariadb curl wget plink pscp".split(),
    *("log in", "logged in", "login", "sign in", "i use", "using", "ログイン", "サインイン"),
    *"パス ハ\u309aス 暗証 暗号 合言葉 キー トークン シークレット 秘密鍵 ピンコー ヒ\u309aンコ".split(),
)
_KINDS = {"password": Kind.PASSWORD, "weak": Kind.PASSWORD, "pin": Kind.PASSWORD, "token": Kind.TOKEN}
_CLOSED = r"[\"'`*_」』)\]]{0,4}"
_FOR = r"(?:[ \t]?\([^()\n]{1,30}\)|[ ]for[ ][^:=\n]{1,40}?)?"
_SIGN = rf"{_CLOSED}{_FOR}[ \t]{{0,3}}(?:[:=]=?>?|->|→|⇒|\|)[ \t*]{{0,8}}(?:\r?\n[ \t>]{{0,8}}){{0,2}}"
_FOLLOWS = r"(?:は|\sis\s)\s{0,2}(?:以下|下記|次|こちら|as follows|below|the following)[^\n!-~]{0,16}[:.]?\s{0,8}"
_WAYS = (
    (_Way.GIVEN, re.compile(_FOLLOWS)),
    (_Way.GIVEN, re.compile(_SIGN)),
    (
        _Way.SAID,
        re.compile(
            rf"{_CLOSED}{_FOR}\s{{1,2}}(?:(?:has been |was |is )?(?:changed|set|reset) to|is now|is|was)[ :]{{1,3}}"
        ),
    ),
    (_Way.SAID, re.compile(rf"{_CLOSED}[ \t]?(?:\([^()\n]{{1,30}}\))?(?:は|が)[、 \t:]{{0,3}}")),
    (_Way.CHANGED, re.compile(rf"{_CLOSED}を[、 \t]{{0,3}}")),
    (_Way.BESIDE, re.compile(r"[ \t]{1,3}")),
)
_QUOTES = {'"': '"', "'": "'", "`": "`", "「": "」", "『": "』", "“": "”", "‘": "’", "«": "»"}
#: So much of a value is judged; what goes on without a space belongs to it all the same.
_LONGEST = 64
_REST = re.compile("[!-~]{0,8000}")
_BARE = re.compile(rf"[!-~]{{1,{_LONGEST}}}")
#: The next field of a query, a connection string or a list.
_NEXT = re.compile(r"[&;,]\s{0,3}[\w. -]{1,40}=|[&;,]$|</|\\[nr]|\"[,}\]]")
_ENDS_SENTENCE = ".,;:)]}>\"'*`|"
_LAST = re.compile(
    r"[ \t]*(?:$|[\r\n/。、」』)\]},;|<&(]|です|でした|だ[。\n]|だ$|\"|'|`|\\n)|[ \t]+[\w-]{1,20}\s?[:=]"
)
_SAYS_SO = re.compile(r"[ \t]*(?:です|でした|だ|になり|に変更|に設定|にし|$|[\r\n。])")
_INTO = re.compile(r"[ \t」』\"'`]*(?:に|へ|と)")
_PARTICLE = re.compile(r"[ \t]*(?:に|を|の|と|へ|から|参照|で(?!す|し))")
_FAILURE = re.compile(
    r"(?:invalid|wrong|incorrect|bad|failed|error|無効|誤|間違|不正|エラー)[^\n]{0,12}$", re.IGNORECASE
)
_BEFORE = 24
#: ID/PW: sato/hunter2
_PAIR = re.compile(
    r"(?:ID|ユーザー?名?|アカウント|(?i:user(?:name)?|login))\s?(?:[/・&,と]|and)\s?"
    rf"(?P<label>{_PASSWORDS}|(?i:password|passwd|pass|pwd|pw))\s?(?:[:=は→]|is)\s{{0,3}}"
    r"[!-.0-~]{1,80}\s{0,2}[/, 、]\s{0,2}(?P<secret>[!-~]{4,200})"
)
#: "I use sato / x!y2" and "sato / x!y2 でログイン", with signs and digits in the second: nobody parts other things so.
_LOGIN = re.compile(
    r"(?P<before>(?i:\b(?:i used?|using|login|(?:log(?:ged|ging)? ?|sign(?:ed|ing)? )in (?:with|as))[ :]{1,3}))?"
    r"(?<![!-~])[A-Za-z0-9_.@-]{2,60}[ \t]{1,2}/[ \t]{1,2}(?P<secret>[!-.0-~]{8,64})"
    r"(?P<after>[ \t]{0,2}(?:で|を使って|と入力して)[^\n。]{0,8}(?:ログイン|サインイン))?"
)
#: Programs that take a password right behind -p, and curl's user:password.
_COMMAND = re.compile(
    r"\b(?:mysql\w*|mariadb\w*|sshpass|plink|pscp|curl|wget)\b[^\n]{0,120}?\s"
    r"(?:-pw?[ =]?|(?:-u|--user)[ =]['\"]?[^\s:'\"]{1,80}:)"
    r"['\"]?(?P<secret>[^\s'\"]{4,200})"
)


def spelled_out(text: str) -> Iterator[Found]:
    """What is written out behind a word that says what it is."""
    lower = text.lower()
    if not any(sign in lower for sign in _SIGNS):
        return
    pairs = [match for match in _PAIR.finditer(text) if not is_blank(match["secret"])]
    commands = [match for match in _COMMAND.finditer(text) if not is_blank(match["secret"])]
    logins = [match for match in _LOGIN.finditer(text) if _is_login(match)]
    for match in (*pairs, *commands, *logins):
        yield Found(kind=Kind.PASSWORD, start=match.start("secret"), end=match.end("secret"))
    yield from _labelled(text, told={match.end("label"): match.end() for match in pairs})


def _is_login(match: re.Match[str]) -> bool:
    return bool(match["before"] or match["after"]) and is_signed(match["secret"].rstrip(_ENDS_SENTENCE))


def _labelled(text: str, told: Mapping[int, int]) -> Iterator[Found]:
    """What follows a label; `told` are the ends of labels of which it is known already, and where that ends."""
    at = 0
    while match := _LABEL.search(text, at):
        if match.end() in told:
            at = told[match.end()]
            continue
        name = str(match.lastgroup).removeprefix("ja_")
        value = _secret(text, match.start(), match.end(), name)
        at = value.end if value else match.end()
        if value is not None:
            yield Found(kind=_KINDS[name], start=value.start, end=value.end)


def _secret(text: str, start: int, end: int, label: str) -> _Value | None:
    way, at = _way(text, start, end)
    value = _value_at(text, at, broken="\n" in text[end:at]) if way else None
    if way is None or value is None or is_blank(value.text) or is_counted(value.text, value.after):
        return None
    if is_code(value.text) and _FAILURE.search(text[max(start - _BEFORE, 0) : start]):
        return None
    return value if _JUDGES[label](way, value) else None


def _way(text: str, start: int, end: int) -> tuple[_Way | None, int]:
    """How a value follows, and where it begins."""
    if start and text[start - 1] == "<" and text.startswith(">", end):
        return _Way.GIVEN, end + 1
    for way, form in _WAYS:
        if match := form.match(text, end):
            option = way is _Way.BESIDE and start and text[start - 1] == "-"
            return (_Way.GIVEN if option else way), match.end()
    return None, end


def _value_at(text: str, at: int, *, broken: bool) -> _Value | None:
    closing = _QUOTES.get(text[at : at + 1])
    if closing and (end := text.find(closing, at + 1, at + 1 + _LONGEST)) > 0 and "\n" not in text[at:end]:
        after = text[end + 1 : end + 41]
        return _Value(text=text[at + 1 : end], start=at + 1, end=end, quoted=True, broken=broken, after=after)
    match = _BARE.match(text, at)
    if match is None:
        return None
    bare = match[0]
    following = _NEXT.search(bare)
    bare = (bare[: following.start()] if following else bare).rstrip(_ENDS_SENTENCE)
    end = at + len(bare)
    if len(bare) == _LONGEST and (rest := _REST.match(text, end)):
        end = rest.end()
    return _Value(text=bare, start=at, end=end, quoted=False, broken=broken, after=text[end : end + 40])


def _is_password(way: _Way, value: _Value) -> bool:
    if value.quoted and way is not _Way.BESIDE:
        return not is_sentence(value.text) and not value.text.isspace()
    if is_strong(value.text):
        return _strong_password(way, value)
    if value.broken or is_acronym(value.text) or way not in (_Way.GIVEN, _Way.SAID):
        return False
    so = _LAST if way is _Way.GIVEN else _SAYS_SO
    return is_word(value.text) and so.match(value.after) is not None


def _strong_password(way: _Way, value: _Value) -> bool:
    if is_code(value.text) and _PARTICLE.match(value.after):
        return False
    match way:
        case _Way.GIVEN | _Way.SAID:
            return True
        case _Way.CHANGED:
            return _INTO.match(value.after) is not None
        case _Way.BESIDE:
            return is_varied(value.text)


def _is_weak_password(way: _Way, value: _Value) -> bool:
    """Behind "pass", which passes tests, and パス, which leads to files."""
    return not value.text.isdigit() and is_strong(value.text) and _is_password(way, value)


def _is_pin(way: _Way, value: _Value) -> bool:
    digits = value.text.replace("-", "")
    return digits.isdigit() and len(digits) <= 12


def _is_labelled_token(way: _Way, value: _Value) -> bool:
    return is_token(value.text) and (way is not _Way.BESIDE or is_made(value.text))


_JUDGES = {"password": _is_password, "weak": _is_weak_password, "pin": _is_pin, "token": _is_labelled_token}
