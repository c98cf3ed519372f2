"""Telling in Teams who follows a ticket how it ended."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from handlers.teams.errand import Errand, Writes
from handlers.teams.message import plain_message
from handlers.teams.recent import Recent
from handlers.teams.sites import Sites
from handlers.wordings import Wording
from memory.errors import DeliveryUnknown, PlatformRefused, PlatformUnavailable
from memory.followers import Follower

log = structlog.get_logger()


class TeamsTells:
    """The port `Tells` for Teams. What was said is noted afterwards, so that a process that dies in between says it
    twice rather than never."""

    def __init__(self, *, writes: Writes, sites: Sites, told: Recent, wording: Callable[[], Wording]) -> None:
        self._writes = writes
        self._sites = sites
        self._told = told
        self._wording = wording

    async def tell(self, follower: Follower, words: str, about: str) -> bool:
        """As `Tells`; where the bot is no more nothing is left to do."""
        site = await self._sites.of(follower.place)
        if site is None or await self._told.about(site, about) is not None:
            return True
        errand = Errand(
            writes=self._writes,
            site=site,
            conversation=follower.place,
            language=follower.language,
            wording=self._wording(),
        )
        try:
            await errand.post(plain_message(words).content)
        except (DeliveryUnknown, PlatformRefused) as error:
            # It may have arrived, or never will.
            log.warning("teams_person_untold", error=type(error).__name__)
        except PlatformUnavailable as error:
            log.warning("teams_person_untold", error=type(error).__name__)
            return False
        await self._told.note(site, about, follower.ticket)
        return True
