"""What was said in a conversation before a message: what was asked last, and what the bot has not answered yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from handlers.acts.matters import is_matter
from handlers.acts.pointing import calls, points
from handlers.files import without_files
from memory.model import Turn, Viewer, correction_message, replied_to
from memory.ports import Reading
from memory.tickets import is_bookkeeping

#: As which a message is kept that is the bot's name alone: there are no words in it.
CALLED = "@"
#: How far back it is looked: others write in a thread as well.
_TURNS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What stands above a message. `asked` is the last message that asked something and that the bot replied to, None
    without one; `about` is what that was about, in the words of the last question that stands by itself, "" without
    one; `since` is what people said after the bot's last reply, oldest first."""

    asked: Turn | None
    about: str
    since: tuple[Turn, ...]

    @property
    def topics(self) -> tuple[Turn, ...]:
        """What was said since that is about something."""
        return tuple(filter(_is_topic, self.since))

    @property
    def unanswered(self) -> str:
        """The words of that."""
        return _topics(self.since)


async def said_before(turn: Turn, reading: Reading, viewer: Viewer, now: datetime) -> Earlier:
    """What stands above a turn, as the viewer may see it. Raises StoreUnavailable."""
    # The bot's replies have the time of its own clock, which may be ahead of the platform's.
    found = await reading.recent(turn.conversation.id, viewer, max(now, turn.said_at), _TURNS)
    said = [one for one in found if one.id != turn.id and (one.derived or _is_said(one, turn.said_at))]
    answered = _answered(said)
    return Earlier(
        asked=next((said[at] for at in answered if said[at].text == CALLED or _is_matter(said[at])), None),
        about=next(filter(None, (_about(said, at) for at in answered)), ""),
        since=_since(said),
    )


def _is_said(turn: Turn, until: datetime) -> bool:
    """Whether somebody wrote it, and before that: what was done to a ticket is kept among the rest."""
    made = is_bookkeeping(turn) or turn.message.endswith(correction_message(""))
    return not made and turn.said_at <= until


def _is_matter(turn: Turn) -> bool:
    """Whether a person says what something is about, or points at it."""
    return not turn.derived and is_matter(without_files(turn.text))


def _is_topic(turn: Turn) -> bool:
    """Whether it can be understood by itself."""
    return _is_matter(turn) and not (calls(turn.text) or points(turn.text))


def _answered(said: Sequence[Turn]) -> list[int]:
    """Where the messages stand to which the bot replied, the last reply first."""
    places = {one.message: at for at, one in enumerate(said) if not one.derived}
    replies = (replied_to(one.message) for one in reversed(said) if one.derived)
    return [places[message] for message in replies if message in places]


def _since(said: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(reversed([*takewhile(lambda one: not one.derived, reversed(said))]))


def _about(said: Sequence[Turn], at: int) -> str:
    """What the question at this place is about: where it points, what had not been answered above it."""
    return said[at].text if _is_topic(said[at]) else _topics(_since(said[:at]))


def _topics(turns: Sequence[Turn]) -> str:
    return "\n".join(one.text for one in turns if _is_topic(one))
