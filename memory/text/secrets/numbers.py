"""Numbers of payment cards and of people (My Number): both carry a check digit, which most other numbers fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.text.secrets.found import Found, Kind

#: 12 to 19 digits in a row, or in groups that are parted in one and the same way; no part of a longer code.
_LONG = re.compile(
    r"(?<![\w+/#-])(?<!\d\.)(?:"
    r"(?P<plain>\d{12,19})"
    r"|(?P<grouped>\d{4}(?P<by>[ -])\d{4}(?P=by)\d{4}(?:(?P=by)\d{4}(?:(?P=by)\d{1,3})?)?)"
    r"|(?P<amex>\d{4}(?P<by_amex>[ -])\d{6}(?P=by_amex)\d{4,5})"
    r")(?![\w/#-]|\.\d)",
    re.ASCII,
)
#: How the cards of the large networks begin, by their length.
_CARDS = {
    13: re.compile("4"),
    14: re.compile("3(?:0[0-5]|[689])"),
    15: re.compile("3[47]"),
    16: re.compile("4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|35(?:2[89]|[3-8])|6(?:011|4[4-9]|5|2)"),
    17: re.compile("62"),
    18: re.compile("62"),
    19: re.compile("4|62|6(?:011|4[4-9]|5)"),
}
_SOME = re.compile(r"[0-9]{4}[ -]?[0-9]{4}")
_PERSONAL = re.compile(r"マイナンバー|個人番号|my ?number|individual number", re.IGNORECASE)
#: What people call other numbers of twelve digits.
_OTHER = re.compile(
    r"account|order|serial|s/n|tracking|invoice|asset|barcode|jan|upc|ticket|build|version|\bid\b"
    r"|アカウント|注文|伝票|追跡|問い?合わせ|シリアル|製造|管理|資産|請求|受付|予約|電話|tel|番号",
    re.IGNORECASE,
)
_LABEL = 24
#: 202611231005 and its like: a time, written without marks.
_MOMENT = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d")
_DIGITS = 12


def numbers(text: str) -> Iterator[Found]:
    """Card numbers that Luhn's rule takes, and numbers of people that theirs does."""
    if not _SOME.search(text):
        return
    for match in _LONG.finditer(text):
        digits = re.sub("[ -]", "", match[0])
        if len(digits) == _DIGITS:
            if _is_personal(digits, text[max(match.start() - _LABEL, 0) : match.start()], grouped=" " in match[0]):
                yield Found(kind=Kind.MY_NUMBER, start=match.start(), end=match.end())
        elif _is_card(digits):
            yield Found(kind=Kind.CARD, start=match.start(), end=match.end())


def _is_card(digits: str) -> bool:
    begins = _CARDS.get(len(digits))
    return begins is not None and begins.match(digits) is not None and len(set(digits)) > 1 and _luhn(digits)


def _luhn(digits: str) -> bool:
    """ISO/IEC 7812-1: every second digit from the right counts twice, with its own digits added up."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _is_personal(digits: str, before: str, *, grouped: bool) -> bool:
    """One that is called so is taken whatever its check digit says; another only where nothing speaks against it."""
    if _PERSONAL.search(before):
        return True
    if not _has_check_digit(digits) or len(set(digits)) == 1:
        return False
    return grouped or not (_MOMENT.fullmatch(digits) or _OTHER.search(before))


def _has_check_digit(digits: str) -> bool:
    """Ordinance No. 85 of 2014 of the Ministry of Internal Affairs and Communications, Article 5."""
    weights = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    rest = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False)) % 11
    return int(digits[-1]) == (0 if rest <= 1 else 11 - rest)
