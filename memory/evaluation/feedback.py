"""Questions that people have asked, with what they said of the answers: those that helped, and those that were wrong.

An answer that was called helpful says which tickets have to be found; a correction says that, and what is right.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from memory.errors import NothingFound
from memory.evaluation.dataset import Asked, Case, Dataset, Unit
from memory.evaluation.own_tickets import score
from memory.feedback import FeedbackBox
from memory.model import Question, Turn, Viewer
from memory.ports import Ledger, Reading

#: The newest of each kind; more would take longer than anybody waits.
_MOST = 1000
#: What is measured is shown to nobody but who keeps the data.
_KEEPER = Viewer(user="", agent=True)
_HELPFUL, _CORRECTED = "helpful", "corrected"

#: With whose eyes the author of a message asks, in the channel of that name.
Eyes = Callable[[str, str], Viewer]
_Told = Callable[[Sequence[str]], Awaitable[Mapping[str, Turn]]]


async def read(feedback: FeedbackBox, ledger: Ledger, reading: Reading, eyes: Eyes, now: datetime) -> Dataset:
    """One case on the memory as it is; every question is asked at `now`, as whoever asked it. Raises NothingFound where
    nobody has said anything yet, and StoreUnavailable."""

    async def told(ids: Sequence[str]) -> Mapping[str, Turn]:
        return {turn.id: turn for turn in await reading.turns(list(dict.fromkeys(ids)), _KEEPER, now)}

    asked = (*await _corrected(feedback, told, eyes, now), *await _helped(feedback, ledger, told, eyes, now))
    if not asked:
        raise NothingFound("Nobody has called an answer helpful or put one right yet, so there is nothing to measure.")
    return Dataset(name="own", unit=Unit.SESSION, cases=(Case(turns=None, asked=asked),), score=score)


async def _corrected(feedback: FeedbackBox, told: _Told, eyes: Eyes, now: datetime) -> list[Asked]:
    """Where somebody put one question right several times, the last one counts."""
    found = {one.about: one for one in reversed(await feedback.corrections(_MOST)) if one.stated}
    turns = await told([name for one in found.values() for name in (one.about, one.stated or "")])
    pairs = ((turns.get(one.about), turns.get(one.stated or "")) for one in found.values())
    return [
        _asked(question, (right,), eyes, now, group=_CORRECTED, expected=right.text)
        for question, right in pairs
        if question is not None and right is not None
    ]


async def _helped(feedback: FeedbackBox, ledger: Ledger, told: _Told, eyes: Eyes, now: datetime) -> list[Asked]:
    helped = await feedback.helpful(_MOST)
    sources = await ledger.sources(helped)
    turns = await told([name for one in helped for name in (one, *sources.get(one, ()))])
    return [
        _asked(turns[one], stood_on, eyes, now, group=_HELPFUL)
        for one in helped
        if one in turns and (stood_on := [turns[name] for name in sources.get(one, ()) if name in turns])
    ]


def _asked(
    question: Turn, gold: Sequence[Turn], eyes: Eyes, now: datetime, *, group: str, expected: str | None = None
) -> Asked:
    viewer = eyes(question.author, question.conversation.channel)
    return Asked(
        id=question.id,
        group=group,
        question=Question(text=question.text, viewer=viewer, now=now),
        gold=tuple(dict.fromkeys(turn.ticket or turn.conversation.thread for turn in gold)),
        expected=expected,
    )
