"""Forgetting people over a store alone, with an index that holds nothing."""

from __future__ import annotations

from bot.application import Store
from bot.wiring_memory import forget_from
from memory.ports import Clock
from memory.stores.in_memory_index import InMemoryIndex
from memory.upkeep.forget import Forget
from memory.upkeep.withdraw import Withdraw


def forget_in(store: Store, clock: Clock) -> Forget:
    """What takes back what somebody said, out of this store."""
    return forget_from(store, Withdraw(store.mailbox, InMemoryIndex(), store.feedback), clock)
