"""What is meant by who calls the bot by name and says nothing else: what stands above, if anything does."""

from __future__ import annotations

from itertools import takewhile

from handlers.characters import wordless
from memory.model import Turn, Viewer
from memory.ports import Reading

#: As which a message is kept that is the bot's name alone: there are no words in it.
CALLED = "@"
#: How much of what stands above is taken for the question.
_TURNS, _CHARACTERS = 20, 1000


async def meant(turn: Turn, reading: Reading, viewer: Viewer) -> str:
    """The words of a turn; where it is only a call, those of all above it to which the bot has not answered yet, as the
    viewer may see them. Raises StoreUnavailable."""
    if turn.text != CALLED:
        return turn.text
    said = await reading.recent(turn.conversation.id, viewer, turn.said_at, _TURNS)
    unanswered = takewhile(lambda one: not one.derived, reversed([one for one in said if one.id != turn.id]))
    words = "\n".join(one.text for one in reversed([*unanswered]) if not wordless(one.text))
    return words[-_CHARACTERS:] or turn.text
