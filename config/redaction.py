"""The settings of redaction: which secrets are taken out of what people write, and the administrator's own patterns."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from config.strict import Strict

_NAME = re.compile(r"[a-z][a-z0-9-]{1,30}")
_LONGEST = 500
_ENTITY = re.compile(r"[A-Z][A-Z_]{1,29}")
#: Names of ours, which would stand for two things in placeholders.
_OURS = ("PASSWORD", "TOKEN", "PRIVATE_KEY", "URL_PASSWORD", "CARD", "MY_NUMBER")


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(
            "must be a name of 2 to 31 small letters, digits and -, as in employee-card: it stands in placeholders"
        )
    return name


def _pattern(pattern: str) -> str:
    """A regular expression in RE2's language, which can be matched in linear time whatever it says."""
    import re2

    options = re2.Options()
    options.log_errors = False
    if len(pattern) > _LONGEST:
        raise ValueError(f"must have at most {_LONGEST} characters")
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else error.args[0]
        raise ValueError(f"must be a regular expression as RE2 reads them ({reason})") from None
    if compiled.search("") is not None:
        raise ValueError("must not match an empty text; it would be found everywhere")
    return pattern


def _entity(name: str) -> str:
    if not _ENTITY.fullmatch(name):
        raise ValueError("must be a name of presidio's, as EMAIL_ADDRESS")
    if name in _OURS:
        raise ValueError("is taken out already, whatever presidio finds; leave it out")
    return name


class RedactionSettings(Strict):
    password: bool = Field(True, description="Passwords and PINs that are written out, in Japanese or English.")
    token: bool = Field(True, description="Tokens and API keys, by their known beginnings or the words before them.")
    private_key: bool = Field(True, description="Private keys, in PEM or PuTTY form.")
    url_password: bool = Field(True, description="Passwords in addresses, as in https://user:password@host.")
    card: bool = Field(True, description="Numbers of payment cards with a valid check digit.")
    my_number: bool = Field(True, description="Numbers like My Number (個人番号), by their check digit or name.")
    patterns: dict[Annotated[str, AfterValidator(_name)], Annotated[str, AfterValidator(_pattern)]] = Field(
        {},
        max_length=50,
        description="More to take out: regular expressions by the name that stands in the placeholder, in "
        "[RE2's language](https://github.com/google/re2/wiki/Syntax); quote them: `staff-card: 'SC-\\d{8}'`.",
    )
    presidio: bool = Field(
        False,
        description="Personal data as presidio-analyzer finds it, too; needs the extra `helpdesk-bot[presidio]` and "
        "models.",
    )
    presidio_entities: tuple[Annotated[str, AfterValidator(_entity)], ...] = Field(
        ("EMAIL_ADDRESS", "PHONE_NUMBER", "IBAN_CODE"),
        min_length=1,
        max_length=50,
        description="What presidio is to find, by its own names. PERSON takes out the names by which answers say who "
        "did something.",
    )
    presidio_threshold: float = Field(0.5, ge=0, le=1, description="How sure presidio has to be, from 0 to 1.")
    presidio_models: dict[Literal["en", "ja"], Annotated[str, Field(min_length=1)]] = Field(
        {"en": "en_core_web_lg"},
        min_length=1,
        description="The spaCy model for texts in `en` and in `ja`, by its name or folder. It must be installed; texts "
        "in a language without one are not looked through.",
    )
