"""What use-cases take: read from a command line or from another process, checked here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from config.schema import Language
from memory.incidents import Phase
from memory.model import DIRECT, Visibility
from memory.tickets import Step

#: What people can do wrong, by pydantic's name for it; the rest is between two programs.
_MISTAKES: Mapping[str, str] = {
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length:,} characters",
    "string_pattern_mismatch": "is not of the form that it has to have",
    "greater_than_equal": "must be {ge:,} or more",
    "less_than_equal": "must be {le:,} or less",
    "missing": "is missing",
    "extra_forbidden": "is not known",
}


def mistakes(error: ValidationError) -> str:
    """What is wrong with each argument, in words for people."""
    found = error.errors(include_url=False)
    said = (_MISTAKES.get(each["type"], "cannot be used").format(**each.get("ctx", {})) for each in found)
    names = (".".join(map(str, each["loc"])) for each in found)
    return "; ".join(f"`{name}` {what}" for name, what in zip(names, said, strict=True))


class Arguments(BaseModel):
    """Strict: a command of another version is refused instead of half understood."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Arguments):
    """For use-cases that take none."""


class Ask(Arguments):
    """One question; times as they were given, to be read in the zone of `now`."""

    question: str
    user: str
    channel: str = DIRECT
    now: str | None = None
    as_of: str | None = None
    known_at: str | None = None
    language: Language | None = None


class Reply(Arguments):
    """One message of a conversation."""

    platform: str
    workspace: str
    channel: str
    thread: str
    message: str
    author: str
    text: str
    said_at: AwareDatetime
    visibility: Visibility
    requester: str | None = None


class TakeBack(Arguments):
    """A message by the id of its turn, and who wants it forgotten; `language` is that of the bot's own words."""

    turn: str
    user: str
    language: Language


class Import(Arguments):
    """`bots` are ids and names under which this bot wrote in that history."""

    path: str
    format: str | None = None
    source: str | None = None
    bots: tuple[str, ...] = ()


class BackUp(Arguments):
    """Where the backup is to be, and who wants it."""

    path: str = Field(min_length=1)
    user: str | None = None


class RunJob(Arguments):
    name: str


class Named(Arguments):
    """A ticket, a message or an episode by its id, or what else a use-case knows by name."""

    id: str = Field(min_length=1)


class Marked(Named):
    """The same, to be changed, and by whom."""

    user: str | None = None


class Erase(Arguments):
    """What is to be taken back, by its name, and by whom."""

    what: Literal["user", "conversation", "ticket", "message"]
    id: str = Field(min_length=1)
    by: str | None = None
    dry_run: bool
    despite_hold: bool = False


class NoteVersion(Arguments):
    """A version of the note of a ticket, a message or an episode."""

    id: str = Field(min_length=1)
    version: int = Field(ge=1)
    user: str | None = None


class RedoClosing(Arguments):
    """A fact by its id, and what ends it after all: the id of another one, None where only one was undone."""

    id: str = Field(min_length=1)
    by: str | None = None
    user: str | None = None


class UndoClosing(Arguments):
    """A fact by its id, who says that it did not end, and why. `by` is the id of what did not end it; None where that
    is what ends it now and nothing was undone yet."""

    id: str = Field(min_length=1)
    by: str | None = None
    user: str
    why: str = Field("", max_length=500)


class Search(Arguments):
    query: str = Field(min_length=1)
    user: str
    limit: int = Field(10, ge=1, le=50)


class Since(Arguments):
    """The newest entries from a day or a moment on, None from the first."""

    since: str | None = None
    limit: int = Field(100, ge=1, le=10_000)


class Verify(Arguments):
    """The audit log from a day or a moment on; `known` is a number and a digest that were noted before, 17:9f2a…."""

    since: str | None = None
    known: str | None = Field(None, pattern=r"^[1-9][0-9]{0,17}:[0-9a-f]{64}$")


class Days(Arguments):
    days: int = Field(30, ge=1, le=3650)


class Report(Days):
    """The last days up to today, told in this language; None for the bot's own."""

    language: Language | None = None


class Measure(Arguments):
    """Questions of one's own on the memory as it is; without a file, those on whose answers people said something."""

    path: str | None = None
    limit: int | None = None
    sample: int | None = None
    log: str | None = None


class Tune(Arguments):
    """As `Measure`: a file of questions, or those on whose answers people said something."""

    path: str | None = None


class ListTickets(Arguments):
    """Which tickets; None is any."""

    user: str | None = None
    assignee: str | None = None
    category: str | None = None
    open: bool | None = None
    limit: int = Field(50, ge=1, le=10_000)


class StepTicket(Arguments):
    """A step with the ticket of this name, for somebody; cause and fix where it is resolved."""

    id: str = Field(min_length=1)
    step: Literal[Step.TAKE, Step.HAND_BACK, Step.RESOLVE, Step.CLOSE, Step.REOPEN]
    user: str = Field(min_length=1)
    cause: str = Field("", max_length=5000)
    fix: str = Field("", max_length=5000)


class ListIncidents(Arguments):
    """Which incidents: all, or those that are going on."""

    going_on: bool = True
    limit: int = Field(50, ge=1, le=1000)


class RuleIncident(Arguments):
    """What somebody says of the incident of this ticket or id; `words` are what it is called, or what helped."""

    id: str = Field(min_length=1)
    phase: Literal[Phase.CONFIRMED, Phase.DISMISSED, Phase.OVER]
    user: str = Field(min_length=1)
    words: str = Field("", max_length=500)
