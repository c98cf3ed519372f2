"""What one person wrote is taken back: the words, what was made of them, and what the bot said in return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from memory.acts import ActBox
from memory.feedback import FeedbackBox
from memory.model import Viewer, reply_message, turn_id
from memory.personal import Personal

#: Turns that are looked up at once.
_PAGE = 100

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How many messages of the person were taken back."""

    messages: int


class Forget:
    """Takes back everything that one person wrote, wherever it was, with the bot's replies to it. What others wrote of
    the person stays, as it is theirs.

    A process that dies half-way can be run again and does the rest; a second run finds nothing.
    """

    def __init__(
        self, personal: Personal, feedback: FeedbackBox, acts: ActBox, withdraw: Callable[[str], Awaitable[None]]
    ) -> None:
        """`withdraw` takes the turn of an id back, as `memory.upkeep.withdraw` does."""
        self._personal = personal
        self._feedback = feedback
        self._acts = acts
        self._withdraw = withdraw

    async def __call__(self, person: str) -> Forgotten:
        """Whoever calls has made sure that it is this person who asks. Raises StoreUnavailable."""
        # Also what the person wrote for others and may not read again: only the person's own words are walked over.
        everywhere = Viewer(user=person, agent=True)
        messages, last = 0, None
        while page := await self._personal.written(everywhere, last, _PAGE):
            for turn in page:
                # The reply first: once the message is gone, nothing leads to it.
                await self._withdraw(turn_id(turn.conversation, reply_message(turn.message)))
                await self._withdraw(turn.id)
            messages, last = messages + len(page), page[-1].id
        await self._feedback.forget(person)
        # Last: among them is the act by which the person asked for this, and whoever dies before has to know of it.
        await self._acts.forget(person)
        log.info("person_forgotten", messages=messages)
        return Forgotten(messages=messages)
