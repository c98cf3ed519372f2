"""What the desk needs, and where its replies go."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from handlers.incidents.records import Notice
from handlers.messages import OutgoingReply
from memory.answers import Answer
from memory.feedback import Feedback
from memory.model import Question, Turn, Viewer
from memory.ports import Recorded
from memory.recall.steps import Watch
from memory.text.language import LanguageCode


class Answers(Protocol):
    """Answers a question from memory (`memory.recall.pipeline.Recall`)."""

    async def answer(self, question: Question, watch: Watch) -> Answer:
        """`watch` is told of each step on the way."""
        ...


class Recorder(Protocol):
    """The one narrow write that a handler may do. Durable when it returns; raises StoreUnavailable."""

    async def record(self, turns: Sequence[Turn]) -> Recorded: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What a place asks of replies: to use only what was said in it, the language of the bot's own words (None: that of
    the message), and which collections of the knowledge base to use (None: all). `locale` is the language that the
    asker has set for the platform, where that is known."""

    confined: bool = False
    language: LanguageCode | None = None
    knowledge: frozenset[str] | None = None
    locale: LanguageCode | None = None


PLAIN = Manners()

#: Told of each answer from memory, once, whichever platform it is for.
Answered: TypeAlias = Callable[[Answer], None]

#: Whether a person has taken over the turn's conversation, so that the bot does not answer in it. Raises
#: StoreUnavailable.
Held: TypeAlias = Callable[[Turn], Awaitable[bool]]


#: Takes a turn of a conversation that a person has taken over; False where nobody has it any more, so that the bot owes
#: an answer. What it raises leaves the turn for another try.
ToPerson: TypeAlias = Callable[[Turn], Awaitable[bool]]


#: Has the conversation of this id taken up into the memory soon, behind the reply; whatever comes between, the schedule
#: does it. Never raises.
Soon: TypeAlias = Callable[[str], None]


async def to_nobody(_: Turn) -> bool:
    """The person reads along."""
    return True


async def by_nobody(_: Turn) -> bool:
    """No person ever takes over."""
    return False


#: What is known of a question that others ask, too; None where nothing is. Never fails.
Noticed: TypeAlias = Callable[[Turn], Awaitable[Notice | None]]


async def nothing_noticed(_: Turn) -> Notice | None:
    """Nobody else ever asks the same."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """An answer was called wrong; `stated` is the sentence that is remembered instead, "" where none could be made."""

    stated: str


#: Takes in what somebody, who sees so much, says of an answer that was wrong; None where they say anything else.
Corrects: TypeAlias = Callable[[Turn, Viewer], Awaitable[Corrected | None]]


async def never_wrong(_: Turn, __: Viewer) -> Corrected | None:
    """Nobody ever corrects an answer."""
    return None


#: Keeps what somebody says of an answer. Raises StoreUnavailable.
Judges: TypeAlias = Callable[[Feedback], Awaitable[None]]


async def never_judged(_: Feedback) -> None:
    """Nobody keeps it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A message is kept and not answered; `reply` is what is said instead, None where that was said just now."""

    reply: OutgoingReply | None


#: Whether a message to the bot is one too many. Raises StoreUnavailable.
Paced: TypeAlias = Callable[[Turn], Awaitable[Refused | None]]


async def unpaced(_: Turn) -> None:
    """Nobody ever writes too much."""


#: Says with a reply to a turn what comes of asking for a person. Raises StoreUnavailable.
Offered: TypeAlias = Callable[[OutgoingReply, Turn, Viewer], Awaitable[OutgoingReply]]


async def nothing_offered(reply: OutgoingReply, _: Turn, __: Viewer) -> OutgoingReply:
    """There are no tickets."""
    return reply


#: What is said, in this language, to who wrote with this turn that a ticket of theirs which was resolved is not solved;
#: None where they say anything else. Raises StoreUnavailable.
Unsolved: TypeAlias = Callable[[Turn, Viewer, LanguageCode], Awaitable[OutgoingReply | None]]


async def nothing_unsolved(_: Turn, __: Viewer, ___: LanguageCode) -> OutgoingReply | None:
    """There are no tickets."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What others have to do with a conversation, beside the answers that are given in it."""

    held: Held = by_nobody
    noticed: Noticed = nothing_noticed
    corrected: Corrects = never_wrong
    refused: Paced = unpaced
    judged: Judges = never_judged
    offered: Offered = nothing_offered
    unsolved: Unsolved = nothing_unsolved


#: There is nobody else.
ALONE = Around()

Send: TypeAlias = Callable[[OutgoingReply], Awaitable[None]]

#: Where a reply goes: entered when work on it begins (a platform shows that), left when it is sent or has failed.
Outlet: TypeAlias = AbstractAsyncContextManager[Send]


@asynccontextmanager
async def kept_in(given: list[OutgoingReply]) -> AsyncIterator[Send]:
    """For those who wait for the reply themselves."""

    async def keep(reply: OutgoingReply) -> None:
        given.append(reply)

    yield keep
