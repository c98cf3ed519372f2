"""The port by which a platform writes at both ends of a line: where it was asked, and where the support team talks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from memory.lines import Line
from memory.model import Conversation
from memory.text.language import LanguageCode
from memory.tickets import Ticket


class Told(Enum):
    """Whether something stands there: since earlier, only now, or not at all; or the platform did not say whether it
    took it, and nobody can look."""

    BEFORE = auto()
    NOW = auto()
    IMPOSSIBLE = auto()
    UNSURE = auto()


class Refusal(Enum):
    """Why words do not stand there: the platform takes none until somebody sees to the place, or never these, or it did
    not say whether it took them, and nobody can look."""

    FOR_NOW = auto()
    FOR_GOOD = auto()
    UNSURE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """How one speaks in a place: in which `language` the bot does (None: in that of the request), whether it hears
    there only what calls it by its name, and whether the place has threads, so that one can speak of something else
    there."""

    language: LanguageCode | None = None
    by_name: bool = False
    threads: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One end of a line: its place, and the `person` for whom alone it is, in places where answers are for one person;
    None where they are for all who read there."""

    place: Conversation
    person: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Somebody's words as they are passed on: whose they are, the words as they stand in a message, in which there may
    be looks that their author gave them, and what else there is to be said, in which nothing is parsed (as in what came
    by a form). Both may have line ends of their author's."""

    heading: str
    words: str = ""
    plain: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """All of it, one after the other."""
        return (self.words, *self.plain) if self.words else self.plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """The bot's own words at an end. `about` is a name by which it is known that they were said. `aside`: they concern
    the person alone, and nobody else has to read them where the platform can do that."""

    end: End
    words: str
    about: str
    aside: bool = False


class Ends(Protocol):
    """How a platform writes. Every method that does raises PlatformUnavailable where it may do later."""

    @property
    def longest(self) -> int:
        """Characters that words which are passed on may have."""
        ...

    async def customs(self, place: Conversation) -> Customs: ...

    async def post(self, end: End, said: Spoken, about: str, *, sure: bool) -> str | Refusal:
        """Have it stand there: the id of the message, empty where nothing can be done to it any more, or why it does
        not. Unless it is `sure` that nobody tried before, it is looked whether a message `about` the same stands there.
        Raises DeliveryUnknown where it may stand there and the next try can look, PlatformUnavailable where it does
        not."""
        ...

    async def change(self, end: End, said: Spoken, message: str) -> None:
        """Have this message of ours say something else."""
        ...

    async def remove(self, end: End, message: str, instead: str) -> None:
        """Take this message of ours away; where the platform lets none go, it says this `instead`."""
        ...

    async def tell(self, notice: Notice) -> Told:
        """Say it there, once."""
        ...

    async def show(self, ticket: Ticket, line: Line) -> None:
        """Bring the note on the ticket up to date."""
        ...

    async def reword(self, ticket: Ticket, line: Line) -> None:
        """Have the note, and what stands below it of the request, say what the line's `request` says now; of one that
        is gone nothing."""
        ...

    async def retire(self, line: Line) -> None:
        """Have nothing left of the note, and of what stands below it of the request, but that its ticket was deleted:
        nothing can be done there any more."""
        ...
