"""The profile of a person or a system as a viewer may know it, read off the timeline when it is asked for."""

from __future__ import annotations

from datetime import datetime

from memory.fact_ports import FactReading
from memory.facts import matter
from memory.model import Viewer
from memory.recall.facts import Facts
from memory.remember.profiles import Profile, profile_of

#: Facts on one subject that are looked at, the newest; most have a handful.
FACTS = 500


class Profiles:
    """Looks profiles up by the subject's name."""

    def __init__(self, *, reading: FactReading, facts: Facts) -> None:
        self._reading = reading
        self._facts = facts

    async def called(self, name: str, viewer: Viewer, now: datetime) -> Profile | None:
        """The profile, as it is now, of what the viewer knows by this name; None where that is nothing. Raises
        StoreUnavailable."""
        told = await self._reading.about([matter(name)], viewer, now, FACTS)
        if not told:
            return None
        line = await self._facts.line([fact.group for fact in told], viewer, now)
        return profile_of(line, name, at=now)
