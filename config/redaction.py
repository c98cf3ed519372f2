"""The settings of redaction: which secrets are taken out of what people write, and the administrator's own patterns."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from config.strict import Strict

_NAME = re.compile(r"[a-z][a-z0-9-]{1,30}")
_LONGEST = 500


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
