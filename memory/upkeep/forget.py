"""What was said is taken back: the words, what was made of them, and what the bot said in return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import structlog

from memory.acts import ActBox
from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.feedback import FeedbackBox
from memory.followers import Followers
from memory.holds import Hold, Holds, KeptVersion
from memory.incidents import IncidentBox
from memory.inspection import Inspection
from memory.lines import Lines
from memory.mailbox import Mailbox
from memory.model import Turn, Viewer, reply_id
from memory.personal import Personal
from memory.ports import Clock

#: Turns that are looked up at once.
_PAGE = 100

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """The receipt: how many messages were taken back, of how many entries of the audit log the details were erased, and
    how many versions of messages are kept out of sight, as their conversations are under hold."""

    messages: int
    entries: int = 0
    held: int = 0


class Forget:
    """Takes back what one person wrote, wherever it was, or single messages, with the bot's replies to them. What
    others wrote of the person stays, as it is theirs.

    A process that dies half-way can be run again and does the rest; a second run finds nothing. Whoever calls has made
    sure that it is the person who asks, or an administrator. Raises StoreUnavailable.
    """

    def __init__(
        self,
        *,
        personal: Personal,
        mailbox: Mailbox,
        feedback: FeedbackBox,
        incidents: IncidentBox,
        followers: Followers,
        lines: Lines,
        acts: ActBox,
        holds: Holds,
        audit: AuditLog,
        inspection: Inspection,
        withdraw: Callable[[*tuple[str, ...]], Awaitable[None]],
        clock: Clock,
    ) -> None:
        """`withdraw` takes the turns of these ids back, as `memory.upkeep.withdraw` does."""
        self._personal = personal
        self._mailbox = mailbox
        self._feedback = feedback
        self._incidents = incidents
        self._followers = followers
        self._lines = lines
        self._acts = acts
        self._holds = holds
        self._audit = audit
        self._inspection = inspection
        self._withdraw = withdraw
        self._clock = clock

    async def __call__(self, person: str, by: str | None = None) -> Forgotten:
        """Everything that the person wrote and said of answers, and what the audit log tells of the person; `by` an
        administrator, None where it is the person's own wish."""
        # Also what the person wrote for others and may not read again: only the person's own words are walked over.
        everywhere = Viewer(user=person, agent=True)
        # Before it is noted: while it is under way, however long that takes, lists and notes show no title of theirs.
        await self._mailbox.all_will_go(person)
        # Who forgets themselves is named nowhere any more.
        asked = AuditEntry(kind=AuditKind.FORGETTING, at=self._clock(), person=None if by == person else by)
        await self._audit.append(asked)
        # First: once the tickets are gone, nothing leads to what the support team was shown of them.
        await self._lines.forget(person)
        messages, last = 0, None
        while page := await self._personal.written(everywhere, last, _PAGE):
            await self._taken_back(page)
            messages, last = messages + len(page), page[-1].id
        await self._feedback.forget(person)
        await self._incidents.forget(person)
        await self._followers.forget(person)
        holds = await self._holds.of_author(person)
        held = await self._kept(holds, lambda one: one.author == person)
        entries = await self._audit.forget(person)
        receipt = await self._noted(Forgotten(messages=messages, entries=entries, held=held), asked)
        # Last: among them is the act by which the person asked for this, and whoever dies before has to know of it.
        await self._acts.forget(person)
        await self._inspection.scrub()
        return receipt

    async def messages(self, turns: Sequence[Turn], about: Iterable[str], by: str | None) -> Forgotten:
        """These messages; `about` is what they are called, without a word of theirs."""
        await self._mailbox.will_go(*[turn.id for turn in turns])
        asked = AuditEntry(kind=AuditKind.FORGETTING, at=self._clock(), person=by, about=tuple(about))
        await self._audit.append(asked)
        await self._taken_back(turns)
        ids = {turn.id for turn in turns}
        holds = await self._holds.among({turn.conversation.id for turn in turns})
        held = await self._kept(holds, lambda one: one.turn in ids)
        receipt = await self._noted(Forgotten(messages=len(turns), held=held), asked)
        await self._inspection.scrub()
        return receipt

    async def _taken_back(self, turns: Sequence[Turn]) -> None:
        # The reply first: once the message is gone, nothing leads to it.
        await self._withdraw(
            *[one for turn in turns for one in (reply_id(turn.conversation.id, turn.message), turn.id)]
        )

    async def _kept(self, holds: Iterable[Hold], which: Callable[[KeptVersion], bool]) -> int:
        return sum([sum(map(which, await self._holds.kept(hold.conversation))) for hold in holds])

    async def _noted(self, receipt: Forgotten, asked: AuditEntry) -> Forgotten:
        counts = {"messages": receipt.messages, "entries": receipt.entries, "held": receipt.held}
        await self._audit.append(replace(asked, kind=AuditKind.FORGOTTEN, at=self._clock(), counts=counts))
        log.info("forgotten", **counts)
        return receipt
