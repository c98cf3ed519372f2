"""By which names one is known: the account, and as whom its person signs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory.fact_ports import FactReading
from memory.facts import ACCOUNT, matter
from memory.model import Viewer

#: What is looked at of each name, the newest: enough to tell who is who.
_FACTS = 500
#: Names that one person signs with, the newest.
_NAMES = 10


async def names_of(reading: FactReading, name: str, viewer: Viewer, now: datetime) -> tuple[str, ...]:
    """All names, in the viewer's scope, of what goes by this one, the account first. A name under which two people sign
    tells nobody, and is alone. Raises StoreUnavailable."""
    own = await _accounts(reading, name, viewer, now)
    if len(own) > 1:
        return (name,)
    account = next(iter(own.values()), name)
    told = await reading.naming([account], viewer, now, _FACTS)
    given = {matter(fact.subject): fact.subject for fact in told if fact.predicate == ACCOUNT}
    theirs = [one for one in list(given.values())[:_NAMES] if len(await _accounts(reading, one, viewer, now)) == 1]
    spelled = next((fact.value for fact in told), account)
    return _once([spelled, *sorted(theirs)])


async def _accounts(reading: FactReading, name: str, viewer: Viewer, now: datetime) -> dict[str, str]:
    """Who signs with this name, as it is written, by its folded form."""
    told = await reading.about([matter(name)], viewer, now, _FACTS)
    return {matter(fact.value): fact.value for fact in told if fact.predicate == ACCOUNT}


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple({matter(name): name for name in reversed(names)}.values())[::-1]
