"""How much a question may cost: the best turns to the master in one call, or assistants that read whole episodes."""

from __future__ import annotations

from datetime import datetime

from config.recall import RecallMode, RecallSettings
from memory.recall.intent import Intent
from memory.recall.volume import CONSULTED, Volume

#: Of the last consultations so many have to have brought something that was cited.
_WORTH_ASKING = CONSULTED // 4


class ModeChooser:
    """Applies `recall.mode`. Below the monthly volume a multi-agent pipeline costs more than it gives; above it only
    questions that join several things or ask about time need assistants, and those only while assistants are worth
    asking: weak ones quote what the ranking had found, at several times the tokens. As consultations older than a month
    no longer count, other assistants get their chance."""

    def __init__(self, volume: Volume, settings: RecallSettings) -> None:
        self._volume = volume
        self._settings = settings

    async def choose(self, intent: Intent, now: datetime) -> RecallMode:
        """`direct` or `emem`, never `auto`."""
        if self._settings.mode is not RecallMode.AUTO:
            return self._settings.mode
        if not (intent.joins or intent.about_time):
            return RecallMode.DIRECT
        if await self._volume.questions(now) < self._settings.auto_monthly_questions:
            return RecallMode.DIRECT
        worth = await self._volume.worth(now)
        return RecallMode.EMEM if worth is None or worth >= _WORTH_ASKING else RecallMode.DIRECT
