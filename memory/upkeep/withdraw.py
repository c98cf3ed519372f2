"""Taking messages back: their words go at once, from the database and from what can be found."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.errors import IndexUnavailable
from memory.feedback import FeedbackBox
from memory.index_ports import KeyIndex
from memory.mailbox import Mailbox
from memory.ports import Clock

#: Messages that go in one transaction: whoever writes meanwhile waits for its end.
_AT_ONCE = 50

log = structlog.get_logger()


class Withdraw:
    """Takes turns back, keys included. The rest of an episode that loses one is found again after the next flush."""

    def __init__(self, mailbox: Mailbox, index: KeyIndex, feedback: FeedbackBox) -> None:
        self._mailbox = mailbox
        self._index = index
        self._feedback = feedback

    async def __call__(self, *turns: str) -> None:
        """Take the turns of these ids back, in their order and as many together as go in one transaction, with what
        they put right; those that never came will not come any more. Raises StoreUnavailable."""
        for start in range(0, len(turns), _AT_ONCE):
            some = turns[start : start + _AT_ONCE]
            # What a message put right goes with it: once the message is gone, nothing leads to it.
            await self._without([one for turn in some for one in (*await self._stated(turn), turn)])

    async def _stated(self, turn: str) -> Sequence[str]:
        known = await self._feedback.correction(turn)
        return [known.stated] if known is not None and known.stated is not None else []

    async def _without(self, turns: Sequence[str]) -> None:
        """Keys whose index cannot be reached lead to words that are gone, and go with the next flush or reindex."""
        episodes = await self._mailbox.withdraw(*turns)
        if not episodes:
            return
        try:
            await self._index.remove(episodes)
        except IndexUnavailable as error:
            log.warning("keys_not_removed", episodes=len(episodes), error=type(error).__name__)


class AuditedWithdraw:
    """Takes back what its author deleted on the platform, and says so in the audit log."""

    def __init__(self, withdraw: Withdraw, audit: AuditLog, clock: Clock) -> None:
        self._withdraw = withdraw
        self._audit = audit
        self._clock = clock

    async def __call__(self, turn: str) -> None:
        """As `Withdraw`. Where it cannot be noted it counts as not done: the platform tells it again."""
        await self._withdraw(turn)
        await self._audit.append(AuditEntry(kind=AuditKind.WITHDRAWN, at=self._clock(), about=(turn,)))
