"""Payloads that are not part of this repository, and what can go wrong with any."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

from tests.fakes.source import ROOT

#: HELPDESK_PAYLOADS names the folder with the payloads of the platforms' own kits.
FOLDER = Path(os.environ.get("HELPDESK_PAYLOADS") or ROOT.parent / "shared/data/payloads")


def spoilt(node: Any, chance: random.Random) -> Any:
    """The payload with about one field in ten taken out or replaced."""
    if chance.random() < 0.05:
        return chance.choice([None, True, -1, 1e300, "", "\x00", "\ud83d", [], {}, [[]], [None], {"id": 5}, {"": {}}])
    if isinstance(node, dict):
        return {key: spoilt(value, chance) for key, value in node.items() if chance.random() > 0.05}
    if isinstance(node, list):
        return [spoilt(one, chance) for one in node]
    return node
