"""Who does something with a ticket, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.model import Role, Viewer
from memory.text.language import LanguageCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """A person who acts: with whose eyes tickets are seen, and what colleagues call that person."""

    viewer: Viewer
    name: str
    language: LanguageCode

    @property
    def called(self) -> str:
        """The name, or the id where nobody told a name."""
        return self.name or self.viewer.user

    def role(self, requester: str) -> Role:
        """As whom the person speaks in somebody's request: a support agent as one, but not in an own one."""
        return Role.AGENT if self.viewer.agent and self.viewer.user != requester else Role.REQUESTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a message would be called as a ticket; `category` None where none fits."""

    title: str
    category: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What was wrong and what helped, in the words of whoever resolved it; either may be empty."""

    cause: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What a support agent wants everybody to read of a ticket: what it was about, and what was learned."""

    symptom: str
    learned: str

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.symptom.strip(), self.learned.strip()) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """Support agents do not work just now: when they are `back`, and who stands in for them, if anybody does."""

    back: datetime
    stand_in: str | None
