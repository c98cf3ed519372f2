"""The settings of known incidents: when several questions are one thing."""

from __future__ import annotations

from pydantic import Field

from config.strict import Strict


class IncidentSettings(Strict):
    enabled: bool = Field(
        True, description="Whether the bot notices that several people ask about the same trouble, and says so."
    )
    people: int = Field(3, ge=2, le=100, description="Different people whose similar questions make a known incident.")
    window_minutes: int = Field(120, ge=5, le=1440, description="How far apart their questions may be, in minutes.")
