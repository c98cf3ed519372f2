"""What was found where, and the kinds of secrets there are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """As it stands in placeholders."""

    PASSWORD = "password"
    TOKEN = "token"
    PRIVATE_KEY = "private-key"
    URL_PASSWORD = "url-password"
    CARD = "card"
    MY_NUMBER = "my-number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A secret from `start` up to `end` of the text that was looked at. `kind` is a `Kind`, or the name of a pattern of
    the administrator's."""

    kind: str
    start: int
    end: int
