"""How much a question may cost: the best turns to the master in one call, or assistants that read whole episodes."""

from __future__ import annotations

from datetime import datetime

from config.recall import RecallMode, RecallSettings
from memory.recall.intent import Intent
from memory.recall.volume import Volume


class ModeChooser:
    """Applies `recall.mode`. Below the monthly volume a multi-agent pipeline costs more than it gives; above it only
    questions that join several things or ask about time need assistants."""

    def __init__(self, volume: Volume, settings: RecallSettings) -> None:
        self._volume = volume
        self._settings = settings

    async def choose(self, intent: Intent, now: datetime) -> RecallMode:
        """`direct` or `emem`, never `auto`."""
        if self._settings.mode is not RecallMode.AUTO:
            return self._settings.mode
        if not (intent.joins or intent.about_time):
            return RecallMode.DIRECT
        busy = await self._volume.questions(now) >= self._settings.auto_monthly_questions
        return RecallMode.EMEM if busy else RecallMode.DIRECT
