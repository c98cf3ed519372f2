"""What comes of a question: evidence, what was ranked and read, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memory.facts import Fact
from memory.model import Role, TokenUse
from memory.tickets import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissent:
    """What says otherwise than an article: a ticket by its name, or None where it was said outside of tickets; then it
    is known by who said it and when, in the clock of whoever did."""

    ticket: str | None
    speaker: str
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Where in an article of the knowledge base a quote stands: under which heading, and where people read it (None
    where nobody said). `contradicted_by` is what says otherwise and is newer, the newest first. `changed_since`: it is
    the edition that was valid at the moment asked about, and the section says something else now."""

    heading: str
    link: str | None = None
    contradicted_by: tuple[Dissent, ...] = ()
    changed_since: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A quote that stands in its episode, with who said it and when. `confidence` is 0 to 1.

    `derived` evidence (the bot's own earlier words) may be shown but supports nothing. `valid_to` is set where what
    it tells was true only until then. `ticket` names where it stands; it is not `ticketed` where that is only the id of
    a thread, which tells people nothing. `room` is the name of the channel, where that is known; `conversation` the id
    of the conversation, and `here` whether it is the one in which the question is asked. A quote from an article has a
    `passage`, and `ticket` is the path of its file.
    """

    quote: str
    turn_ids: tuple[str, ...]
    refs: tuple[str, ...]
    speaker: str
    role: Role
    said_from: datetime
    said_to: datetime
    confidence: float
    episode: str
    ticket: str
    ticketed: bool = True
    derived: bool = False
    valid_to: datetime | None = None
    room: str | None = None
    conversation: str | None = None
    here: bool = False
    passage: Passage | None = None

    @property
    def number(self) -> str | None:
        """The ticket's number, as people know it, or file and heading of an article; None where what was said belongs
        to neither."""
        if self.passage is not None:
            return f"{self.ticket} › {self.passage.heading}"
        return self.ticket if self.ticketed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """One turn with its total score and, by channel, what that score is made of. `ref` and `ticket` are its names for
    people."""

    turn_id: str
    ref: str
    episode: str
    ticket: str
    score: float
    channels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedEpisode:
    """An episode that was let in: by which pathways, with its score by channel. `ticket` is its name for people."""

    episode: str
    ticket: str
    score: float
    pathways: tuple[str, ...]
    channels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """How a ticket stood at `at`: in which state since when, `status` being that state in its own words (None where
    there was none), and who had it, None where nobody did. Of a moment before it was opened, how it began: `since` is
    later than `at` then."""

    ticket: str
    at: datetime
    state: State
    status: str | None
    since: datetime
    assignee: str | None


class AnswerKind(StrEnum):
    """How an answer came about; the wording of the last two is up to the handlers."""

    WRITTEN = "written"
    QUOTES = "quotes"
    ABSTAINED = "abstained"


class Degraded(StrEnum):
    """A part that was missing while the answer was made; the answer says so."""

    MODEL = "model"
    MEANING = "meaning"
    INDEX = "index"
    REBUILDING = "rebuilding"
    ASSISTANTS = "assistants"
    #: The day's tokens are spent: those of all, or those of the asker.
    BUDGET = "budget"
    OWN_BUDGET = "own_budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a question. `body` is what a model wrote; None where the handlers word the quotes themselves.

    `stood` is how the tickets stood whose state was asked for, in time order where that is a history; the handlers
    word that. `cited` are the pieces of `evidence` that the answer stands on, in time order; `facts` those that
    decided what of it holds; `ranked` the 20 best turns; `stages` milliseconds by stage of the pipeline. `rebuilt`
    is the share of the index, 0 to 1, that had been written again while it was being rebuilt; None where it was
    whole. `renewed` is when models may be asked again; None where they may. `articles` tells whether articles were
    searched, too.
    """

    kind: AnswerKind
    language: str
    body: str | None = None
    cited: tuple[Evidence, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    facts: tuple[Fact, ...] = ()
    stood: tuple[Stood, ...] = ()
    routed: tuple[RoutedEpisode, ...] = ()
    ranked: tuple[RankedTurn, ...] = ()
    mode: str = "direct"
    assistant_tokens: TokenUse = field(default_factory=TokenUse)
    master_tokens: TokenUse = field(default_factory=TokenUse)
    degraded: tuple[Degraded, ...] = ()
    rebuilt: float | None = None
    renewed: datetime | None = None
    articles: bool = False
    stages: Mapping[str, float] = field(default_factory=dict)
