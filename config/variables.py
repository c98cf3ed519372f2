"""`${NAME}` and `${NAME:-default}` in the values of the configuration. Raises ValueError with a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_ONLY_VARIABLES = re.compile(r"(\$\{[A-Za-z_][A-Za-z0-9_]*(:-)?\})+")
_LOGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*@")
_PASSWORD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#:@]*:([^/?#@]+)@")


def fill(text: str, environment: Mapping[str, str]) -> str:
    """The text with each variable replaced by its value, or by its default when it is unset or empty.

    In the login of an address (user:password@) values are percent-encoded, so that a password may hold any character.
    """
    if "${" in _VARIABLE.sub("", text):
        raise ValueError("${ must be followed by a name and }, as in ${MY_KEY} or ${MY_KEY:-default}")
    variables = tuple(_VARIABLE.finditer(text))
    missing = dict.fromkeys(each[1] for each in variables if each[2] is None and each[1] not in environment)
    if missing:
        raise ValueError(f"{' and '.join(missing)} must be set in the environment")
    login = _LOGIN.match(text)
    end_of_login = login.end() if login else 0

    def value(match: re.Match[str]) -> str:
        found = environment.get(match[1], "") or match[2] or ""
        return quote(found, safe="") if match.start() < end_of_login else found

    return _VARIABLE.sub(value, text)


def secret(text: str, environment: Mapping[str, str], found_at: str | None = None) -> str:
    """The value of a secret, which may only stand in the environment. An optional one, `${NAME:-}`, may be empty.
    `found_at` says where the value is found of one that is needed, None of one that nobody may need."""
    if not _ONLY_VARIABLES.fullmatch(text):
        raise ValueError("a secret must not stand in the file; put it into the environment and write ${NAME} here")
    try:
        found = fill(text, environment)
    except ValueError as error:
        raise ValueError(f"{error}; {found_at}" if found_at else str(error)) from None
    if not found and ":-" not in text:
        names = " and ".join(match[1] for match in _VARIABLE.finditer(text))
        remedy = found_at or f"write ${{{names}:-}} if there may be none"
        raise ValueError(f"{names} is empty in the environment; {remedy}")
    return found


def refuse_literal_password(text: str) -> None:
    """Raise ValueError for an address with a password written out in it."""
    password = _PASSWORD.match(text)
    if password and not _ONLY_VARIABLES.fullmatch(password[1]):
        raise ValueError("a password must not stand in the file; put it into the environment and write ${NAME} here")


def without_password(text: str) -> str:
    """An address with its password, if it has one, masked."""
    password = _PASSWORD.match(text)
    return f"{text[: password.start(1)]}****{text[password.end(1) :]}" if password else text
