"""Forgetting people over a store alone, with an index that holds nothing."""

from __future__ import annotations

from bot.application import Store
from memory.ports import Clock
from memory.stores.in_memory_index import InMemoryIndex
from memory.upkeep.forget import Forget
from memory.upkeep.withdraw import Withdraw


def forget_in(store: Store, clock: Clock) -> Forget:
    """What takes back what somebody said, out of this store."""
    return Forget(
        personal=store.personal,
        mailbox=store.mailbox,
        feedback=store.feedback,
        incidents=store.incidents,
        followers=store.followers,
        lines=store.lines,
        acts=store.acts,
        holds=store.holds,
        audit=store.audit,
        inspection=store.inspection,
        withdraw=Withdraw(store.mailbox, InMemoryIndex(), store.feedback),
        clock=clock,
    )
