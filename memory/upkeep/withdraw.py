"""Taking a message back: its words go at once, from the database and from what can be found."""

from __future__ import annotations

import structlog

from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.errors import IndexUnavailable
from memory.feedback import FeedbackBox
from memory.index_ports import KeyIndex
from memory.mailbox import Mailbox
from memory.ports import Clock

log = structlog.get_logger()


class Withdraw:
    """Takes turns back, keys included. The rest of an episode that loses one is found again after the next flush."""

    def __init__(self, mailbox: Mailbox, index: KeyIndex, feedback: FeedbackBox) -> None:
        self._mailbox = mailbox
        self._index = index
        self._feedback = feedback

    async def __call__(self, turn: str) -> None:
        """Take the turn of this id back, with what it put right; one that never came will not come any more. Raises
        StoreUnavailable."""
        known = await self._feedback.correction(turn)
        if known is not None and known.stated is not None:
            # First: once the message is gone, nothing leads to it.
            await self._without(known.stated)
        await self._without(turn)

    async def _without(self, turn: str) -> None:
        """Keys whose index cannot be reached lead to words that are gone, and go with the next flush or reindex."""
        episode = await self._mailbox.withdraw(turn)
        if episode is None:
            return
        try:
            await self._index.remove([episode])
        except IndexUnavailable as error:
            log.warning("keys_not_removed", episode=episode, error=type(error).__name__)


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
