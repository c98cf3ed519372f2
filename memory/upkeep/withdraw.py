"""Taking a message back: its words go at once, from the database and from what can be found."""

from __future__ import annotations

import structlog

from memory.audit_log import AuditEntry, AuditKind, AuditLog
from memory.errors import IndexUnavailable
from memory.index_ports import KeyIndex
from memory.mailbox import Mailbox
from memory.ports import Clock

log = structlog.get_logger()


class Withdraw:
    """Takes turns back, keys included. The rest of an episode that loses one is found again after the next flush."""

    def __init__(self, mailbox: Mailbox, index: KeyIndex) -> None:
        self._mailbox = mailbox
        self._index = index

    async def __call__(self, turn: str) -> None:
        """Take the turn of this id back; one that never came will not come any more. Raises StoreUnavailable.

        Keys whose index cannot be reached lead to words that are not there, and go with the next flush or reindex.
        """
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
