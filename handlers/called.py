"""What is meant by who calls the bot by name and says nothing else, or points at what stands above."""

from __future__ import annotations

from datetime import datetime

from handlers.acts.pointing import calls, points
from handlers.acts.unhelped import is_unhelped
from handlers.earlier import CALLED, said_before
from memory.model import Role, Turn, Viewer
from memory.ports import Reading

#: So many calls one after the other are followed to what they mean.
_CALLS = 3
#: How much of what stands above is taken for the question.
_CHARACTERS = 1000


def is_call(words: str) -> bool:
    """Whether somebody is called with no word of what about."""
    return words == CALLED or calls(words)


async def stands_for(turn: Turn, reading: Reading, viewer: Viewer) -> Turn:
    """The message with which a person is asked where somebody asks for one with this turn: itself, or of a call the
    first above it that nobody has answered, or else the question before; itself where there is none. Only what the
    viewer may see counts. Raises StoreUnavailable."""
    for _ in range(_CALLS):
        if not is_call(turn.text):
            break
        above = await said_before(turn, reading, viewer, turn.said_at)
        found = next((one for one in above.topics if one.role is not Role.AGENT), above.asked)
        if found is None:
            break
        turn = found
    return turn


async def meant(turn: Turn, reading: Reading, viewer: Viewer, now: datetime) -> str:
    """The words of a turn, where they ask something by themselves. A call ("@", "any idea?") asks all above it to which
    the bot has not answered yet; a question that points ("where is it?") is asked after that, or else after the last
    question that was answered. Only what the viewer may see counts. Raises StoreUnavailable."""
    words = turn.text
    called, goes_on = is_call(words), is_unhelped(words)
    if not (called or goes_on or points(words)):
        return words
    above = await said_before(turn, reading, viewer, now)
    unanswered, about = above.unanswered[-_CHARACTERS:], above.about[-_CHARACTERS:]
    if words == CALLED or (called and unanswered):
        return unanswered or words
    if goes_on:
        # What does not help yet is what was asked, with what others have said of it since.
        return _lines(about, unanswered) if unanswered else words
    return _lines(unanswered or about, words)


def _lines(*words: str) -> str:
    return "\n".join(filter(None, words))
