"""What the memory needs from outside, as small promises. Each has an in-memory twin and one contract suite.

Reads for people go through `Reading`, which cannot be called without a viewer. `Writing` is for the write path and for
upkeep jobs; nothing that answers a person may hold it (an architecture test checks that).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from memory.audit_log import AuditEntry
from memory.model import Episode, Note, TokenUse, Turn, Viewer


class Clock(Protocol):
    """Tells the time; tests hand in a fixed one."""

    def __call__(self) -> datetime: ...


# --- the words --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What became of the turns that were handed in. `called`: those of the repeated and revised ones that were only
    overheard before, and are addressed to the bot now."""

    new: int = 0
    repeated: int = 0
    revised: int = 0
    called: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketState:
    """A ticket as it stands at a moment: the last title, status and assignee given up to then."""

    ticket: str
    title: str | None
    status: str | None
    assignee: str | None
    requester: str
    opened_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """An episode whose enrichment failed: why, how often, when it is due again."""

    episode: str
    error: str
    attempts: int
    next_at: datetime


class Reading(Protocol):
    """What may be read for a person. Every method filters by the viewer in the query itself and returns turns up to
    `until` only. Raises StoreUnavailable."""

    async def recent(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        """The last `limit` turns of a conversation, oldest first; empty when there is none."""
        ...

    async def live(self, conversation: str, viewer: Viewer, until: datetime, limit: int) -> list[Turn]:
        """The conversation's newest `limit` turns that no flush has taken up yet, oldest first."""
        ...

    async def episodes(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Episode]:
        """Whole episodes in the order of `ids`, each without its turns after `until`; unseen ones are left out."""
        ...

    async def turns(self, ids: Sequence[str], viewer: Viewer, until: datetime) -> list[Turn]:
        """These turns in the order of `ids`; unknown or unseen ones left out."""
        ...

    async def as_of(self, ids: Sequence[str], viewer: Viewer, moment: datetime) -> list[Turn]:
        """These turns in the words that they had at `moment`, in the order of `ids`: of each the newest version said by
        then. Left out are those that were first said later, and those of which the viewer may not see both the words of
        then and those of now."""
        ...

    async def named(self, ref: str, viewer: Viewer, until: datetime) -> list[Turn]:
        """The turns that people call `ref` (INC-1007 or INC-1007/3), oldest first; empty when there is none to see."""
        ...

    async def tickets(self, names: Sequence[str], viewer: Viewer, until: datetime) -> list[TicketState]:
        """The state of these tickets at `until`, in the order of `names`; unknown or unseen ones left out."""
        ...

    async def ended(self, since: datetime, until: datetime, viewer: Viewer, limit: int) -> list[str]:
        """The ids of up to `limit` episodes whose last turn was said from `since` on up to `until`, newest first."""
        ...

    async def notes(self, episodes: Sequence[str], viewer: Viewer) -> Mapping[str, Note]:
        """The newest note of each of these episodes that has one and may be seen."""
        ...


class Writing(Protocol):
    """The write path and upkeep: sees everything, answers nobody. Raises StoreUnavailable.

    A turn is *pending* from the moment it is recorded until `mark_flushed`, which is the last step of a flush.
    """

    async def record(self, turns: Sequence[Turn]) -> Recorded:
        """Durable when this returns. The same (conversation, message) again is a repeat and changes nothing; with other
        words or state it is a revision: the old words go to the history and the turn is pending again. A late copy of
        any older version is a repeat.

        NUL and lone surrogates, which no database holds, become U+FFFD here. Raises InputRefused for a time that is
        none in UTC; then none of these turns is recorded."""
        ...

    async def due(self, idle_before: datetime, grown_to: int, limit: int) -> list[str]:
        """Conversations with pending turns that were all recorded before `idle_before`, or at least `grown_to` of them;
        longest waiting first, at most `limit`."""
        ...

    async def open_run(self, conversation: str) -> list[Turn]:
        """The turns to be cut: all pending ones and, so that an episode can go on growing, all turns from the start of
        the newest episode that begins before the first pending turn. Oldest first; empty when nothing is pending."""
        ...

    async def store_episodes(self, conversation: str, episodes: Sequence[Episode]) -> list[str]:
        """Write these episodes over the run they were cut from, in one transaction, and return the ids of episodes that
        were there before and are no longer. Their notes and retries go with them. An episode of which a turn was taken
        back meanwhile is not written, so that nothing is kept that was made of it; its other turns stay pending."""
        ...

    async def store_note(self, note: Note) -> None:
        """Add a version; the same (episode, version) again changes nothing."""
        ...

    async def newest_notes(self, episodes: Sequence[str]) -> Mapping[str, Note]: ...

    async def mark_flushed(self, episodes: Sequence[Episode]) -> None:
        """The last step: these revisions of these turns are no longer pending; a turn revised meanwhile stays so, and
        one whose episode is gone."""
        ...

    async def store_retry(self, retry: Retry) -> None:
        """Write or replace the retry of this episode."""
        ...

    async def due_retries(self, now: datetime, limit: int) -> list[Retry]: ...

    async def drop_retries(self, episodes: Sequence[str]) -> None: ...

    async def episodes_after(self, last: str | None, limit: int) -> list[Episode]:
        """Whole episodes in the order of their ids, after the id `last`: a walk over everything that can be resumed."""
        ...

    async def episodes_of(self, ids: Sequence[str]) -> list[Episode]:
        """These whole episodes in the order of `ids`; unknown ones are left out."""
        ...

    async def expired(self, before: datetime, limit: int) -> list[Episode]:
        """Flushed episodes whose last turn is older than `before`, not pinned and not under hold, oldest first."""
        ...

    async def erase(self, episodes: Sequence[str]) -> int:
        """Delete these episodes, but those under hold, with their turns, versions, notes and retries; the number of
        turns deleted."""
        ...

    async def pin(self, episodes: Sequence[str], pinned: bool) -> None:
        """Important episodes are kept by retention."""
        ...

    async def reopen_all(self) -> int:
        """Make every turn pending again, so that the next flush writes its keys anew; the number of turns. From then on
        a rebuild is under way (`Ledger.rebuilt`)."""
        ...

    async def end_rebuild(self) -> None:
        """A rebuild is over when none of its turns is pending; until then this changes nothing."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """How many `turns`, `pending`, `episodes`, `notes` and `retries` there are."""
        ...


#: A lease that ends later than a whole one from now on, by more than this, is of a clock that went wrong: were it
#: waited for, nobody might have it for days. Clocks of several machines differ by less.
LEAP = timedelta(hours=1)


class Leases(Protocol):
    """Lets one of several processes run a job."""

    async def acquire(self, name: str, holder: str, now: datetime, seconds: int) -> bool:
        """True when `holder` has the lease until `now` + `seconds`; extends its own, takes over an expired one, and one
        that ends `LEAP` after a whole lease would."""
        ...

    async def release(self, name: str, holder: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredQuestion:
    """What one question cost. No words of it are kept.

    `gained` is how many pieces that the answer cites only assistants brought; None where none was consulted. `turn` and
    `conversation` are the ids of the message that asked and of where; None where it was asked outside of any. `sources`
    are the ids of the turns that the answer stands on.
    """

    asked_at: datetime
    mode: str
    abstained: bool
    episodes_read: int
    assistant: TokenUse
    master: TokenUse
    full_context_tokens: int
    milliseconds: Mapping[str, float]
    gained: int | None = None
    turn: str | None = None
    conversation: str | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """A request that went to a person: the ids of the message with which it did and of its conversation, and when."""

    turn: str
    conversation: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens that models have read and written, for answers and for notes."""

    answers: int = 0
    notes: int = 0


class Ledger(Protocol):
    """Keeps what questions and notes cost and which questions went to a person, for statistics, for choosing the scale
    mode and for the day's limits."""

    async def add(self, entry: AnsweredQuestion, audit: AuditEntry | None = None) -> None:
        """Taken when this returns; whatever is read from this ledger afterwards counts it. It may be written only then:
        an entry that cannot be is logged (`ledger_entry_lost`), and no answer fails for it. `audit` is appended to the
        audit log with it."""
        ...

    async def since(self, moment: datetime) -> list[AnsweredQuestion]:
        """Entries from `moment` on, oldest first."""
        ...

    async def sources(self, turns: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """By message the ids of the turns on which its last answer stood; those that were not answered, or whose answer
        stood on none, are left out."""
        ...

    async def found_nothing(self, turns: Sequence[str]) -> frozenset[str]:
        """Those of these messages whose last answer was that the bot does not know."""
        ...

    async def note_enriched(self, at: datetime, tokens: TokenUse) -> None:
        """What a model took for notes, or for what connects them. As `add`."""
        ...

    async def spent_since(self, moment: datetime) -> Spent: ...

    async def spent_by(self, person: str, moment: datetime) -> int:
        """Tokens of the answers from `moment` on to messages of this author that are still there."""
        ...

    async def note_handed_over(self, request: HandedOver, audit: AuditEntry | None = None) -> None:
        """As `add`. The same message again changes nothing: it went to a person when it first did."""
        ...

    async def handed_over_since(self, moment: datetime) -> list[HandedOver]:
        """Requests that went to a person from `moment` on, oldest first."""
        ...

    async def count_since(self, moment: datetime) -> int: ...

    async def gains(self, moment: datetime, limit: int) -> list[int]:
        """What assistants brought (`gained`) to up to `limit` of the questions from `moment` on for which they were
        consulted; newest first."""
        ...

    async def rebuilt(self) -> float | None:
        """The share of turns, 0 to 1, that a rebuild of the index has written again; None while none is under way. A
        number, no words: what is not found may be among the others."""
        ...

    async def remembered_tokens(self) -> int:
        """Tokens of all episodes together: what a model would have to read without a memory. A number, no words."""
        ...
