"""What was said in a conversation before a message: what was asked last, and what nobody has answered yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from handlers.acts.asides import aside_in
from handlers.acts.unhelped import is_unhelped
from handlers.characters import wordless
from handlers.files import without_files
from memory.model import Turn, Viewer, correction_message, replied_to
from memory.ports import Reading
from memory.tickets import is_bookkeeping

#: How far back it is looked: others write in a thread as well.
_TURNS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What stands above a message. `asked` is the last message that asked something and that the bot replied to, None
    without one; `since` is what people said after the bot's last reply, oldest first."""

    asked: Turn | None
    since: tuple[Turn, ...]


async def said_before(turn: Turn, reading: Reading, viewer: Viewer, now: datetime) -> Earlier:
    """What stands above a turn, as the viewer may see it. Raises StoreUnavailable."""
    # The bot's replies have the time of its own clock, which may be ahead of the platform's.
    found = await reading.recent(turn.conversation.id, viewer, max(now, turn.said_at), _TURNS)
    said = [one for one in found if one.id != turn.id and (one.derived or _is_said(one, turn.said_at))]
    since = takewhile(lambda one: not one.derived, reversed(said))
    return Earlier(asked=_asked(said), since=tuple(reversed([*since])))


def is_matter(turn: Turn) -> bool:
    """Whether a person says what something is about: more than thanks, a nod, or that nothing helped."""
    words = without_files(turn.text)
    return not (turn.derived or wordless(turn.text) or aside_in(words) or is_unhelped(words))


def _is_said(turn: Turn, until: datetime) -> bool:
    """Whether somebody wrote it, and before that: what was done to a ticket is kept among the rest."""
    made = is_bookkeeping(turn) or turn.message.endswith(correction_message(""))
    return not made and turn.said_at <= until


def _asked(said: Sequence[Turn]) -> Turn | None:
    by_message = {one.message: one for one in said}
    answered = (by_message.get(replied_to(one.message) or "") for one in reversed(said) if one.derived)
    return next((one for one in answered if one is not None and is_matter(one)), None)
