"""A small strict Teams of one organisation: it signs what it tells, and takes only what the real one would."""

from __future__ import annotations

from tests.fakes.teams.server import Fault, Teams, serving
from tests.fakes.teams.signing import Signing

__all__ = ["Fault", "Signing", "Teams", "serving"]
