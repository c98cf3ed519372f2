"""How much a question may cost: the best turns to the master in one call, or assistants that read whole episodes."""

from __future__ import annotations

from datetime import datetime, timedelta

from config.recall import RecallMode, RecallSettings
from memory.ports import Ledger
from memory.recall.intent import Intent

_MONTH = timedelta(days=30)
#: How long a counted volume is good for.
_FRESH = timedelta(minutes=10)


class ModeChooser:
    """Applies `recall.mode`. Below the monthly volume a multi-agent pipeline costs more than it gives; above it only
    questions that join several things or ask about time need assistants."""

    def __init__(self, ledger: Ledger, settings: RecallSettings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._volume = 0
        self._counted_at: datetime | None = None

    async def choose(self, intent: Intent, now: datetime) -> RecallMode:
        """`direct` or `emem`, never `auto`."""
        if self._settings.mode is not RecallMode.AUTO:
            return self._settings.mode
        if not (intent.joins or intent.about_time):
            return RecallMode.DIRECT
        busy = await self._monthly_volume(now) >= self._settings.auto_monthly_questions
        return RecallMode.EMEM if busy else RecallMode.DIRECT

    async def _monthly_volume(self, now: datetime) -> int:
        if self._counted_at is None or now - self._counted_at > _FRESH:
            self._volume = await self._ledger.count_since(now - _MONTH)
            self._counted_at = now
        return self._volume
