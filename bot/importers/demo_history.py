"""The shipped demo history: tickets in JSONL, dated from the day of import so that "last week" stays true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from bot.importers import tickets, tickets_jsonl
from bot.importers.rows import Moment, Row, believable

_SOURCE = "demo"
_RELATIVE = re.compile(r"-(\d{1,5})d (\d\d:\d\d) ([+-]\d\d:\d\d)")


def read(path: Path, *, now: datetime) -> Iterator[Row]:
    """Turns of the demo."""
    return tickets.turns(partial(tickets_jsonl.lines, path), path.name, _SOURCE, relative_moment(now))


def relative_moment(now: datetime) -> Moment:
    """Reads `-7d 10:05 +09:00`: seven days before the day it is now at that offset, at that local time."""

    def read(text: str) -> datetime:
        match = _RELATIVE.fullmatch(text.strip())
        if match is None:
            raise ValueError("is not like `-7d 10:05 +09:00`")
        clock = datetime.fromisoformat(f"2000-01-01T{match[2]}{match[3]}").timetz()
        day = now.astimezone(clock.tzinfo).date() - timedelta(days=int(match[1]))
        return believable(datetime.combine(day, clock), now)

    return read
