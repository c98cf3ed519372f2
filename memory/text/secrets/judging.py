"""Whether what follows a word like "password" is one, or only goes on with the sentence."""

from __future__ import annotations

import re

#: What people write where a secret would stand, in place of one.
_WORDS = frozenset(
    """
    1password a active active-directory again as ask attached auto automatic azure below bitwarden blank
    case-sensitive change changed chrome confidential confirm correct default deleted denied disabled edge empty
    enabled enter error example excel exchange expired expires failed false fine firefox forgot forgotten github
    gitlab google here hidden incorrect invalid jira keepass known lastpass ldap linux locked login macos masked
    microsoft mismatch missing must n/a needed never new nil no non-expiring none normal not null office ok okay
    okta old onedrive optional outlook pass passcode passphrase passwd password passwords pending policy protected
    pwd redacted rejected removed required reset same saved secret see sent set sharepoint slack sso string strong
    teams temporary text this token true unchanged undefined unknown unset until updated valid value vpn weak wi-fi
    wifi wiki windows word wrong yes yours zoom
    """.split()
)
_TEMPLATE = re.compile(
    r"\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|%[A-Za-z_]\w*%|\{\{.*|\{\w*\}|<[^>]*>?|\[[^\]]*\]?|\(.*|[*•.●_?#~=-]+|[xX]{3,}|os\.environ.*"
)
_ADDRESS = re.compile(
    r"(?:https?|ftp|file|ssh)://.*|www\..*|\\\\.*|[A-Za-z]:\\.*|~?/[\w.-]+/.*|\.{1,2}/.*", re.IGNORECASE
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:T.*)?|\d{1,2}[:/]\d{2}(?:[:/]\d{2,4})?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[a-z]?|\d+(?:\.\d+)?%", re.IGNORECASE)
_MEASURE = re.compile(r"\d{1,3}-[a-z]+|\d{1,4}(?:ms|s|h|m|d|GB|MB|kB|px)", re.IGNORECASE)
_PRODUCT = re.compile(
    r"(?:windows|win|office|microsoft|outlook|exchange|server|teams|sha|md|base|oauth|ipv|utf|aes|rsa|tls|wpa|http|ms|kb|step|v)"
    r"-?\d+\w?",
    re.IGNORECASE,
)
#: Error codes and ticket numbers.
_CODE = re.compile(r"[A-Z]{1,8}[-_]?\d{2,8}(?:[/-]\d+)?|0x[0-9A-Fa-f]+|#\d+")
_UNIT = re.compile(
    r"\s?(?:文字|桁|日|回|年|月|分|時|秒|件|円|台|人|名|番目|世代|か月|ヶ月|％|%"
    r"|(?:characters?|chars?|digits?|days?|times?|attempts?|minutes?|hours?|weeks?|months?|years?|letters?|symbols?|users?"
    r"|people)\b)"
)
_SPECIAL = re.compile(r"[!@#$%^&*+=~?_|<>{}\\/.:;,-]")
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")
#: Sentences in quotation marks: what a form says of its field.
_SENTENCE = re.compile(
    r"\b(?:is|are|was|must|be|the|not|required|at|least|should|has|have|for|with|field|your|please)\b", re.I
)
_SHORTEST = 4
_SHORTEST_TOKEN = 10
_SHORTEST_PASSWORD = 8


def is_blank(value: str) -> bool:
    """Nothing secret whatever stands before it: a word, a stand-in, an address, a date, a version."""
    if len(value) < _SHORTEST or value.strip(".,;:!?").casefold() in _WORDS:
        return True
    forms = (_TEMPLATE, _ADDRESS, _MAIL, _DATE, _VERSION, _MEASURE, _PRODUCT)
    return any(form.fullmatch(value) for form in forms)


def is_counted(value: str, after: str) -> bool:
    """A number with its unit: "8 characters", 「12文字」."""
    return value.isdigit() and _UNIT.match(after) is not None


def is_code(value: str) -> bool:
    """An error code or the number of a ticket."""
    return _CODE.fullmatch(value) is not None


def is_strong(value: str) -> bool:
    """More than a word: with a digit, or with a sign that words do not have."""
    return bool(_DIGIT.search(value)) or bool(re.search(r"[!@#$%^&*+=~?_\\]", value[:-1]))


def is_varied(value: str) -> bool:
    """Letters with both digits and other signs, or small letters with digits: nobody writes so by the way."""
    letters, digits = _LETTER.search(value), _DIGIT.search(value)
    return bool(letters and digits and (re.search("[!@#$%^&*+=~?]", value) or (len(value) > 5 and _small(value))))


def _small(value: str) -> bool:
    return re.search("[a-z]", value) is not None and re.fullmatch("[A-Za-z0-9]+", value) is not None


def is_word(value: str) -> bool:
    return re.fullmatch(r"[A-Za-z][A-Za-z._'-]*", value) is not None


def is_acronym(value: str) -> bool:
    return value.isupper() and value.isalpha() and len(value) <= 5


def is_sentence(value: str) -> bool:
    """Words in quotation marks that say something."""
    return " " in value and _SENTENCE.search(value) is not None


def is_token(value: str) -> bool:
    """Long, of letters and digits, and no number of a ticket or a device."""
    long = len(value) >= _SHORTEST_TOKEN and re.fullmatch(r"[A-Za-z0-9+/=_.~:-]+", value) is not None
    return long and bool(_LETTER.search(value)) and bool(_DIGIT.search(value)) and not is_code(value)


def is_made(value: str) -> bool:
    """Written by a machine: small letters, several numbers among them, and capitals or underscores. People write no
    word so, not even the name of a variable."""
    several = len(re.findall("[0-9]+", value)) > 1 and len(value) >= _SHORTEST_TOKEN
    return several and re.search("[a-z]", value) is not None and re.search("[A-Z_]", value) is not None


def is_signed(value: str) -> bool:
    """Letters, digits and a sign that stands in no name, path or date."""
    parts = (_LETTER, _DIGIT, re.compile("[!@#$%^&*+~]"))
    return len(value) >= _SHORTEST_PASSWORD and all(part.search(value) for part in parts) and not is_blank(value)
