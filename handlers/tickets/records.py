"""Who does something with a ticket, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass

from memory.model import Viewer
from memory.text.language import LanguageCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """A person who acts: with whose eyes tickets are seen, and what colleagues call that person."""

    viewer: Viewer
    name: str
    language: LanguageCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What was wrong and what helped, in the words of whoever resolved it; either may be empty."""

    cause: str = ""
    fix: str = ""
