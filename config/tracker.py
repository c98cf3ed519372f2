"""The settings of an outside tracker: where tickets live besides here."""

from __future__ import annotations

import base64
import binascii
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from config.credentials import MAKE_SECRET
from config.strict import Strict
from config.values import secure_address

#: How a secret begins, and the bytes that it may have behind that.
_PREFIX, _SHORTEST, _LONGEST = "whsec_", 24, 64


def keys_in(secret: SecretStr) -> tuple[bytes, ...]:
    """The keys of a secret, the newest first. Raises ValueError where it is none."""
    keys = tuple(_key(part.strip()) for part in secret.get_secret_value().split(","))
    if any(not _SHORTEST <= len(key) <= _LONGEST for key in keys):
        raise ValueError(f"must hold {_SHORTEST} to {_LONGEST} bytes behind {_PREFIX}; {MAKE_SECRET}")
    return keys


def _key(part: str) -> bytes:
    if not part.startswith(_PREFIX):
        raise ValueError(f"must begin with {_PREFIX}; {MAKE_SECRET}")
    try:
        return base64.b64decode(part.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError(f"must be base64 behind {_PREFIX}; {MAKE_SECRET}") from None


def _secret(secret: SecretStr) -> SecretStr:
    keys_in(secret)
    return secret


class TrackerWords(StrEnum):
    """Of which tickets a tracker is told words and people."""

    NONE = "none"
    EVERYONE = "everyone"
    ALL = "all"


class TrackerSettings(Strict):
    url: Annotated[str, AfterValidator(secure_address)] = Field(
        description="Where each change of a ticket is posted, signed as Standard Webhooks are; redirects are refused."
    )
    secret: Annotated[SecretStr, AfterValidator(_secret)] = Field(
        description="Signs what is posted and proves what comes back (whsec_… in base64), as ${ENV}. To change it: the "
        "new one, a comma, the old one; both are taken, and both sign."
    )
    name: str = Field(
        "tracker",
        min_length=1,
        max_length=40,
        description="What the tracker is called in the conversation of a ticket that it changed.",
    )
    words: TrackerWords = Field(
        TrackerWords.NONE,
        description="`none`: names of tickets, states and who has them. `everyone`: of tickets that everybody may read "
        "also title, words and who asked. `all`: of private ones, too.",
    )
