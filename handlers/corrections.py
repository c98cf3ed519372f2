"""What people say of an answer that was wrong: kept with what the answer stood on, and remembered where it states what
is right."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from handlers.acts.denials import Denial, denial_in
from handlers.files import without_files
from handlers.ports import Corrected, Recorder
from memory.fact_ports import FactReading
from memory.facts import Fact, Group, matter
from memory.feedback import Correction, FeedbackBox
from memory.model import Turn, Viewer, Visibility, correction_message, replied_to, turn_id
from memory.ports import Clock, Ledger, Reading
from memory.remember.extraction.asked_of import asked_of
from memory.remember.extraction.happenings import goes_wrong
from memory.remember.extraction.predicates import Predicates
from memory.remember.extraction.restating import Righted, stated_by_name, stated_of, stated_whole
from memory.remember.extraction.talk import denies
from memory.text.language import LanguageCode, detect_language

log = structlog.get_logger()

#: How far back an answer may be that somebody calls wrong: others write in a thread as well.
_BACK = 6
#: The narrowest first.
_BREADTH = tuple(Visibility)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """A message that was answered, what the answer stood on, and in which words it was given."""

    question: Turn
    sources: tuple[str, ...]
    reply: Turn


class Corrections:
    """Takes corrections in: every method reads with the eyes of who corrects, and raises StoreUnavailable."""

    def __init__(
        self,
        *,
        reading: Reading,
        facts: FactReading,
        ledger: Ledger,
        feedback: FeedbackBox,
        recorder: Recorder,
        withdraw: Callable[[str], Awaitable[None]],
        predicates: Predicates,
        clock: Clock,
        language: LanguageCode,
    ) -> None:
        self._reading = reading
        self._facts = facts
        self._ledger = ledger
        self._feedback = feedback
        self._recorder = recorder
        self._withdraw = withdraw
        self._predicates = predicates
        self._clock = clock
        self._language = language

    async def taken(self, turn: Turn, viewer: Viewer) -> Corrected | None:
        """What comes of a message that calls the answer before it wrong, also where what it says is right cannot be
        read; None where it says anything else, so that it is answered as all others are. The same message again is the
        same correction."""
        denial = denial_in(without_files(turn.text))
        answered = await self._answered(turn, viewer) if denial else None
        if denial is None or answered is None:
            return None
        told = [one for one in await self._told(answered.sources, viewer) if one.predicate in self._predicates]
        righted = self._righted(turn, denial, answered, told)
        if righted is None and _says_else(denial, told):
            return None
        stated = await self._stated(turn, righted, answered.sources, viewer) if righted else None
        await self._feedback.correct(
            Correction(
                turn=turn.id,
                about=answered.question.id,
                author=turn.author,
                at=turn.said_at,
                sources=answered.sources,
                stated=stated.id if stated else None,
            )
        )
        log.info("answer_corrected", turn=turn.id, stated=stated is not None)
        return Corrected(stated=stated.text if stated else "")

    async def revised(self, turn: Turn, viewer: Viewer) -> None:
        """A message has other words now: what it stated says the same, or is gone."""
        known = await self._feedback.correction(turn.id)
        if known is None or known.stated is None:
            return
        if await self.taken(turn, viewer) is None or await self._is_unstated(turn.id):
            await self._withdraw(known.stated)

    async def _is_unstated(self, turn: str) -> bool:
        now = await self._feedback.correction(turn)
        return now is None or now.stated is None

    async def _answered(self, turn: Turn, viewer: Viewer) -> _Answered | None:
        """The last answer before this turn, where it stood on anything; what a correction was said to is the answer
        that was corrected."""
        before = await self._reading.recent(turn.conversation.id, viewer, turn.said_at, _BACK)
        replies = [one for one in before if one.derived and replied_to(one.message) not in (None, turn.message)]
        if not replies:
            return None
        about = turn_id(turn.conversation, replied_to(replies[-1].message) or "")
        known = await self._feedback.correction(about)
        about = known.about if known else about
        sources = (await self._ledger.sources([about])).get(about, known.sources if known else ())
        question = await self._reading.turns([about], viewer, self._clock())
        return _Answered(question=question[0], sources=sources, reply=replies[-1]) if question and sources else None

    def _righted(self, turn: Turn, denial: Denial, answered: _Answered, told: Sequence[Fact]) -> Righted | None:
        """What is right instead. What names only the attribute is of what the answer told."""
        language = detect_language(turn.text, self._language)
        bare = replace(turn, text=denial.rest)
        if not denial.rest:
            return None
        said = matter(answered.reply.text)
        quoted = [one for one in told if matter(one.value) in said] or told
        facts = [*asked_of(quoted, answered.question.text, self._predicates)]
        if by_name := stated_by_name(facts, bare, self._predicates, language):
            return by_name
        if whole := stated_whole(bare, answered.question, self._predicates, language):
            return whole
        return stated_of(facts, denial.value, turn, self._predicates, language) if denial.value else None

    async def _told(self, sources: Sequence[str], viewer: Viewer) -> list[Fact]:
        return await self._facts.of_turns(sources, viewer, self._clock())

    async def _stated(self, turn: Turn, righted: Righted, sources: Sequence[str], viewer: Viewer) -> Turn:
        """The turn that says what is right, seen by nobody who may not read both the message and what it puts right."""
        of = Group(subject=matter(righted.subject), predicate=righted.predicate)
        told = [fact for fact in await self._told(sources, viewer) if fact.group == of]
        seen = [turn.visibility, *(fact.scope.visibility for fact in told)]
        stated = replace(
            turn,
            message=correction_message(turn.message),
            text=righted.text,
            visibility=min(seen, key=_BREADTH.index),
            status=None,
            title=None,
            assignee=None,
        )
        await self._recorder.record([stated])
        return stated


def _says_else(denial: Denial, told: Sequence[Fact]) -> bool:
    """Whether it is no attempt to say what is right, as the answer told no value of anything, or as it is about what
    does not work."""
    if not denial.expressly:
        return True
    if not denial.rest or denial.value:
        return False
    return not told or denies(denial.rest) or goes_wrong(denial.rest)
